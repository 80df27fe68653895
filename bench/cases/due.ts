/** What every worker asks each second: which scopes have something due, among many tenants that have nothing. */
import type pg from 'pg';
import { dueScopes, ping } from '../../src/db/cross-tenant-lookups.ts';
import { oneAfterAnother, type Timed, type TimedCase, type TimedPlan } from '../answer-times.ts';
import { told } from '../load.ts';
import type { Stage } from '../stage.ts';

const DATABASE = 'svc_bench_due';
const LINES_A_TENANT = 50;

/** One row of the queue that is due, for each tenant of `chosen`. */
const QUEUES: Record<string, string> = {
  idempotency_key: `(tenant_id, environment, operation, key, fingerprint, expires_at)
    select id, 'LIVE', 'op', 'key', '', now() - interval '1 day' from chosen`,
  ledger_unsealed: `(tenant_id, environment, journal_id) select id, 'LIVE', uuidv7() from chosen`,
  downline_pending: `(tenant_id, environment, member_id, ancestor_ids, joined_at, delta) select id, 'LIVE', uuidv7(), '{}', now(), 1 from chosen`,
  commission_pending: `(tenant_id, environment, member_id, currency, occurred_at, source, status, level, amount_minor, lines)
    select id, 'LIVE', uuidv7(), 'USD', now(), 'sales', 'pending', 1, 100, 1 from chosen`,
  kyc_record: `(tenant_id, environment, member_id, provider, status_since, check_at, created_at, updated_at)
    select id, 'LIVE', uuidv7(), 'kycvendor', now(), now() - interval '1 day', now(), now() from chosen`,
  object_removal: `(tenant_id, environment, storage_key, remove_after) select id, 'LIVE', 'key', now() - interval '1 day' from chosen`,
  lead: `(tenant_id, environment, email, expires_at) select id, 'LIVE', 'lead@bench.example', now() - interval '1 day' from chosen`,
};

const lines = (from: string, clearsAt: string): string => `
  insert into commission_line (tenant_id, environment, event_id, beneficiary_id, kind, source, level, paid_level, rate_bps, multiplier_milli,
    base_minor, amount_minor, currency, status, clears_at, occurred_at, calculation_hash)
  select id, 'LIVE', uuidv7(), uuidv7(), 'commission', 'sales', 1, 1, 1000, 1000, 10000, 1000, 'USD', 'pending', ${clearsAt},
    now() - interval '2 days', sha256('x') from ${from}`;

/** Before each run the queues are emptied and filled: that takes longer than to ask for a median. */
const PLAN: TimedPlan = { rounds: 5, seconds: 1, warmUpSeconds: 0 };

type State = 'nothing due' | 'one tenant' | '1,000 tenants' | 'all tenants';

export async function dueCase(
  stage: Stage,
  { tenants, quick, say }: { tenants: number; quick: boolean; say: (line: string) => void },
): Promise<TimedCase<State | 'select 1'>> {
  const own = await stage.openDatabase(DATABASE);
  const superuser = await own.connect();
  await superuser.query('set session_replication_role = replica');
  await told(say, `loaded ${tenants} tenants with ${LINES_A_TENANT} commissions each`, () => loadIdle(superuser, tenants));
  const worker = await own.connect(own.urls.workerUrl);
  const { name, text, values } = dueScopes({ keptDays: {} });

  /** Tenants that have something due now. */
  let isDue: number | undefined;

  async function ask(expected: number): Promise<void> {
    const { rows } = await worker.query({ name: name ?? '', text, values: [...(values ?? [])] });
    if (rows.length !== expected) throw new Error(`due: ${rows.length} scopes instead of ${expected}`);
  }

  const asked = (due: number): Timed => ({
    async run(seconds) {
      if (isDue !== due) await makeDue(superuser, due);
      isDue = due;
      const expected = due * (Object.keys(QUEUES).length + 1);
      // What was deleted is still in the indexes; the first that comes by marks it.
      await ask(expected);
      return oneAfterAnother(() => ask(expected)).run(seconds);
    },
  });

  return {
    name: 'due',
    plan: quick ? { ...PLAN, rounds: 1 } : PLAN,
    timed: {
      'nothing due': asked(0),
      'one tenant': asked(1),
      '1,000 tenants': asked(Math.min(1_000, tenants)),
      'all tenants': asked(tenants),
      'select 1': oneAfterAnother(async () => void (await worker.query({ ...ping(), values: [] }))),
    },
    figures: [
      { name: 'nothing due', unit: 'ms', limit: 2, of: (round) => round['nothing due'].p50 },
      { name: 'one tenant, in each of eight queues', unit: 'ms', limit: 2, of: (round) => round['one tenant'].p50 },
      { name: '1,000 tenants in eight queues', unit: 'ms', of: (round) => round['1,000 tenants'].p50 },
      { name: `${tenants.toLocaleString('en')} tenants in eight queues`, unit: 'ms', of: (round) => round['all tenants'].p50 },
      {
        name: 'a tenant of all that have something due to one of 1,000',
        unit: '×',
        limit: 1.5,
        of: (round) => round['all tenants'].p50 / tenants / (round['1,000 tenants'].p50 / Math.min(1_000, tenants)),
      },
    ],
  };
}

async function loadIdle(superuser: pg.Client, tenants: number): Promise<void> {
  await superuser.query(`
    insert into tenant (name, slug, default_currency, reporting_time_zone)
    select 'Bench ' || n, 'bench-' || n, 'USD', 'UTC' from generate_series(1, ${tenants}) n`);
  await superuser.query(`
    insert into rollup_state (tenant_id, environment, rollup, time_zone)
    select t.id, e, r, t.reporting_time_zone from tenant t, unnest(array['LIVE', 'SANDBOX']) e, unnest(array['downline', 'commissions']) r`);
  await superuser.query(
    lines(`tenant, generate_series(1, ${LINES_A_TENANT}) n`, "now() + interval '1 day' + n * interval '7 hours'"),
  );
  await superuser.query('vacuum analyze');
}

/** Takes away what was due before, and makes due what the first tenants have. */
async function makeDue(superuser: pg.Client, tenants: number): Promise<void> {
  const chosen = `(select id from tenant order by id limit ${tenants}) chosen`;
  await superuser.query(`truncate ${Object.keys(QUEUES).join(', ')} cascade`);
  await superuser.query('delete from commission_line where clears_at < now()');
  for (const [table, rows] of Object.entries(QUEUES)) {
    await superuser.query(`insert into ${table} ${rows.replace('from chosen', `from ${chosen}`)}`);
  }
  await superuser.query(lines(chosen, "now() - interval '1 day'"));
  await superuser.query(`vacuum ${Object.keys(QUEUES).join(', ')}, commission_line`);
}
