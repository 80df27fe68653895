/** What holds up some tenants' endpoints holds up no other tenant's (docs/specification/webhooks.md#turns). */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Scope } from '../../../src/db/scope.ts';
import type { Statement } from '../../../src/db/statement.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { type FakeReceiver, startFakeReceiver } from '../../support/webhooks/fake-receiver.ts';
import { forgetTold, listAttempts, plantEndpoint, plantEvents, silenceEndpoints } from '../../support/webhooks/plant-webhooks.ts';
import { createSendWorker, createTestSendLoop, whileSending } from '../../support/webhooks/send-worker.ts';
import { sealAll } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let scope: Scope;
let receiver: FakeReceiver;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  receiver = await startFakeReceiver();
  scope = await newScope();
});
afterEach(async () => {
  receiver.close();
  await silenceEndpoints(app);
});

async function newScope(): Promise<Scope> {
  const { tenantId } = await app.newTenant();
  await forgetTold(app, { tenantId });
  return { tenantId, environment: 'LIVE' };
}
const at = (path: string): string => receiver.url.replace('/hooks', path);

/** An answer that does not come until it is let go. */
function openHold(): { after: Promise<void>; letGo: () => void } {
  let letGo = (): void => undefined;
  const after = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { after, letGo };
}

test('endpoints that have failed before never take all places, however many there are', async () => {
  const PLACES = 64;
  const deadOnes = [await newScope(), await newScope()];
  for (const dead of deadOnes) {
    await Promise.all(Array.from({ length: PLACES / 2 }, () => plantEndpoint(app, dead, { url: at('/dead') })));
    await app.database.asSuperuser("update webhook_endpoint set failing_since = now() - interval '1 day' where tenant_id = $1", [
      dead.tenantId,
    ]);
    await plantEvents(app, dead, 1);
    await sealAll(app, dead);
  }
  for (let n = 0; n < 5; n++) await plantEndpoint(app, scope, { url: at('/well') });
  await plantEvents(app, scope, 1);
  await sealAll(app, scope);
  // As if the dead ones had waited for longer.
  await app.database.asSuperuser("update webhook_endpoint set next_at = next_at - interval '1 hour' where tenant_id = any ($1)", [
    deadOnes.map(({ tenantId }) => tenantId),
  ]);
  const { after, letGo } = openHold();
  receiver.reply = ({ path }) => ({ status: path === '/dead' ? 503 : 200, after });
  await whileSending(createSendWorker(app, [receiver]), async () => {
    try {
      await eventually(async () => receiver.idsOf('/well').length === 5);
      // Nobody is answered yet: each of the well ones has a place of its own beside those of the dead ones.
      expect(receiver.mostAtOnce()).toBeGreaterThan(5);
      expect(receiver.mostAtOnce()).toBeLessThanOrEqual(PLACES / 2 + 5);
    } finally {
      await silenceEndpoints(app);
      letGo();
    }
  });
});

test('a scope whose events wait for numbers is named in turn, however many come ahead of it', async () => {
  for (const one of [scope, { ...scope, environment: 'SANDBOX' as const }, await newScope(), await newScope()]) {
    await plantEvents(app, one, 2);
  }
  interface Named {
    tenant_id: string;
    environment: string;
  }
  const all = await app.database.asSuperuser<Named>(
    'select distinct tenant_id, environment from outgoing_unsealed order by tenant_id, environment',
  );
  const walked: Named[] = [];
  for (let turn = 0; turn <= all.length; turn++) {
    const last = walked.at(-1);
    const named = await app.database.asSuperuser<Named>(
      'select tenant_id, environment from webhooks_due(1, $1, $2) where endpoint_id is null',
      [last?.tenant_id, last?.environment],
    );
    walked.push(...named);
  }
  expect(walked).toEqual([...all, ...all.slice(0, 1)]);
  const last = all.at(-1);
  const whole = await app.database.asSuperuser('select from webhooks_due(100, $1, $2) where endpoint_id is null', [
    last?.tenant_id,
    last?.environment,
  ]);
  expect(whole).toHaveLength(all.length);
});

test('the loop begins each look for such scopes behind the last one that was named', async () => {
  const { frames } = app.composition.background;
  const asked: (readonly unknown[])[] = [];
  const named: string[][] = [];
  const loop = createTestSendLoop(app, [receiver]).open(
    {
      ...frames,
      async unscoped<Row>(statement: Statement<Row>) {
        asked.push(statement.values.slice(0, 2));
        const rows = await frames.unscoped(statement);
        const scopes = z.array(z.object({ tenant_id: z.string(), environment: z.string(), endpoint_id: z.null() })).parse(rows);
        named.push(...scopes.slice(-1).map(({ tenant_id: tenantId, environment }) => [tenantId, environment]));
        return rows;
      },
    },
    () => undefined,
  );
  for (let step = 0; step < 2; step++) {
    await plantEvents(app, scope, 1);
    await loop.step(() => false);
  }
  await loop.idle();
  expect(named).toHaveLength(2);
  expect(asked).toEqual([[null, null], named[0]]);
});

