/**
 * Random lives of a tree against a plain model. Members join, move, also in the past, and are switched off and
 * on, while their counts are folded, wholly and in part, and built anew in one time zone or another. Every
 * read is the model's, whatever is pending; THOROUGH=1 runs many more.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { readList, readRelationship, readTree, SORTS } from '../../support/tree/tree-calls.ts';
import { TreeWorld } from './tree-world.ts';

const THOROUGH = process.env['THOROUGH'] !== undefined;
vi.setConfig({ testTimeout: THOROUGH ? 3_600_000 : 300_000 });

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const ZONES = ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Pacific/Pago_Pago', 'Asia/Kolkata'];
const pick = fc.nat(99);
/** Few instants, so that changes meet at the same one; null: now. */
const when = fc.option(
  fc.integer({ min: 1, max: 6 }).map((day) => Date.UTC(2026, 2, day)),
  { freq: 1 },
);
const limits = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });

const create = fc.record({ do: fc.constant('create' as const), under: fc.option(pick, { freq: 9 }), active: fc.boolean() });
const move = fc.record({ do: fc.constant('move' as const), member: pick, under: fc.option(pick, { freq: 8 }), when });
const activity = fc.record({ do: fc.constant('activity' as const), member: pick, active: fc.boolean(), when });
const fold = fc.record({ do: fc.constant('fold' as const), rows: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 2 }) });
const rebuild = fc.record({ do: fc.constant('rebuild' as const), by: fc.constantFrom('api' as const, 'worker' as const) });
const zone = fc.record({ do: fc.constant('zone' as const), zone: fc.constantFrom(...ZONES) });
const clock = fc.record({ do: fc.constant('clock' as const), hours: fc.integer({ min: -14, max: 14 }) });
const check = fc.record({
  do: fc.constant('check' as const),
  member: pick,
  others: fc.array(pick, { minLength: 3, maxLength: 3 }),
  depth: fc.integer({ min: 1, max: 10 }),
  limits,
});

const lives = fc.record({
  zone: fc.constantFrom(...ZONES),
  steps: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: create },
      { weight: 6, arbitrary: move },
      { weight: 4, arbitrary: activity },
      { weight: 3, arbitrary: fold },
      { weight: 1, arbitrary: rebuild },
      { weight: 1, arbitrary: zone },
      { weight: 2, arbitrary: clock },
      { weight: 4, arbitrary: check },
    ),
    { minLength: 10, maxLength: THOROUGH ? 90 : 45, size: 'max' },
  ),
  /** In the end. */
  asked: fc.array(check, { minLength: 2, maxLength: 2 }),
});

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Step = Drawn<typeof lives>['steps'][number];

async function take(world: TreeWorld, step: Step): Promise<void> {
  if (world.members.length === 0 && 'member' in step) return;
  switch (step.do) {
    case 'create':
      return world.create(step.under === null || world.members.length === 0 ? null : world.pick(step.under), step.active);
    case 'move':
      return world.move(world.pick(step.member), step.under === null ? null : world.pick(step.under), step.when);
    case 'activity':
      return world.setActive(world.pick(step.member), step.active, step.when);
    case 'fold':
      return world.fold(step.rows);
    case 'rebuild':
      return world.rebuild(step.by);
    case 'zone':
      return world.reportIn(step.zone);
    case 'clock':
      return world.skipMonths(step.hours);
    default:
      return compare(world, step);
  }
}

async function compare(world: TreeWorld, asked: Drawn<typeof check>): Promise<void> {
  const { client, model } = world;
  const member = world.pick(asked.member);
  const id = world.idOf(member);
  const limitOf = (page: number) => asked.limits[page % asked.limits.length] ?? 1;
  await Promise.all(
    [false, true].flatMap((includeInactive) => [
      ...[...new Set([asked.depth, 10])].map(async (depth) => {
        const found = await readTree(client, id, `depth=${depth}&includeInactive=${includeInactive}`);
        expect(found).toEqual(model.genealogy(member, depth, includeInactive));
      }),
      ...SORTS.map(async (sort) => {
        const found = await readList(client, id, 'downline', `sort=${sort}&includeInactive=${includeInactive}`, limitOf);
        expect(found.members, `${sort} ${includeInactive}`).toEqual(model.downline(member, sort, includeInactive));
        expect(found.pages.at(-1)?.truncated).toBe(false);
      }),
    ]),
  );
  const { members: upline } = await readList(client, id, 'upline', '', limitOf);
  expect(upline).toEqual(model.upline(member));
  for (const other of [member, ...asked.others.map((drawn) => world.pick(drawn))]) {
    const there = await readRelationship(client, id, world.idOf(other));
    expect(there).toEqual(model.relationship(member, other));
    expectConverse(there, await readRelationship(client, world.idOf(other), id));
  }
  expect(await world.miscounts()).toEqual([]);
}

const CONVERSE: Record<string, string> = { upline: 'downline', downline: 'upline' };

/** Without the model: what holds of any two answers about a pair. */
function expectConverse(
  there: Awaited<ReturnType<typeof readRelationship>>,
  back: Awaited<ReturnType<typeof readRelationship>>,
): void {
  expect(back.relationship).toBe(CONVERSE[there.relationship] ?? there.relationship);
  expect([back.connected, back.distance]).toEqual([there.connected, there.distance]);
  const ids = (path: typeof there.path) => path.map(({ userId }) => userId);
  expect(ids(back.path)).toEqual(ids(there.path).toReversed());
  expect(there.path.map(({ depth }) => depth)).toEqual([...there.path.keys()]);
}

test('random members, moves, activity, folds, rebuilds and zones', async () => {
  await fc.assert(
    fc.asyncProperty(lives, async ({ zone: first, steps, asked }) => {
      const { tenantId, sandboxKey } = await app.newTenant({ timeZone: first });
      const world = new TreeWorld(app, tenantId, sandboxKey);
      await world.create(null, true);
      for (const step of [...steps, ...asked]) await take(world, step);
    }),
    { numRuns: THOROUGH ? 400 : 5, interruptAfterTimeLimit: THOROUGH ? 3_000_000 : 60_000 },
  );
  await expectCleanBooks(app);
});
