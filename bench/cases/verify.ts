/** GET /admin/ledger/verify of a sealed ledger, against one GROUP BY over its postings; and of what is new behind a sound block. */
import { pino } from 'pino';
import { openPool } from '../../src/db/connect.ts';
import { createFrames } from '../../src/db/frame.ts';
import { sealJournals } from '../../src/features/ledger/ledger-service.ts';
import { oneAfterAnother, type TimedCase } from '../answer-times.ts';
import { loadingSteps } from '../load.ts';
import { type Case, type Contender, quantile } from '../measure.ts';
import type { Stage, Tenant } from '../stage.ts';

/** Of one journal: the expense and five members. */
const POSTINGS_EACH = 6;
const MEMBERS = 20_000;
/** What V8 lets its young objects take before it looks at them: more would be of the postings. */
const FLAT_MB = 32;

/** Sealed before, and found sound by the daily check. */
const SOUND_JOURNALS = 1_000;

/** A ledger that one case after the other verifies. */
export interface LoadedLedger {
  tenant: Tenant;
  journals: number;
}

/** Sealed; so many postings and a few more, which the daily check has found sound already. */
export async function loadLedgerBehindSound(stage: Stage, postings: number, say: (line: string) => void): Promise<LoadedLedger> {
  const tenant = await stage.newTenant();
  const journals = Math.ceil(postings / POSTINGS_EACH);
  await addJournals(stage, tenant, SOUND_JOURNALS, say);
  await noteSound(stage, tenant);
  await addJournals(stage, tenant, journals, say);
  return { tenant, journals: SOUND_JOURNALS + journals };
}

/** As the daily check notes it behind the last block. */
async function noteSound(stage: Stage, { tenantId, environment }: Tenant): Promise<void> {
  await stage.sql(
    `insert into ledger_check (tenant_id, environment, block_seq, block_hash, checked_at, whole_at)
     select tenant_id, environment, seq, hash, now(), now() from ledger_block
     where tenant_id = $1 and environment = $2 order by seq desc limit 1`,
    [tenantId, environment],
  );
}

async function addJournals(stage: Stage, tenant: Tenant, journals: number, say: (line: string) => void): Promise<void> {
  await loadLedger(stage, tenant, journals, say);
  await sealLedger(stage, tenant, journals, say);
  await stage.sql('vacuum analyze');
}

interface Answer {
  ok?: boolean;
  fromSeq?: number | null;
  journals?: number;
  postings?: number;
  unsealed?: number;
}

async function ask(serviceUrl: string, { apiKey }: Tenant, mode: 'whole' | 'routine'): Promise<Answer> {
  const answer = await fetch(`${serviceUrl}/api/v1/admin/ledger/verify?mode=${mode}`, {
    headers: { 'x-tenant-api-key': apiKey },
  });
  const body = (await answer.json()) as Answer;
  if (body.ok !== true || body.unsealed !== 0) throw new Error(`verify: ${answer.status} ${JSON.stringify(body).slice(0, 500)}`);
  return body;
}

export function verifyCase(stage: Stage, serviceUrl: string, { tenant, journals }: LoadedLedger): Case {
  const count = journals * POSTINGS_EACH;
  return {
    name: 'verify, whole',
    unit: 'postings',
    ours: repeated(count, async () => {
      const body = await ask(serviceUrl, tenant, 'whole');
      if (body.journals !== journals || body.postings !== count) throw new Error(`verify: ${JSON.stringify(body)}`);
    }),
    floor: repeated(count, async () => {
      const rows = await stage.sql(
        `select journal_id, currency from posting where tenant_id = $1 and environment = $2
         group by journal_id, currency having sum(amount_minor) <> 0`,
        [tenant.tenantId, tenant.environment],
      );
      if (rows.length > 0) throw new Error(`verify: the floor found ${rows.length} journals that do not balance`);
    }),
    target: { ratio: 0.5 },
    plan: { seconds: 3, warmUpSeconds: 3 },
  };
}

