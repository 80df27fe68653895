/**
 * The floor of purchase, as pgbench would do it: one prepared statement an event with all its rows
 * and ids given, sent through pg on as many connections as the service has; no HTTP, no reading, no
 * conflict handling. It connects as the superuser, so row-level security costs it nothing; keys,
 * checks and the balance trigger of the tables apply as they do to the service, and each statement
 * is a durable transaction. The first message is its settings, each later one asks for a round.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { quantile, type Round } from './measure.ts';

export interface FloorPurchasesSettings {
  databaseUrl: string;
  connections: number;
  tenantId: string;
  environment: 'LIVE' | 'SANDBOX';
  planVersionId: string;
  /** What the service stores beside the rows' values, of the same size. */
  contentDigests: Record<string, string>;
  /** Uplines to pay, nearest first, drawn at random. */
  uplines: string[][];
}

const [settings] = (await once(process, 'message')) as [FloorPurchasesSettings];
const { tenantId, environment, planVersionId, uplines } = settings;
const RATES = [1000, 500, 300, 200, 100];
const BASE = 10_000;
const amounts = RATES.map((rate) => (BASE * rate) / 10_000);
const digests = JSON.stringify(settings.contentDigests);
const hash = randomBytes(32);

/** $1 tenant, $2 environment, $3 customer, $4 event, $5 journal, $6 plan version, $7 texts, $8 digests, $9 hash, then 5 members. */
const lineRows = RATES.map(
  (rate, index) =>
    `($1, $2, $4, $${index + 10}, 'commission', 'sales', ${index + 1}, ${index + 1}, ${rate}, 1000, ${BASE}, ${amounts[index]}, 'USD', 'pending', now() + interval '31 days', now(), $6, $9, ${index === 0 ? 'null::uuid' : `$${index + 9}`})`,
);
const postingRows = amounts.map(
  (amount, index) => `($1, $2, $5, ${index + 1}, 'member:pending', $${index + 10}, 'USD', ${amount})`,
);
const candidates = `jsonb_build_array(jsonb_build_object('source', 'explicit_user', 'reference', $10, 'state', 'usable',
      'memberId', $10, 'memberActive', true, 'at', null, 'named', true, 'lost', null))`;
const text = `
  with customer as (
    insert into customer (tenant_id, environment, id, external_id, email, email_norm, first_referrer_id, first_referrer_at)
    values ($1, $2, $3, $7, $7 || '@bench.example', $7 || '@bench.example', $10, now())),
  receipt as materialized (select uuidv7() as id),
  credited as (
    insert into attribution_receipt (tenant_id, environment, id, event_id, rule, winner_id, model, window_days, as_of, candidates, created_at)
    select $1, $2, receipt.id, $4, 'explicit_user', $10, 'last_click', 60, now(), ${candidates}, now() from receipt),
  event as (
    insert into event (tenant_id, environment, id, external_event_id, kind, type, occurred_at, amount_minor, currency, tax_minor,
                       shipping_minor, discount_minor, base_minor, customer_id, attributed_member_id, attribution_rule, status,
                       plan_version_id, content_digests, receipt_id)
    select $1, $2, $4, $7, 'purchase', 'one_time', now(), ${BASE}, 'USD', 0, 0, 0, ${BASE}, $3, $10, 'explicit_user', 'accepted', $6, $8::jsonb, receipt.id
    from receipt),
  line as (
    insert into commission_line (tenant_id, environment, event_id, beneficiary_id, kind, source, level, paid_level, rate_bps,
                                 multiplier_milli, base_minor, amount_minor, currency, status, clears_at, occurred_at,
                                 plan_version_id, calculation_hash, leg_id)
    values ${lineRows.join(', ')}),
  journal as (
    insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at) values ($1, $2, $5, 'event', $4, now()))
  insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
  values ($1, $2, $5, 0, 'company:commission_expense', null, 'USD', ${-amounts.reduce((a, b) => a + b, 0)}), ${postingRows.join(', ')}`;

let last = 0;
/** In order of time like the service's ids, for the same locality in the indexes. */
function uuidv7(): string {
  const hex = Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const clients = await Promise.all(
  Array.from({ length: settings.connections }, async () => {
    const client = new pg.Client({ connectionString: settings.databaseUrl });
    await client.connect();
    return client;
  }),
);

async function insertEvent(client: pg.Client): Promise<void> {
  const upline = uplines[Math.floor(Math.random() * uplines.length)] ?? [];
  const name = `floor-${process.pid}-${++last}`;
  const values = [tenantId, environment, uuidv7(), uuidv7(), uuidv7(), planVersionId, name, digests, hash, ...upline];
  await client.query({ name: 'insert_event', text, values });
}

async function run(seconds: number): Promise<Round> {
  const times: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  await Promise.all(
    clients.map(async (client) => {
      for (let sent = performance.now(); sent < end; sent = performance.now()) {
        await insertEvent(client);
        times.push(performance.now() - sent);
      }
    }),
  );
  const elapsed = (performance.now() - started) / 1000;
  const sample = Float64Array.from(times);
  return { perSecond: times.length / elapsed, p50: quantile(sample, 0.5), p99: quantile(sample, 0.99) };
}

process.on('message', (message: { seconds: number }) => {
  void run(message.seconds).then((round) => process.send?.(round));
});
process.send?.('ready');
