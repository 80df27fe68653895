/**
 * The answer of an operation whose commit travels with its last statement is made behind it: where none could be made the
 * write would stand all the same. So there is one for every row that the columns allow. Each object is made by its
 * operation and changed by the superuser to the ends of what its columns take; then the same presenter is asked for it
 * again. Source: docs/specification/conventions.md#shaped-answers.
 */
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTOR_KINDS } from '../../src/actor.ts';
import type { TenantTables } from '../../src/db/tables.ts';
import { PURCHASE_RULES } from '../../src/features/attribution/open/decide-attribution.ts';
import { LINE_KINDS, LINE_STATUSES } from '../../src/features/commissions/open/commission-line.ts';
import { MANUAL_TYPES, STAGES } from '../../src/features/events/event-kinds.ts';
import type { Operation } from '../../src/http/operation.ts';
import { MAX_AMOUNT_MINOR } from '../../src/money.ts';
import { type ApiClient, apiClient, type MemberBody } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { PIPELINED_BY_FILE, PIPELINED_OPERATIONS } from '../support/matrix/pipelined-operations.ts';
import { answerFields } from '../support/openapi/answer-fields.ts';

let app: TestApp;
let client: ApiClient;
let seller: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
  client = apiClient(app, (await app.newTenant()).liveKey);
  const { referral_code } = await client.newMember();
  seller = await client.newMember({ referral_code });
});
afterAll(() => app.close());

const FEATURES = path.resolve(import.meta.dirname, '../../src/features');