/** What is behind the last sound block, as of one day; and how much memory the service takes for it. */
export function routineVerifyCase(
  stage: Stage,
  serviceUrl: string,
  { tenant, journals }: LoadedLedger,
): TimedCase<'the new postings'> {
  const count = (journals - SOUND_JOURNALS) * POSTINGS_EACH;
  let gainedMb = 0;
  return {
    name: 'verify, routine',
    timed: {
      'the new postings': oneAfterAnother(async () => {
        const { result: body, samples } = await stage.watchMemory(serviceUrl, 50, () => ask(serviceUrl, tenant, 'routine'));
        gainedMb = Math.max(gainedMb, Math.max(...samples.map(({ mb }) => mb)) - (samples[0]?.mb ?? Number.NaN));
        // The last sound block is computed anew too.
        if (body.fromSeq === null || (body.postings ?? 0) < count || (body.postings ?? 0) > count * 1.5)
          throw new Error(`verify: ${JSON.stringify(body)}`);
      }),
    },
    figures: [
      {
        name: `${count.toLocaleString('en')} new postings`,
        unit: 'ms',
        limit: 3_000,
        of: (round) => round['the new postings'].p50,
      },
      { name: 'memory of the service meanwhile, most above before', unit: 'MB', limit: FLAT_MB, of: () => gainedMb },
    ],
  };
}

/** A round is as many runs as begin within its time; one at least. */
function repeated(postings: number, once: () => Promise<void>): Contender {
  return {
    async run(seconds) {
      const times: number[] = [];
      const started = performance.now();
      for (let begun = started; begun === started || begun < started + seconds * 1000; begun = performance.now()) {
        await once();
        times.push(performance.now() - begun);
      }
      const elapsed = (performance.now() - started) / 1000;
      const sample = Float64Array.from(times);
      return { perSecond: (times.length * postings) / elapsed, p50: quantile(sample, 0.5), p99: quantile(sample, 0.99) };
    },
  };
}

/**
 * Purchases that pay five levels: lines, journals and postings, which are what is verified. They are
 * whole by construction, so neither keys nor triggers are checked while loading.
 */
async function loadLedger(stage: Stage, tenant: Tenant, journals: number, say: (line: string) => void): Promise<void> {
  const step = loadingSteps(stage, tenant, say);
  await stage.sql('set session_replication_role = replica');
  await stage.sql(
    `create temp table beneficiary as select i, uuidv7() as id from generate_series(0, ${MEMBERS - 1}) as i;
     create temp table bought as
       select uuidv7() as event_id, uuidv7() as journal_id, (random() * ${MEMBERS - 10})::int as first from generate_series(1, ${journals});
     create temp table paid as
       select b.event_id, b.journal_id, level, beneficiary.id as member_id, (array[1000, 500, 300, 200, 100])[level] as amount
       from bought b cross join generate_series(1, 5) as level join beneficiary on beneficiary.i = b.first + level`,
  );
  await step(
    `${journals * 5} commission lines`,
    `insert into commission_line (tenant_id, environment, event_id, beneficiary_id, kind, source, level, paid_level, rate_bps,
                                  multiplier_milli, base_minor, amount_minor, currency, status, clears_at, occurred_at, calculation_hash)
     select $scope, event_id, member_id, 'commission', 'sales', level, level, amount, 1000, 10000, amount, 'USD', 'pending',
            now() + interval '31 days', now(), sha256(uuid_send(event_id)) from paid order by event_id, level`,
  );
  await step(
    `${journals} journals`,
    `insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at)
     select $scope, journal_id, 'event', event_id, now() from bought order by journal_id`,
  );
  await step(
    `${journals * POSTINGS_EACH} postings`,
    `insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select $scope, * from (
       select journal_id, 0 as seq, 'company:commission_expense', null::uuid, 'USD', -2100 from bought
       union all
       select journal_id, level, 'member:pending', member_id, 'USD', amount from paid) p order by 3, 4`,
  );
  await step(
    'what is to be sealed',
    'insert into ledger_unsealed (tenant_id, environment, journal_id) select $scope, journal_id from bought order by journal_id',
  );
  await stage.sql('drop table beneficiary, bought, paid');
  await stage.sql('set session_replication_role = origin');
  await step('statistics', 'vacuum analyze');
}

/** By the service's own sealing, as its worker does it. */
async function sealLedger(
  stage: Stage,
  { tenantId, environment }: Tenant,
  journals: number,
  say: (line: string) => void,
): Promise<void> {
  const scope = { tenantId, environment };
  const pool = openPool({
    url: stage.urls.appUrl,
    size: 1,
    acquireTimeoutMs: 10_000,
    applicationName: 'bench-seal',
    logger: pino({ level: 'silent' }),
  });
  const frames = createFrames(pool);
  const started = performance.now();
  let blocks = 0;
  while ((await frames.write(scope, (db) => sealJournals(db, scope))) > 0) {
    blocks += 1;
    if (blocks % 50 === 0) say(`sealed ${blocks} blocks`);
  }
  await pool.end();
  say(`sealed ${journals} journals in ${blocks} blocks, in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
