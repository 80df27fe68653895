/** The end of a process, whatever hangs (docs/specification/reliability.md#f-12). */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { closeInTurn } from '../../src/close-in-turn.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const limits = { withinMs: 150, lastMs: 20 };

test('closes each in turn, and waits for it', async () => {
  const order: string[] = [];
  const closer = (name: string, ms: number) => ({
    name,
    async close() {
      await sleep(ms);
      order.push(name);
    },
  });
  expect(await closeInTurn([closer('first', 30), closer('second', 0)], limits)).toEqual({ unended: [], failed: [] });
  expect(order).toEqual(['first', 'second']);
});

test('names the step that hangs, and still closes what comes behind it', async () => {
  const closed: string[] = [];
  const started = performance.now();
  const outcome = await closeInTurn(
    [
      {
        name: 'the whole',
        async close(onStep) {
          onStep('its first part');
          await sleep(1);
          onStep('its second part');
          await never();
        },
      },
      { name: 'another', close: never },
      { name: 'the last', close: async () => void closed.push('the last') },
    ],
    limits,
  );
  expect(outcome).toEqual({ unended: ['its second part', 'another'], failed: [] });
  expect(closed).toEqual(['the last']);
  expect(performance.now() - started).toBeLessThan(2_000);
});

test('what cannot be closed is told of and does not keep the rest open', async () => {
  const error = new Error('broken');
  let isClosed = false;
  const outcome = await closeInTurn(
    [
      { name: 'one that fails', close: () => Promise.reject(error) },
      {
        name: 'one that throws',
        close: () => {
          throw error;
        },
      },
      {
        name: 'the rest',
        close: async () => {
          isClosed = true;
        },
      },
    ],
    limits,
  );
  expect(outcome.failed).toEqual([
    { name: 'one that fails', error },
    { name: 'one that throws', error },
  ]);
  expect(isClosed).toBe(true);
});