test('every statement that ends a frame is one of those that are looked at here', () => {
  const files = globSync('**/*.ts', { cwd: FEATURES }).filter((file) =>
    /\.lastRow\(/.test(readFileSync(path.join(FEATURES, file), 'utf8')),
  );
  expect(files.toSorted()).toEqual(Object.keys(PIPELINED_BY_FILE));
});

test.each(PIPELINED_OPERATIONS)('%s answers with no sum', (operationId) => {
  expect(answerFields(operationOf(operationId)).filter((field) => /(Exact|_exact)$/.test(field))).toEqual([]);
});

/** Of each column what it takes; the columns that are left out find the row again, or are not read. */
type Ends<Table extends keyof TenantTables, LeftOut extends keyof TenantTables[Table]> = Record<
  Exclude<keyof TenantTables[Table], LeftOut | 'tenant_id' | 'environment' | 'id'>,
  readonly unknown[]
>;

const MOST = MAX_AMOUNT_MINOR;
const [MOST_INT, MOST_BIGINT] = [2 ** 31 - 1, 2n ** 63n - 1n];
const ID = randomUUID();
const IDS = [null, 'ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000'];
const STRANGE = `'"\\\u0001\u202e{}<>\u00a0 \n`;
const textsFrom = (min: number, max: number) => ['x'.repeat(min), '\u{1f600}'.repeat(max), STRANGE.slice(0, max)];
const textsTo = (max: number) => [null, ...textsFrom(0, max)];
const UNBOUNDED = 10_000;
const TIMES = ['0001-01-01 00:00:00Z', '9999-12-31 23:59:59.999999Z', '2026-11-01 12:00:00.123456Z'];
const ACTORS = [null, ...ACTOR_KINDS, ...ACTOR_KINDS.map((kind) => `${kind}:${ID}`), `staff:${'\u{1f600}'.repeat(UNBOUNDED)}`];
/** The second is in no list of currencies any more, or yet. */
const CURRENCIES = ['USD', 'ZZZ'];

const LEAD: Ends<'lead', 'email'> = {
  name: textsTo(255),
  phone: textsTo(32),
  referrer_user_id: IDS,
  referral_code: textsTo(UNBOUNDED),
  source: textsTo(100),
  utm_source: textsTo(255),
  utm_medium: textsTo(255),
  utm_campaign: textsTo(255),
  click_id: textsTo(UNBOUNDED),
  conversion_status: ['captured', 'qualified', 'converted', 'disqualified', 'expired'],
  converted_member_id: [null, null, ID, null, null],
  created_at: TIMES,
  updated_at: TIMES,
  receipt_id: IDS,
  attribution_rule: textsTo(40),
  expires_at: [null, ...TIMES],
  created_by: ACTORS,
  updated_by: ACTORS,
};

const MEMBER: Ends<'member', 'email_norm' | 'name_rest' | 'name_last'> = {
  email: textsFrom(0, 254),
  name: textsTo(255),
  external_id: textsTo(255),
  membership_tier: ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'],
  parent_id: IDS,
  is_active: [true, false],
  name_fixed: [true, false],
  can_recruit: [true, false],
  is_test_user: [true, false],
  pay_currency: CURRENCIES,
  has_history: [true, false],
  created_at: TIMES,
  updated_at: TIMES,
  kyc_approved_at: [null, ...TIMES],
  name_norm: textsTo(510),
  erased_at: [null, ...TIMES],
  email_verified: [true, false],
  created_by: ACTORS,
  erasure_reason: [null, ...textsFrom(1, 500)],
  group_key: ['default', '-', 'a'.repeat(40)],
  standing: ['pending', 'approved', 'rejected', 'banned'],
  has_override: [true, false],
  joined_at: [null, ...TIMES],
  payable_changed_at: [null, ...TIMES],
};

const CUSTOMER = '\u{1f600}'.repeat(127);

const CLICK: Ends<'referral_click', 'code_id'> = {
  link_id: [null],
  member_id: [ID],
  kind: ['redirect', 'prefetch', 'server'],
  clicked_at: TIMES,
  ip_hash: [null, `\\x${'00'.repeat(16)}`],
  referrer_host: textsTo(255),
  customer_external_id: [null, CUSTOMER],
  created_by: ACTORS,
};

type OfEvent = Ends<'event', 'external_event_id' | 'kind' | 'content_digests' | 'purchase_id' | 'customer_id'>;

const EVENT: OfEvent = {
  type: [null],
  occurred_at: TIMES,
  recorded_at: TIMES,
  amount_minor: [MOST, 0],
  currency: CURRENCIES,
  tax_minor: [0],
  shipping_minor: [0],
  discount_minor: [0, MOST_BIGINT],
  base_minor: [0, MOST_BIGINT],
  buyer_member_id: IDS,
  attributed_member_id: IDS,
  attribution_rule: [null, ...PURCHASE_RULES],
  status: ['accepted', 'unattributed', 'held'],
  plan_version_id: IDS,
  dispute_id: [null],
  stage: [null],
  reason: textsTo(500),
  breakage_minor: [-MOST_BIGINT, MOST_BIGINT],
  evaluation: [null, {}, ...LINE_STATUSES.map((status) => ({ firstStatuses: [status] }))],
  receipt_id: IDS,
  created_by: ACTORS,
};

const reversal = (refundedAfter: bigint, moved?: string[]) => ({
  reversal: { purchaseMinor: `${MOST}`, refundedBefore: '0', refundedAfter: `${refundedAfter}`, lines: [], moved },
});
const REVERSALS = [...EVENT.evaluation, reversal(0n), reversal(MOST, []), reversal(1n, [ID, ID])];

const DETAIL: Ends<'event_detail', 'event_id'> = {
  metadata: [null, {}, { deep: { list: [null, 1e308, STRANGE] } }],
  line_items: [null, [], [{}]],
  discount_code: textsTo(64),
  customer_country: [null, 'DE'],
  description: textsTo(500),
  actor: textsTo(200),
};

const AMOUNTS = [MOST, -MOST, 1, -1];

type NotShown =
  | 'action_id'
  | 'calculation_hash'
  | 'cleared_journal_id'
  | 'status_changed_at'
  | 'write_off_at'
  | 'write_off_minor';

const LINE: Ends<'commission_line', 'event_id' | NotShown> = {
  beneficiary_id: [ID],
  kind: LINE_KINDS,
  source: ['sales', 'subscription', 'manual'],
  level: [0, 256],
  paid_level: [0, 2 ** 15 - 1],
  rate_bps: [MOST_INT, -MOST_INT],
  multiplier_milli: [MOST_INT, -MOST_INT],
  base_minor: [...AMOUNTS, 0],
  amount_minor: AMOUNTS,
  currency: CURRENCIES,
  status: LINE_STATUSES,
  hold_cause: LINE_STATUSES.map((status) => (status === 'held' ? 'dispute' : null)),
  clears_at: [...TIMES, '10000-01-01 00:00:00Z', '200000-01-01 00:00:00Z'],
  occurred_at: TIMES,
  plan_version_id: IDS,
  created_at: TIMES,
  reverses_line_id: IDS,
  about_event_id: IDS,
  source_amount_minor: [null, ...AMOUNTS],
  source_currency: [null, ...AMOUNTS.map((_, index) => CURRENCIES[index % 2])],
  exchange_rate_id: [null, ...AMOUNTS.map(() => ID)],
  flat_minor: [null, ...AMOUNTS, 0],
  capped_minor: [...AMOUNTS, 0],
  cap: [null, 'member_period', 'customer_lifetime', 'member_period+customer_lifetime'],
  hold_reason: textsTo(500),
  pay_source: [null, 'level', 'final_rule', 'mixed'],
  leg_id: IDS,
};

/** As many rows as it takes to have every value of every column in one; no answer goes by two columns together. */
function rowsOf(...tables: Readonly<Record<string, readonly unknown[]>>[]): Record<string, unknown>[][] {
  const most = Math.max(...tables.flatMap((columns) => Object.values(columns).map(({ length }) => length)));
  return Array.from({ length: most }, (_, at) =>
    tables.map((columns) =>
      Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[at % values.length]])),
    ),
  );
}

