import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGate } from '../../src/db/pool-queue.ts';

test('admits as many as there are places, then in order of arrival', async () => {
  const gate = createGate({ places: 2, stalledMs: 1_000, longestWaitMs: 10_000 });
  const order: number[] = [];
  await gate.enter();
  await gate.enter();
  const waiting = [1, 2, 3].map((caller) => gate.enter().then(() => order.push(caller)));
  await sleep(5);
  expect(order).toEqual([]);
  gate.leave();
  await waiting[0];
  expect(order).toEqual([1]);
  gate.leave();
  gate.leave();
  await Promise.all(waiting);
  expect(order).toEqual([1, 2, 3]);
});

test('turns everybody away when no place comes free', async () => {
  const gate = createGate({ places: 1, stalledMs: 60, longestWaitMs: 10_000 });
  await gate.enter();
  const answers = await Promise.allSettled([gate.enter(), gate.enter()]);
  expect(answers.map((answer) => answer.status)).toEqual(['rejected', 'rejected']);
  gate.leave();
  await gate.enter();
});

/** Seven callers for one place, each keeping it for 60 ms: the last waits six times that. */
async function serveInTurn(options: { stalledMs: number; longestWaitMs: number }): Promise<string[]> {
  const gate = createGate({ places: 1, ...options });
  const answers = await Promise.allSettled(
    Array.from({ length: 7 }, async () => {
      await gate.enter();
      await sleep(60);
      gate.leave();
    }),
  );
  return answers.map((answer) => answer.status);
}

test('waits longer than the stall time while others are served', async () => {
  expect(await serveInTurn({ stalledMs: 150, longestWaitMs: 10_000 })).toEqual(Array(7).fill('fulfilled'));
});

test('waits no longer than the longest wait', async () => {
  const answers = await serveInTurn({ stalledMs: 150, longestWaitMs: 200 });
  expect(answers[0]).toBe('fulfilled');
  expect(answers[6]).toBe('rejected');
});

test('places that come back without having served anybody keep nobody waiting', async () => {
  const gate = createGate({ places: 1, stalledMs: 100, longestWaitMs: 10_000 });
  await gate.enter();
  const started = performance.now();
  const waiting = Promise.allSettled(
    Array.from({ length: 20 }, async () => {
      await gate.enter();
      await sleep(60);
      gate.leave(false);
    }),
  );
  await sleep(60);
  gate.leave(false);
  const answers = await waiting;
  expect(performance.now() - started).toBeLessThan(1_000);
  expect(answers.at(-1)?.status).toBe('rejected');
  expect(gate.waiting()).toBe(0);
  expect(gate.refused()).toBe(answers.filter(({ status }) => status === 'rejected').length);
});
