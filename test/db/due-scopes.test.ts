/** due_scopes() as it is made of the features' parts, against the last text that a migration gave it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeDueScopes } from '../../src/db/composed-functions.ts';
import { house } from '../../src/features.ts';
import { oldFunction } from '../support/database/migrated-functions.ts';
import { createRowPlanter, type RowPlanter } from '../support/database/planted-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';

const functionParts = house.features;

/** What makes a row of each queue due or not; `age()` is one of many spans about now. */
const QUEUES: Record<string, { table: string; values: Record<string, string> }[]> = {
  'expire-idempotency-keys': [{ table: 'idempotency_key', values: { expires_at: 'now() - age()' } }],
  'fold-downline': [{ table: 'downline_pending', values: { id: 'uuidv7()' } }],
  'expire-leads': [
    {
      table: 'lead',
      values: { expires_at: 'now() - age()', conversion_status: "one_of('captured', 'qualified', 'converted', 'expired')" },
    },
    { table: 'lead', values: { expires_at: 'null' } },
  ],
  'seal-ledger': [{ table: 'ledger_unsealed', values: { journal_id: 'uuidv7()' } }],
  'clear-commissions': [
    { table: 'commission_line', values: { clears_at: 'now() - age()', status: "one_of('pending', 'held', 'cleared', 'paid')" } },
  ],
  'write-off-debts': [
    {
      table: 'commission_line',
      values: { clears_at: 'now()', write_off_at: 'now() - age()', status: "one_of('cleared', 'paid', 'reversed')" },
    },
  ],
  'fold-commissions': [{ table: 'commission_pending', values: { id: 'uuidv7()' } }],
  'check-kyc': [
    { table: 'kyc_record', values: { check_at: 'now() - age()' } },
    { table: 'kyc_record', values: { check_at: 'null' } },
  ],
  'remove-objects': [{ table: 'object_removal', values: { remove_after: 'now() - age()' } }],
  'forget-kyc-events': [
    {
      table: 'kyc_event',
      values: {
        received_at: 'now() - age()',
        vendor_created_at: 'case when random() < 0.8 then now() - age() end',
        outcome: "one_of('applied', 'older', 'unmatched')",
      },
    },
    {
      table: 'kyc_event',
      values: { received_at: "now() - interval '450 days'", vendor_created_at: 'now() - age()', outcome: "'applied'" },
    },
  ],
  'execute-payouts': [{ table: 'payout', values: { execute_at: 'now() - age()' } }],
  'check-payouts': [{ table: 'payout', values: { check_at: 'now() - age()' } }],
  'provision-accounts': [{ table: 'payout_account', values: { check_at: 'now() - age()' } }],
  'retry-payment-events': [{ table: 'payment_event', values: { retry_at: 'now() - age()', outcome: "'parked'" } }],
  'forget-payment-events': [
    { table: 'payment_event', values: { received_at: 'now() - age()', outcome: "one_of('applied', 'parked')" } },
  ],
  'forget-clicks': [{ table: 'referral_click', values: { id: 'uuidv7(-age())' } }],
  'tidy-imports': [{ table: 'import_run', values: { tidy_at: 'now() - age()' } }],
};

/** A tenth of the scopes, each with two rows. */
const SOME_SCOPES = `
  select t.id as tenant_id, e.environment, concat_ws(' ', t.id, e.environment, row_nr, seed()) as nr
  from tenant t cross join (values ('LIVE'), ('SANDBOX')) e(environment) cross join (values ('1'), ('2')) r(row_nr)
  where get_byte(sha256(convert_to(t.id || e.environment || seed(), 'utf8')), 0) < 26`;

let database: TestDatabase;
let planter: RowPlanter;

