/** Who counts as whom: docs/specification/two-hands.md#ties. People have no operations yet, so the services are called. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope, WriteDb } from '../../../src/db/scope.ts';
import { createTwoHands, type Hands } from '../../../src/features/two-hands/two-hands-service.ts';
import type { Caller } from '../../../src/http/operation.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { testCaller } from '../../support/app/test-caller.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';

const twoHands = createTwoHands();

let app: TestApp;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
});

const write = <T>(fn: (db: WriteDb) => Promise<T>, of: Scope = scope) => app.composition.frames.write(of, fn);

function person(name: string, of: Scope = scope): Caller {
  const caller = testCaller(of);
  const actor = { kind: 'staff', id: name } as const;
  return { ...caller, root: `staff:${name}`, hasFreshFactor: true, provenance: { ...caller.provenance, actor } };
}
/** A key of a person's. */
const keyOf = (name: string): Caller => ({ ...testCaller(scope), root: `staff:${name}` });
const hands = (caller: Caller): Hands => ({
  root: caller.root,
  actor: `${caller.provenance.actor.kind}:${caller.provenance.actor.id}`,
});

async function tie(
  by: Caller,
  subject: string,
  reason: 'invited' | 'made_approver' | 'factor_given' = 'invited',
): Promise<string> {
  const made = await write((db) => twoHands.recordTie(db, by, { subject: `staff:${subject}`, reason }));
  return made?.id ?? '';
}
const confirm = (third: Caller, tieId: string) => write((db) => twoHands.confirmTie(db, third, tieId), third);

/** Whether the second may approve what the first began. */
async function mayFollow(first: Caller, second: Caller, rule: 'keys' | 'persons' = 'keys'): Promise<boolean> {
  try {
    await write((db) => twoHands.requireSecondPair(db, second, hands(first), rule), second);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'SECOND_PERSON_REQUIRED', status: 403 });
    return false;
  }
}
const refusedAs = (code: string) => ({ code });
const age = (interval: string) =>
  app.database.asSuperuser(`update approval_tie set until = until - interval '${interval}' where tenant_id = $1`, [
    scope.tenantId,
  ]);

describe('by keys', () => {
  test('keys of two roots are two, keys of one root and a key and itself are one', async () => {
    const [one, other] = [testCaller(scope), testCaller(scope)];
    expect(await mayFollow(one, other)).toBe(true);
    expect(await mayFollow(one, one)).toBe(false);
    expect(await mayFollow(one, { ...other, root: one.root })).toBe(false);
    // The first root itself, where its key came first.
    expect(await mayFollow({ ...other, root: one.root }, one)).toBe(false);
  });

  test('a person and a key of that person are one', async () => {
    expect(await mayFollow(person('x'), keyOf('x'))).toBe(false);
    expect(await mayFollow(keyOf('x'), person('x'))).toBe(false);
    expect(await mayFollow(keyOf('x'), person('y'))).toBe(true);
  });

  test('no member, job, operator or vendor is a second pair, and nobody is the second of what the system began', async () => {
    const first = testCaller(scope);
    const second = testCaller(scope);
    expect(await mayFollow(first, { ...second, member: { memberId: randomUUID(), sessionId: randomUUID() } })).toBe(false);
    for (const kind of ['member', 'operator', 'vendor', 'system'] as const) {
      const provenance = { ...second.provenance, actor: { kind, id: 'x' } };
      expect(await mayFollow(first, { ...second, root: 'system', provenance })).toBe(false);
      expect(await mayFollow({ ...first, root: kind, provenance }, second)).toBe(false);
    }
  });
});

describe('by persons', () => {
  test('the second is another person with a fresh factor, and no key', async () => {
    const [x, y] = [person('x'), person('y')];
    expect(await mayFollow(x, y, 'persons')).toBe(true);
    expect(await mayFollow(x, x, 'persons')).toBe(false);
    expect(await mayFollow(x, { ...y, hasFreshFactor: false }, 'persons')).toBe(false);
    const { hasFreshFactor: _, ...stale } = y;
    expect(await mayFollow(x, stale, 'persons')).toBe(false);
    expect(await mayFollow(x, keyOf('y'), 'persons')).toBe(false);
    expect(await mayFollow(x, { ...keyOf('y'), hasFreshFactor: true }, 'persons')).toBe(false);
    expect(await mayFollow(testCaller(scope), testCaller(scope), 'persons')).toBe(false);
    expect(await mayFollow(testCaller(scope), y, 'persons')).toBe(true);
    // The root of the drafting key.
    expect(await mayFollow(keyOf('y'), y, 'persons')).toBe(false);
  });
});