/** Somebody's transaction, which holds a row of each scope until `work` is done. */
async function whileLocked(scopes: readonly Scope[], row: string, work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: app.database.workerUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    for (const { tenantId, environment } of scopes) {
      await holder.query("select set_config('app.tenant_id', $1, true), set_config('app.environment', $2, true)", [
        tenantId,
        environment,
      ]);
      await holder.query(row, [tenantId, environment]);
    }
    await work();
    await holder.query('commit');
  } finally {
    await holder.end();
  }
}

const countDelivered = async (of: Scope): Promise<number> =>
  (await listAttempts(app, of)).filter(({ status }) => status === 200).length;

/** Delivers some of the healthy tenant's events, one behind the other; returns for how long anybody was seen to wait for a lock. */
async function deliverMeanwhile(): Promise<number> {
  const waits: number[] = [];
  const look = async (): Promise<void> => {
    const rows = await app.database.asSuperuser<{ ms: number }>(
      `select extract(epoch from clock_timestamp() - l.waitstart)::float8 * 1000 as ms
       from pg_locks l join pg_stat_activity a using (pid)
       where not l.granted and l.waitstart is not null and a.datname = current_database()`,
    );
    waits.push(...rows.map(({ ms }) => ms));
  };
  for (let count = 1; count <= 3; count++) {
    await plantEvents(app, scope, 1);
    await eventually(async () => {
      await look();
      return (await countDelivered(scope)) === count;
    });
  }
  await eventually(async () => {
    await look();
    return waits.length > 0;
  });
  return Math.max(...waits);
}
const errors = (): string[] => app.logLines.filter((line) => line.includes('"level":"error"'));

/** As many as run frames at once. */
const TWO = 2;

test.each<[what: string, row: string]>([
  ['head of the numbers', 'insert into outgoing_head (tenant_id, environment) values ($1, $2)'],
  ['endpoint', 'select from webhook_endpoint where tenant_id = $1 and environment = $2 for no key update'],
])('a locked %s lets its tenant wait, and nobody else; it is no fault', async (_what, row) => {
  const locked: Scope[] = [];
  for (let n = 0; n < TWO; n++) locked.push(await newScope());
  for (const one of locked) {
    await plantEndpoint(app, one, { url: at('/locked') });
    await plantEvents(app, one, 1);
  }
  await plantEndpoint(app, scope, { url: receiver.url });
  receiver.reply = () => ({ status: 200 });
  const before = errors().length;
  // The lock is there before the worker is, which else might be quicker.
  const worker = createSendWorker(app, [receiver]);
  try {
    await whileLocked(locked, row, async () => {
      await worker.start();
      expect(await deliverMeanwhile()).toBeLessThan(1_000);
      expect(receiver.idsOf('/locked')).toEqual([]);
    });
    for (const one of locked) await eventually(async () => (await countDelivered(one)) === 1);
  } finally {
    await worker.stop(20_000);
    await worker.close();
  }
  expect(errors().slice(before)).toEqual([]);
  expect(receiver.idsOf('/locked')).toHaveLength(TWO);
});

test('what was sent is stored once the endpoint is free, and not sent again', async () => {
  const locked: Scope[] = [];
  for (let n = 0; n < TWO; n++) locked.push(await newScope());
  for (const one of locked) {
    await plantEndpoint(app, one, { url: at('/locked') });
    await plantEvents(app, one, 1);
  }
  await plantEndpoint(app, scope, { url: receiver.url });
  const { after, letGo } = openHold();
  receiver.reply = ({ path }) => (path === '/locked' ? { status: 200, after } : { status: 200 });
  const before = errors().length;
  await whileSending(createSendWorker(app, [receiver]), async () => {
    await eventually(async () => receiver.idsOf('/locked').length === TWO);
    const row = 'select from webhook_endpoint where tenant_id = $1 and environment = $2 for no key update';
    await whileLocked(locked, row, async () => {
      letGo();
      expect(await deliverMeanwhile()).toBeLessThan(1_000);
      for (const one of locked) expect(await countDelivered(one)).toBe(0);
    });
    for (const one of locked) await eventually(async () => (await countDelivered(one)) === 1);
  });
  expect(errors().slice(before)).toEqual([]);
  expect(receiver.idsOf('/locked')).toHaveLength(TWO);
});