beforeAll(async () => {
  database = await createTestDatabase();
  planter = await createRowPlanter(database);
  await database.asSuperuser(await oldFunction('20261127100000_forget_vendor_events', 'due_scopes', 'svc_auth'));
  await database.asSuperuser(`
    create function age() returns interval volatile language sql as $$
      select (array['500 days', '401 days', '400 days 1 second', '399 days 23:59:00', '200 days', '50 days', '9 days', '1 second',
        '0', '-10 minutes', '-9 days', '-50 days', '-200 days', '-600 days'])[1 + floor(random() * 14)]::interval $$;
    create function one_of(variadic texts text[]) returns text volatile language sql as $$
      select texts[1 + floor(random() * cardinality(texts))] $$;
    create sequence seeds;
    create function seed() returns bigint stable language sql as $$ select last_value from seeds $$;
    insert into tenant (id, name, default_currency, reporting_time_zone) select md5('T' || n)::uuid, 'T' || n, 'USD', 'UTC' from generate_series(1, 250) n`);
});
afterAll(() => database.drop());

async function answers(name = 'due_scopes'): Promise<{ old: string[]; composed: string[] }> {
  const read = (from: string): string => `(select coalesce(array_agg(distinct concat_ws(' ', sweep, tenant_id, environment)
     order by concat_ws(' ', sweep, tenant_id, environment)), '{}') from ${from}())`;
  // In one statement, and so at one instant.
  const [row] = await database.asSuperuser<{ old: string[]; composed: string[] }>(
    `select ${read('old_due_scopes')} as old, ${read(name)} as composed`,
  );
  return row ?? { old: [], composed: ['no answer'] };
}

const sweepsOf = (due: string[]): string[] => [...new Set(due.map((line) => line.split(' ')[0] ?? ''))].toSorted();

test('says that nothing is due where nothing is', async () => {
  expect(await answers()).toEqual({ old: [], composed: [] });
});

test('names the same scopes, whatever their rows and clocks', async () => {
  await database.asSuperuser(`
    select setseed(0.5);
    insert into sandbox_clock (tenant_id, environment, frozen_at, ahead)
    select id, 'SANDBOX', case when n % 4 > 1 then now() + ((n - 125) || ' days')::interval end,
           case when n % 4 = 1 then (n || ' days')::interval end
    from (select id, row_number() over (order by id) as n from tenant) t where n % 4 > 0;
    insert into rollup_state (tenant_id, environment, rollup, time_zone)
    select t.id, e, r, one_of('UTC', 'UTC', 'Europe/Berlin') from tenant t, unnest(array['LIVE', 'SANDBOX']) e, unnest(array['downline', 'commissions']) r
    where random() < 0.7`);
  // As is, a rollup of another zone is one of a tenant that has changed its zone.
  await database.asSuperuser(`update tenant set reporting_time_zone = 'Asia/Tokyo';
    select setseed(0.25);
    update tenant set reporting_time_zone = one_of('UTC', 'Europe/Berlin')`);
  await plantAll();
  const { old, composed } = await answers();
  expect(composed).toEqual(old);
  expect(sweepsOf(composed)).toEqual(Object.keys(QUEUES).toSorted());
  for (const sweep of Object.keys(QUEUES)) {
    const scopes = composed.filter((line) => line.startsWith(`${sweep} `)).length;
    expect(scopes, sweep).toBeGreaterThan(3);
    expect(scopes, sweep).toBeLessThan(400);
  }
});

async function plantAll(): Promise<void> {
  for (const rows of Object.values(QUEUES)) {
    for (const { table, values } of rows) await plantAnew(table, SOME_SCOPES, values);
  }
}

/** Other scopes and other ids than before. */
async function plantAnew(table: string, from: string, values: Record<string, string>): Promise<void> {
  await database.asSuperuser("select nextval('seeds')");
  await planter.plant(table, from, values);
}

test('names the same scopes when more rows are due than it reads', async () => {
  const few = composeDueScopes(functionParts).replace('function due_scopes', 'function few_due_scopes').replaceAll('20000', '3');
  await database.asSuperuser(`${few}; alter function few_due_scopes() owner to svc_auth`);
  const { old, composed } = await answers('few_due_scopes');
  expect(composed).toEqual(old);
  expect(sweepsOf(composed)).toEqual(Object.keys(QUEUES).toSorted());
  // The other way was taken: of three rows alone come no more than three scopes.
  expect(composed.filter((line) => line.startsWith('expire-idempotency-keys')).length).toBeGreaterThan(3);
});