describe('a tie', () => {
  test.each(['invited', 'made_approver', 'factor_given'] as const)(
    '%s: counts as the other for seven days, both ways',
    async (reason) => {
      const [x, y] = [person('x'), person('y')];
      await tie(x, 'y', reason);
      for (const rule of ['keys', 'persons'] as const) {
        expect(await mayFollow(x, y, rule)).toBe(false);
        expect(await mayFollow(y, x, rule)).toBe(false);
        expect(await mayFollow(person('z'), y, rule)).toBe(true);
      }
      await age('6 days 23 hours 59 minutes');
      expect(await mayFollow(x, y)).toBe(false);
      await age('1 minute');
      expect(await mayFollow(x, y)).toBe(true);
    },
  );

  test('goes on through others, and holds for the keys of all of them', async () => {
    const [x, y] = [person('x'), person('y')];
    await tie(x, 'y');
    await tie(y, 'z');
    expect(await mayFollow(x, person('z'))).toBe(false);
    expect(await mayFollow(keyOf('x'), keyOf('z'))).toBe(false);
    // Two that one has invited are no two.
    await tie(x, 'w');
    expect(await mayFollow(person('w'), person('z'))).toBe(false);
    expect(await mayFollow(person('w'), person('y'))).toBe(false);
    // Whom two have made what they are counts as each, and the two do not count as one another.
    await tie(person('v'), 'y', 'made_approver');
    expect(await mayFollow(x, person('v'))).toBe(true);
    expect(await mayFollow(person('v'), y)).toBe(false);
  });

  test('ends in a circle too', async () => {
    await tie(person('x'), 'y');
    await tie(person('y'), 'x', 'factor_given');
    expect(await mayFollow(person('x'), person('y'))).toBe(false);
    expect(await mayFollow(person('x'), person('z'))).toBe(true);
  });

  test('to oneself is none; by a key of a person it is to the person', async () => {
    expect(await tie(person('x'), 'x', 'factor_given')).toBe('');
    expect(await tie(keyOf('x'), 'x', 'factor_given')).toBe('');
    await tie(keyOf('x'), 'y');
    expect(await mayFollow(person('x'), person('y'))).toBe(false);
  });

  test('is of its tenant, and of LIVE', async () => {
    const other: Scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
    const id = await tie(person('x'), 'y');
    expect(await mayFollow(person('x', other), person('y', other))).toBe(true);
    await expect(confirm(person('z', other), id)).rejects.toMatchObject(refusedAs('NOT_FOUND'));
    const sandbox: Scope = { ...scope, environment: 'SANDBOX' };
    await expect(
      write((db) => twoHands.recordTie(db, person('x', sandbox), { subject: 'staff:y', reason: 'invited' }), sandbox),
    ).rejects.toThrow('of LIVE');
  });
});

describe('a third person', () => {
  test('ends the tie, once, and is recorded', async () => {
    const id = await tie(person('x'), 'y');
    await confirm(person('z'), id);
    expect(await mayFollow(person('x'), person('y'))).toBe(true);
    await expect(confirm(person('z'), id)).rejects.toMatchObject(refusedAs('STATE_CONFLICT'));
    const entries = await app.database.asSuperuser<{ action: string; actor_id: string }>(
      "select action, actor_id, details from audit_log where tenant_id = $1 and object_kind = 'approval_tie' order by id",
      [scope.tenantId],
    );
    const details = { subject: 'staff:y', countsAs: 'staff:x', reason: 'invited' };
    expect(entries).toEqual([
      { action: 'approval_tie.recorded', actor_id: 'x', details: { ...details, until: expect.any(String) } },
      { action: 'approval_tie.confirmed', actor_id: 'z', details },
    ]);
  });

  test('is neither of the two, no key of theirs, and nobody who counts as either', async () => {
    const id = await tie(person('x'), 'y');
    await tie(person('x'), 'puppet');
    await tie(person('y'), 'friend');
    const unfit = [person('x'), person('y'), keyOf('x'), keyOf('y'), person('puppet'), person('friend')];
    for (const third of unfit) await expect(confirm(third, id)).rejects.toMatchObject(refusedAs('SECOND_PERSON_REQUIRED'));
    expect(await mayFollow(person('x'), person('y'))).toBe(false);
    await confirm(testCaller(scope), id);
    expect(await mayFollow(person('x'), person('y'))).toBe(true);
  });

  test('is a person where the setting asks for persons, with dual control off too', async () => {
    const id = await tie(person('x'), 'y');
    for (const dualControl of [true, false]) {
      await plantPaymentSettings(app, scope, { provider: 'manual', dualControl, dualControlBy: 'persons' });
      await expect(confirm(testCaller(scope), id)).rejects.toMatchObject(refusedAs('SECOND_PERSON_REQUIRED'));
    }
    await confirm(person('z'), id);
  });

  test('confirms one tie and no other of the person', async () => {
    const invited = await tie(person('x'), 'y');
    await tie(person('x'), 'y', 'factor_given');
    await confirm(person('z'), invited);
    expect(await mayFollow(person('x'), person('y'))).toBe(false);
  });

  test('comes too late for a tie that has ended', async () => {
    const id = await tie(person('x'), 'y');
    await age('8 days');
    await expect(confirm(person('z'), id)).rejects.toMatchObject(refusedAs('STATE_CONFLICT'));
  });

  test('two at once: one of them', async () => {
    const id = await tie(person('x'), 'y');
    const done = await Promise.allSettled([person('v'), person('w')].map((third) => confirm(third, id)));
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
