/** Lanes of coalesced requests: who goes alone, who shares, and what they hold meanwhile (docs/specification/events.md#coalescing). */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { holding } from '../../../src/apart.ts';
import { createLanes, type LanesOptions, type Outcome } from '../../../src/features/events/purchases/coalesce/lanes.ts';

type Options = Partial<LanesOptions<string, string>>;
/** Done in a batch; or being done alone, until it leaves. */
type Turn = { result: string } | { leave(): Promise<void> };

/** Lanes whose batches end when the test says so. An item is its own key. */
function openLanes(options: Options = {}) {
  const batches: { items: readonly string[]; end(outcomes?: readonly Outcome<string>[] | Error): void }[] = [];
  const lanes = createLanes<string, string>({
    lanes: 2,
    most: 3,
    mostOfTurn: 3,
    keysOf: (item) => [item],
    work: (items) =>
      new Promise((resolve, reject) => {
        const end = (outcomes: readonly Outcome<string>[] | Error = items.map((item) => ({ result: `${item}!` }))) =>
          outcomes instanceof Error ? reject(outcomes) : resolve(outcomes);
        batches.push({ items, end });
      }),
    ...options,
  });
  const take = (item: string, name = 'a') =>
    new Promise<Turn>((settle, reject) => {
      const beAlone = () =>
        new Promise<string>((done) => {
          const leave = async (): Promise<void> => {
            done('alone');
            await nextTurn();
          };
          settle({ leave });
        });
      lanes.run(name, item, beAlone).then((result) => settle({ result }), reject);
    });
  return { take, batches };
}

async function alone(turn: Promise<Turn>): Promise<() => Promise<void>> {
  const settled = await turn;
  if ('result' in settled) throw new Error('it was done with others');
  return settled.leave;
}

describe('a lane', () => {
  test('that is free takes who comes, alone and at once', async () => {
    const { take, batches } = openLanes();
    await alone(take('1'));
    await alone(take('2'));
    await nextTurn();
    expect(batches).toEqual([]);
  });

  test('that comes free takes all who wait, at most a batch, and one who waits alone for itself', async () => {
    const { take, batches } = openLanes();
    const leaveFirst = await alone(take('1'));
    const leaveSecond = await alone(take('2'));
    const waiting = ['3', '4', '5', '6'].map((item) => take(item));
    await nextTurn();
    expect(batches).toEqual([]);
    await leaveFirst();
    expect(batches.map(({ items }) => items)).toEqual([['3', '4', '5']]);
    await leaveSecond();
    await alone(waiting[3] ?? expect.unreachable());
    batches[0]?.end();
    expect(await Promise.all(waiting.slice(0, 3))).toEqual(['3!', '4!', '5!'].map((result) => ({ result })));
    await alone(take('7'));
  });

  test('is of one name', async () => {
    const { take } = openLanes();
    for (const name of ['a', 'a', 'b', 'b']) await alone(take(`${name}${Math.random()}`, name));
  });

  test('is left by who takes long, while there are few such', async () => {
    const { take, batches } = openLanes({ lanes: 1, longMs: 10 });
    const leaveFirst = await alone(take('1'));
    const leaveSecond = await alone(take('2'));
    const waiting = [take('3'), take('4')];
    await sleep(50);
    expect(batches).toEqual([]);
    await leaveFirst();
    await nextTurn();
    expect(batches).toEqual([]);
    await leaveSecond();
    expect(batches.map(({ items }) => items)).toEqual([['3', '4']]);
    batches[0]?.end();
    await Promise.all(waiting);
    await alone(take('1'));
  });

  test('is given back once by who was alone, whatever came of it', async () => {
    const { take, batches } = openLanes({ lanes: 1 });
    const leave = await alone(take('1'));
    const waiting = [take('2'), take('3')];
    await leave();
    expect(batches.map(({ items }) => items)).toEqual([['2', '3']]);
    const last = take('4');
    await nextTurn();
    expect(batches).toHaveLength(1);
    batches[0]?.end();
    await Promise.all(waiting);
    await alone(last);
  });
});

