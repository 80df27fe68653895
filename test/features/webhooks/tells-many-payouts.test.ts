/** The job that tells of the payouts of a run: docs/specification/webhooks.md#types. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { act, type DraftBody, draft, payable } from '../../support/payments/payout-world.ts';
import { type ToldRow, tellPayouts, toldEvents } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let scope: Scope;
let client: ApiClient;
let run: DraftBody;

beforeAll(async () => {
  app = await startTestApp();
});
/** A run of 205 payouts that was drafted. */
beforeEach(async () => {
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
  client = apiClient(app, tenant.sandboxKey);
  await payable(app, scope, client, 10_000);
  run = await draft(client);
  await app.database.asSuperuser(
    `with others as (
       insert into member (tenant_id, environment, email, email_norm, membership_tier, is_active, can_recruit, is_test_user, pay_currency)
       select tenant_id, environment, n || email, n || email_norm, membership_tier, is_active, can_recruit, is_test_user, pay_currency
       from member cross join generate_series(1, 204) n where tenant_id = $2
       returning id)
     insert into payout (tenant_id, environment, payout_run_id, member_id, payout_account_id, provider_type, currency, amount_minor,
                         line_count, status, attempt, created_at, updated_at)
     select p.tenant_id, p.environment, p.payout_run_id, o.id, p.payout_account_id, p.provider_type, p.currency, p.amount_minor,
            p.line_count, p.status, p.attempt, now(), now()
     from payout p cross join others o where p.payout_run_id = $1`,
    [run.id, scope.tenantId],
  );
});
afterAll(() => app.close());

const ofMany = async (type = 'payouts.drafted'): Promise<ToldRow[]> =>
  (await toldEvents(app, scope)).filter((event) => event.type === type);
const shown = (events: readonly ToldRow[]): { id: string; reference: string | null }[] =>
  events.flatMap(({ data }) => data['payouts']);
const waiting = () =>
  app.database.asSuperuser<{ id: string }>(
    "select id from pgboss.job where name = 'tell-payouts' and state < 'active' and data->>'tenantId' = $1",
    [scope.tenantId],
  );

test('tells of all, 100 in an event, as the API shows them and by whoever did it', async () => {
  expect(await ofMany()).toEqual([]);
  await tellPayouts(app);
  const events = await ofMany();
  expect(events.map(({ data }) => data['payouts'].length)).toEqual([100, 100, 5]);
  expect(events.every(({ objectId, actor }) => objectId === run.id && /^api_key:[0-9a-f-]{36}$/.test(actor))).toBe(true);
  const page = (await client.get(`/api/v1/payouts?runId=${run.id}&limit=100`)).body.data;
  expect(events[0]?.data).toEqual({ runId: run.id, payouts: page });
  expect(new Set(shown(events).map(({ id }) => id)).size).toBe(205);
});

test('passes over what somebody holds, and tells of it behind that', async () => {
  const [held] = (await client.get(`/api/v1/payouts?runId=${run.id}&limit=100`)).body.data as { id: string }[];
  const { frames } = app.composition.background;
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = (): void => undefined;
  const whenHeld = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const text = "update payout set reference = 'meanwhile' where id = $1";
  const holding = frames.write(scope, async (db) => {
    await db.rows({ text, values: [held?.id] });
    isHeld();
    await isReleased;
  });
  await whenHeld;
  const telling = tellPayouts(app);
  let before: ToldRow[] = [];
  await eventually(async () => {
    before = await ofMany();
    return before.length === 1;
  });
  // At once: the job waits two seconds for it at most.
  release();
  await Promise.all([holding, telling]);
  expect(shown(before).map(({ id }) => id)).not.toContain(held?.id);
  const events = await ofMany();
  expect(events.map(({ data }) => data['payouts'].length)).toEqual([99, 1, 100, 5]);
  expect(shown(events.slice(1, 2))).toMatchObject([{ id: held?.id, reference: 'meanwhile' }]);
});

test('tells of cancelled ones alone where that is what happened', async () => {
  await app.database.asSuperuser(
    "update payout set status = 'cancelled' where id in (select id from payout where payout_run_id = $1 order by id desc limit 3)",
    [run.id],
  );
  await tellPayouts(app);
  await act(client, run.id, 'cancel');
  await app.database.asSuperuser("update payout set status = 'failed' where id = $1", [run.payouts[0]?.id]);
  await tellPayouts(app);
  expect(new Set(shown(await ofMany('payouts.cancelled')).map(({ id }) => id)).has(run.payouts[0]?.id ?? '')).toBe(false);
  expect(shown(await ofMany('payouts.cancelled'))).toHaveLength(204);
});

test('tells nothing of a run that is gone', async () => {
  expect(await waiting()).toHaveLength(1);
  expect((await client.post('/api/v1/sandbox/reset', {})).status).toBe(200);
  await tellPayouts(app);
  expect(await waiting()).toEqual([]);
  expect(await ofMany()).toEqual([]);
});

test('is not asked where nobody hears', async () => {
  await tellPayouts(app);
  await app.database.asSuperuser("update webhook_hearing set patterns = '{payout_run.*}' where tenant_id = $1", [scope.tenantId]);
  await app.database.asSuperuser(
    "insert into webhook_hearing (tenant_id, environment, patterns) values ($1, 'SANDBOX', '{payout_run.*}') on conflict do nothing",
    [scope.tenantId],
  );
  expect((await act(client, run.id, 'cancel')).status).toBe(200);
  expect(await ofMany('payout_run.cancelled')).toHaveLength(1);
  expect(await waiting()).toEqual([]);
});
