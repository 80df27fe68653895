import { expect, test } from 'vitest';
import { createTurns } from '../../src/http/turns.ts';

test('so many of a name run at once, in order, and others beside them; what fails makes way', async () => {
  const turns = createTurns(2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string, fails = false) =>
    turns
      .take(name[0] ?? '', async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (fails) throw new Error(name);
        return name;
      })
      .catch(() => 'failed');
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const all = [work('a1', true), work('a2'), work('a3'), work('a4'), work('b1')];
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  ends[0]?.();
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  ends[1]?.();
  await settle();
  expect(begun.at(-1)).toBe('a4');
  for (const end of ends) end();
  expect(await Promise.all(all)).toEqual(['failed', 'a2', 'a3', 'a4', 'b1']);
  const again = work('a5');
  await settle();
  expect(begun.at(-1)).toBe('a5');
  ends.at(-1)?.();
  expect(await again).toBe('a5');
});