describe('of a batch', () => {
  test('one is refused, one has to be done alone, and the others are done', async () => {
    const { take, batches } = openLanes({ lanes: 1 });
    const leave = await alone(take('1'));
    const waiting = ['2', '3', '4'].map((item) => take(item));
    await leave();
    batches[0]?.end([{ result: 'two' }, { refused: new Error('of three') }, 'alone']);
    const [two, three, four] = await Promise.allSettled(waiting);
    expect(two).toMatchObject({ value: { result: 'two' } });
    expect(three).toMatchObject({ reason: new Error('of three') });
    expect(four).toMatchObject({ value: { leave: expect.any(Function) } });
  });

  test('that fails each is done alone, and the next ones share again', async () => {
    const { take, batches } = openLanes({ lanes: 1 });
    const leave = await alone(take('1'));
    const waiting = ['2', '3'].map((item) => take(item));
    await leave();
    batches[0]?.end(new Error('the database'));
    for (const turn of waiting) await (await alone(turn))();
    const again = await alone(take('4'));
    const more = ['5', '6'].map((item) => take(item));
    await again();
    expect(batches[1]?.items).toEqual(['5', '6']);
    batches[1]?.end();
    await Promise.all(more);
  });

  test('nothing is left: for a while nobody waits for one', async () => {
    const { take, batches } = openLanes({ lanes: 1, restMs: 50 });
    const leave = await alone(take('1'));
    const waiting = ['2', '3'].map((item) => take(item));
    await leave();
    batches[0]?.end(['alone', 'alone']);
    for (const turn of waiting) await (await alone(turn))();
    for (const item of ['4', '5', '6']) await alone(take(item));
    await expect
      .poll(async () => {
        const first = await take('7');
        const second = Promise.race([take('8').then(() => 'went'), nextTurn().then(() => 'waits')]);
        const what = await second;
        if ('leave' in first) await first.leave();
        return what;
      })
      .toBe('waits');
  });

  test('who has a key in common with one who waits or is done goes alone at once', async () => {
    const { take, batches } = openLanes({ lanes: 1, keysOf: (item) => item.split('') });
    const leave = await alone(take('ab'));
    await alone(take('bx'));
    const waiting = [take('cd'), take('ef')];
    await alone(take('fz'));
    await leave();
    expect(batches[0]?.items).toEqual(['cd', 'ef']);
    await alone(take('dq'));
    batches[0]?.end();
    await Promise.all(waiting);
    await alone(take('cd'));
  });
});

test('who waits for a lane holds no place, unless too many wait; who has one alone does', async () => {
  const { take } = openLanes({ lanes: 1, most: 2 });
  let gone = 0;
  const holder = {
    apart: <T>(work: () => Promise<T>): Promise<T> => {
      gone += 1;
      return work();
    },
    isContested: () => false,
    inTurn: <T>(_letBy: number, work: () => Promise<T>): Promise<T> => work(),
  };
  for (const item of ['1', '2', '3', '4', '5']) holding(holder, () => void take(item));
  await nextTurn();
  expect(gone).toBe(2);
});

test('a batch is no part of the request that happens to begin it', async () => {
  const request = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const { take } = openLanes({
    lanes: 1,
    work: async (items) => {
      seen.push(request.getStore());
      return items.map(() => 'alone' as const);
    },
  });
  const leave = await request.run('first', () => alone(take('1')));
  const waiting = ['2', '3'].map((item) => request.run(item, () => take(item)));
  await request.run('leaves', leave);
  await Promise.all(waiting);
  expect(seen).toEqual([undefined]);
});

test('that lingers waits for company, and one alone is a batch', async () => {
  const { take, batches } = openLanes({ lingerMs: 5 });
  const waiting = ['1', '2', '3', '4'].map((item) => take(item));
  await expect.poll(() => batches.map(({ items }) => items)).toEqual([['1', '2', '3'], ['4']]);
  for (const batch of batches) batch.end();
  await Promise.all(waiting);
});