/** Past triggers and references, but not past the checks of the columns. */
async function change(table: string, where: string, row: Record<string, unknown> = {}): Promise<void> {
  const columns = Object.entries(row).map(([name, value]) => `${name} = ${literal(value)}`);
  await app.database.asSuperuser(
    `set session_replication_role = replica; update ${table} set ${columns.join(', ')} where ${where}; reset session_replication_role`,
  );
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'bigint') return value.toString();
  return pg.escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value));
}

function operationOf(operationId: string): Operation {
  const found = app.composition.app.operations.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return found;
}

test('captureLead', async () => {
  const said = { email: 'lead@test.example' };
  const { body: lead } = await client.post('/api/v1/leads/capture', said);
  for (const [row] of rowsOf(LEAD)) {
    await change('lead', `id = '${lead.id}'`, row);
    const answer = await client.post('/api/v1/leads/capture', said);
    expect([answer.status, answer.body.id, answer.body.conversion_status]).toEqual([200, lead.id, row?.['conversion_status']]);
  }
});

test('createUser, whose answer is that of getUser', async () => {
  expect(operationOf('getUser').response).toBe(operationOf('createUser').response);
  const { id } = await client.newMember();
  for (const [row, code] of rowsOf(MEMBER, { code: ['A-1', 'Z'.repeat(32)] })) {
    await change('member', `id = '${id}'`, row);
    await change('referral_code', `member_id = '${id}'`, code);
    const answer = await client.get(`/api/v1/users/${id}`);
    expect([answer.status, answer.body.name, answer.body.pay_currency]).toEqual([200, row?.['name'], row?.['pay_currency']]);
  }
});

test('recordClick', async () => {
  const { id, referral_code } = await client.newMember();
  const { body: click } = await client.post('/api/v1/referrals/clicks', { referral_code });
  for (const [row, code] of rowsOf(CLICK, { code: ['A-2', 'Y'.repeat(32)] })) {
    await change('referral_click', `member_id in ('${id}', '${ID}')`, row);
    await change('referral_code', `member_id = '${id}'`, code);
    const customer = { external_id: CUSTOMER };
    const answer = await client.post('/api/v1/referrals/clicks', { click_id: click.click_id, customer });
    expect([answer.status, answer.body.referral_code]).toEqual([200, code?.['code']]);
  }
});

describe('an event', () => {
  async function presentAgain(at: string, body: object, columns: Partial<OfEvent>): Promise<void> {
    const first = await client.post(`/api/v1/events/${at}`, body);
    expect(first.status).toBe(201);
    const { event_id: eventId, commissions } = first.body;
    expect(commissions.length).toBeGreaterThan(0);
    for (const [event, detail, line] of rowsOf({ ...EVENT, ...columns }, DETAIL, LINE)) {
      await change('event', `id = '${eventId}'`, event);
      await change('event_detail', `event_id = '${eventId}'`, detail);
      await change('commission_line', `id = '${commissions[0].id}'`, line);
      const answer = await client.post(`/api/v1/events/${at}`, body);
      expect([answer.status, answer.body.event_id, answer.body.status]).toEqual([200, eventId, event?.['status']]);
    }
  }

  const order = (): Record<string, unknown> => client.purchaseBody({ attribution: { user_id: seller.id }, metadata: {} });

  test('recordPurchase', async () => {
    await presentAgain('purchase', order(), { type: ['one_time', 'subscription_initial', 'subscription_renewal'] });
  });

  const soldBefore = async (): Promise<Record<string, unknown>> => {
    const sale = await client.post('/api/v1/events/purchase', order());
    return { external_event_id: randomUUID(), purchase_external_event_id: sale.body.external_event_id };
  };

  test('recordRefund', async () => {
    await presentAgain('refund', await soldBefore(), { evaluation: REVERSALS });
  });

  test('recordChargeback', async () => {
    const body = { ...(await soldBefore()), dispute_id: 'dispute', stage: 'lost' };
    await presentAgain('chargeback', body, { evaluation: REVERSALS, stage: STAGES, dispute_id: textsFrom(1, 200) });
  });

  // Whom it is for is said with the request, and no row of it is without.
  test('recordManualCommission', async () => {
    const bonus = { user_id: seller.id, amount_minor: 1, currency: 'USD', description: 'Best', actor: 'kim' };
    const body = { ...bonus, external_event_id: randomUUID(), type: 'bonus' };
    await presentAgain('commission', body, { type: MANUAL_TYPES, attributed_member_id: IDS.slice(1) });
  });
});

describe('what no answer could show is not stored:', () => {
  const beyond = (columns: readonly string[], values: readonly unknown[]) =>
    columns.flatMap((column) => values.map((value): [string, unknown] => [column, value]));
  const times = (columns: readonly string[], after = '10000-01-01Z') =>
    beyond(columns, ['infinity', '-infinity', '0001-12-31 BC', after]);
  const amounts = beyond(
    ['base_minor', 'amount_minor', 'flat_minor', 'capped_minor'],
    [MOST + 1n, -MOST - 1n, MOST_BIGINT, -MOST_BIGINT],
  );

  test.each([
    ['member', times(['created_at', 'updated_at'])],
    ['lead', times(['created_at', 'updated_at', 'expires_at'])],
    ['referral_click', times(['clicked_at'])],
    ['commission_line', [...times(['clears_at'], '200000-01-02Z'), ...amounts]],
    ['event', beyond(['amount_minor'], [MOST + 1n, -1])],
  ])('%s', async (table, cells) => {
    const [row] = await app.database.asSuperuser<{ id: string }>(`select id from ${table} limit 1`);
    for (const [column, value] of cells) {
      const refusal = await change(table, `id = '${row?.id}'`, { [column]: value }).catch((error: unknown) => error);
      expect([column, value, refusal]).toEqual([column, value, expect.objectContaining({ code: '23514' })]);
    }
  });
});
