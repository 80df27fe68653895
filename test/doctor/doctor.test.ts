/**
 * The doctor finds what it says it looks for: for each audit a breach is planted past every trigger and
 * key, exactly the audits named report it, and once it is undone the books are clean again.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payoutsAudits } from '../../src/features/payouts/payouts-audits.ts';
import { type ApiClient, apiClient, type MemberBody } from '../support/app/api-client.ts';
import { AUDITS, examineBooks } from '../support/app/examine-books.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';
import { plantRecord, plantRequired } from '../support/kyc/kyc-records.ts';
import { seal } from '../support/money/ledger-books.ts';
import { expectCleanBooks } from '../support/money/model-books.ts';
import { newUpline } from '../support/money/model-upline.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let chain: MemberBody[];
let events: string[];
/** The audit log of LIVE by age; the oldest entries are sealed, the newest wait. */
let entries: string[];
let approvedId: string;
let rejectedId: string;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
  // Beside the schema that the audits read: a table kept there would be a breach itself
  // (docs/specification/reliability.md#i-15).
  await app.database.asSuperuser('create schema kept');
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  chain = await newUpline(client, 'D D D');
  await client.patch(`/api/v1/users/${chain[0]?.id}`, { membership_tier: 'MANAGER', is_active: false });
  await client.patch(`/api/v1/users/${chain[0]?.id}`, { is_active: true });
  // Moved to the top and back below: who was left by everybody is counted with nobody, which is no breach.
  const [moved] = await newUpline(client, 'O O');
  for (const sponsorId of [null, chain[2]?.id]) {
    expect((await client.post(`/api/v1/members/${moved?.id}/sponsor`, { sponsorId })).status).toBe(200);
  }
  approvedId = await decided(0, 'approve');
  await app.runSweep('seal-audit-log', { tenantId: tenant.tenantId, environment: 'LIVE' });
  rejectedId = await decided(1, 'reject');
  const log = await app.database.asSuperuser<{ id: string }>("select id from audit_log where environment = 'LIVE' order by id");
  entries = log.map(({ id }) => id);
  events = [];
  for (let i = 0; i < 2; i++) {
    const { body } = await client.post(
      '/api/v1/events/purchase',
      client.purchaseBody({ attribution: { user_id: chain[0]?.id } }),
    );
    events.push(body.event_id);
    // Blocks of one journal each; the second event's waits to be sealed.
    if (i === 0) await seal(app, { tenantId: tenant.tenantId, environment: 'LIVE' });
    // And is folded; the second event's lines wait.
    if (i === 0) await app.runSweep('fold-commissions', { tenantId: tenant.tenantId, environment: 'LIVE' });
  }
});
afterAll(() => app.close());

/** A verification of a member of the chain, decided on by staff. */
async function decided(index: number, deed: 'approve' | 'reject'): Promise<string> {
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  const id = await plantRecord(app, scope, { memberId: chain[index]?.id ?? '' });
  await plantRequired(app, scope, id);
  const answer = await client.post(`/api/v1/admin/kyc/${id}/${deed}`, deed === 'approve' ? {} : { reason: 'Not readable' });
  expect(answer.status, answer.text).toBe(200);
  return id;
}

/** One batch without triggers and foreign keys; a failing statement undoes the batch. */
async function plant(sql: string): Promise<void> {
  await app.database.asSuperuser(`set session_replication_role = replica; ${sql}; reset session_replication_role`);
}

/** What is told in the scope of the first member. */
const ofScope = `select tenant_id, environment from event where environment = 'LIVE' limit 1`;
const longAgo = `'01900000-0000-7000-8000-000000000001'`;
const toldEvent = `with one as (
    insert into outgoing_event (tenant_id, environment, type, occurred_at, object_id, object_version, actor, data)
    select tenant_id, environment, 'member.created', now(), 'planted', 1, 'system', '{}' from (${ofScope}) s
    returning tenant_id, environment, id)
  insert into outgoing_unsealed (tenant_id, environment, event_id) select tenant_id, environment, id from one`;
const sealedEvent = (sequence: number): string => `${toldEvent};
  insert into outgoing_sequence (tenant_id, environment, sequence, event_id)
    select tenant_id, environment, ${sequence}, event_id from outgoing_unsealed;
  delete from outgoing_unsealed;
  insert into outgoing_head (tenant_id, environment, sequence) select tenant_id, environment, ${sequence} from (${ofScope}) s`;
const nothingTold = `delete from outgoing_unsealed; delete from outgoing_sequence; delete from outgoing_head; delete from outgoing_event`;
const plantedEndpoint = `insert into webhook_endpoint (tenant_id, environment, url, event_types, secret_sealed, rights, rights_of, created_by, created_at, updated_at, next_at)
  select tenant_id, environment, 'https://shop.example/', '{*}', 'x', '{*}', 'system', 'system', now() - interval '1 hour', now() - interval '1 hour', now() from (${ofScope}) s`;
const noEndpoint = 'delete from webhook_hour; delete from webhook_delivery; delete from webhook_endpoint';
const waiting = (at: string): string => `insert into webhook_delivery (tenant_id, environment, endpoint_id, event_id, next_at)
  select s.tenant_id, s.environment, e.id, s.event_id, ${at} from outgoing_sequence s cross join webhook_endpoint e`;
/** Whose last attempt is so long ago. */
const failing = (ago: string): string => `update webhook_endpoint set failing_since = now() - interval '2 days';
  insert into webhook_hour (tenant_id, environment, endpoint_id, starts_at, delivered, failed)
    select tenant_id, environment, id, now() - interval '${ago}', 0, 1 from webhook_endpoint`;
/** What is planted in LIVE, in the SANDBOX of the same tenant. */
const inSandbox = (sql: string): string =>
  sql.replaceAll(ofScope, `select '${tenant.tenantId}'::uuid as tenant_id, 'SANDBOX' as environment`);

/** A stuck audit is an error and not a test that never ends. */
function adminUrl(): string {
  const url = new URL(app.database.adminUrl);
  url.searchParams.set('options', '-c statement_timeout=4000');
  return url.href;
}

async function reporting(): Promise<string[]> {
  return (await examineBooks(adminUrl())).filter((audit) => audit.breaches.length > 0).map((audit) => audit.id);
}

const member = (index: number) => `'${chain[index]?.id}'::uuid`;
const event = (index: number) => `'${events[index]}'::uuid`;
const journal = (index: number) => `(select id from journal_entry where cause_id = ${event(index)})`;
const entry = (index: number) => `'${entries.at(index)}'::uuid`;
const nobody = "'00000000-0000-4000-8000-000000000000'::uuid";
const extraPosting = (index: number, amount: number) =>
  `insert into posting select tenant_id, environment, journal_id, 90, 'company:breakage', null, currency, ${amount}
   from posting where journal_id = ${journal(index)} and seq = 0`;

const sponsorRows = (index: number, ...rows: [from: string, sponsor: number][]) =>
  `insert into member_sponsor_history (tenant_id, environment, member_id, sponsor_id, valid_from, reason)
   select m.tenant_id, m.environment, m.id, r.sponsor_id, r.valid_from, 'planted'
   from member m, (values ${rows.map(([from, sponsor]) => `('${from}'::timestamptz, ${member(sponsor)})`).join(', ')}) r(valid_from, sponsor_id)
   where m.id = ${member(index)}`;
/** The first event's first line, and a line linked to it that has status, member and currency in common with it. */
const firstLine = () => `event_id = ${event(0)} and level = 1 and action_id is null`;
const voided = ({ linkedMinor }: { linkedMinor: number }): string =>
  `${acted('void')}; create table kept.l as select * from commission_line where ${firstLine()};
   update kept.l set reverses_line_id = id, id = uuidv7(), kind = 'reversal', amount_minor = ${linkedMinor},
     action_id = (select id from commission_action);
   insert into commission_line select * from kept.l; drop table kept.l`;
const unlinked = 'delete from commission_line where action_id is not null; delete from commission_action';
/** Sums of sales that are turned on without what there is. */
const salesState = (ready: boolean): string =>
  `insert into rollup_state (tenant_id, environment, rollup, time_zone, ready) select s.*, 'sales', 'UTC', ${ready} from (${ofScope}) s`;
const noSalesState = "delete from rollup_state where rollup = 'sales'";
const noted = `insert into commission_pending (tenant_id, environment, member_id, currency, occurred_at, source, status, level, amount_minor, lines)
   select tenant_id, environment, beneficiary_id, currency, occurred_at, source, status, level, amount_minor, 1
   from commission_line where action_id is not null`;
const acted = (action: string): string =>
  `insert into commission_action (tenant_id, environment, line_id, action, from_status, to_status)
   select tenant_id, environment, id, '${action}', 'pending', 'held' from commission_line where ${firstLine()}`;
const held = (cause: string): string =>
  `update commission_line set status = 'held', hold_cause = '${cause}' where ${firstLine()}`;
const released = "update commission_line set status = 'pending', hold_cause = null where status = 'held'";
const bornHeld = () =>
  `update event set evaluation = jsonb_set(evaluation, '{selfMember}', to_jsonb(attributed_member_id::text)) where id = ${event(0)}`;
const notBornHeld = "update event set evaluation = evaluation - 'selfMember' where kind = 'purchase'";
const swapReceipts = `update event e set receipt_id = r.id from attribution_receipt r
   where e.kind = 'purchase' and r.event_id = (select o.id from event o where o.kind = 'purchase' and o.id <> e.id)`;
const ownReceipts =
  "update event e set receipt_id = (select r.id from attribution_receipt r where r.event_id = e.id) where e.kind = 'purchase'";
const dispute = (stage: string): string =>
  `insert into event (tenant_id, environment, external_event_id, kind, occurred_at, amount_minor, currency, tax_minor, shipping_minor,
     discount_minor, base_minor, status, content_digests, purchase_id, dispute_id, stage)
   select tenant_id, environment, 'dispute ${stage}', 'chargeback', occurred_at, amount_minor, currency, 0, 0, 0, 0, 'accepted', '{}', id, 'd', '${stage}'
   from event where id = ${event(0)}`;

interface Plant {
  label: string;
  /** Every audit that must report it, and no other may. */
  reported: string[];
  /** Audits that may report it or leave it to those above. */
  orAlso?: string[];
  sql: () => string;
  undo: () => string;
}

const plants: Plant[] = [
  {
    label: 'two journals that do not balance, and cancel out',
    reported: ['I-1', 'I-4', 'L-8'],
    sql: () => `${extraPosting(0, 7)}; ${extraPosting(1, -7)}`,
    undo: () => 'delete from posting where seq = 90',
  },
  {
    label: 'a ledger that does not sum to zero, for which a journal must not either',
    reported: ['I-1', 'I-2', 'I-4', 'L-8'],
    sql: () => extraPosting(0, 7),
    undo: () => 'delete from posting where seq = 90',
  },
  {
    label: 'a line that is cleared while its posting is pending, and its rollup too',
    reported: ['I-3', 'R-1'],
    sql: () => `update commission_line set status = 'cleared' where event_id = ${event(0)} and level = 1`,
    undo: () => `update commission_line set status = 'pending' where event_id = ${event(0)} and level = 1`,
  },
  {
    label: 'a posting credited to another member',
    reported: ['I-3', 'I-5'],
    sql: () => `update posting set member_id = ${member(1)} where journal_id = ${journal(0)} and member_id = ${member(0)}`,
    undo: () => `update posting set member_id = ${member(0)} where journal_id = ${journal(0)} and amount_minor = 1000`,
  },
  {
    label: 'a line of another amount than was posted',
    reported: ['I-3', 'I-4', 'I-5', 'R-1'],
    sql: () => `update commission_line set amount_minor = amount_minor + 1 where event_id = ${event(0)} and level = 1`,
    undo: () => `update commission_line set amount_minor = amount_minor - 1 where event_id = ${event(0)} and level = 1`,
  },
  {
    label: 'lines of two events that differ from their journals, and cancel out for the member',
    reported: ['I-4', 'I-5'],
    // They cancel out in the rollups too, unless the two fell on different days.
    orAlso: ['R-1'],
    sql: () =>
      `update commission_line set amount_minor = amount_minor + case when event_id = ${event(0)} then 1 else -1 end where level = 1`,
    undo: () =>
      `update commission_line set amount_minor = amount_minor - case when event_id = ${event(0)} then 1 else -1 end where level = 1`,
  },
  {
    label: 'an event with lines and no journal, so that the members were not credited either',
    reported: ['I-3', 'I-4', 'I-5', 'L-2', 'L-8'],
    sql: () => `create table kept.j as select * from journal_entry where cause_id = ${event(0)};
      create table kept.p as select * from posting where journal_id = ${journal(0)};
      delete from posting where journal_id in (select id from kept.j); delete from journal_entry where id in (select id from kept.j)`,
    undo: () =>
      'insert into journal_entry select * from kept.j; insert into posting select * from kept.p; drop table kept.j; drop table kept.p',
  },
  {
    label: 'a line that a void made, and the journal of the void is not there',
    reported: ['I-3', 'I-4', 'I-5', 'R-1'],
    sql: () => voided({ linkedMinor: -1_000 }),
    undo: () => unlinked,
  },
  {
    label: 'a line taken back by more than there was of it',
    reported: ['I-3', 'I-4', 'I-5', 'L-3', 'R-1'],
    sql: () => voided({ linkedMinor: -1_001 }),
    undo: () => unlinked,
  },
  {
    label: 'a line reinstated beyond its amount',
    reported: ['I-3', 'I-4', 'I-5', 'L-3', 'R-1'],
    sql: () => voided({ linkedMinor: 1 }),
    undo: () => unlinked,
  },
  {
    label: 'a block that is not there',
    reported: ['L-1'],
    sql: () => `create table kept.b as select * from ledger_block; delete from ledger_block;
      update kept.b set seq = 2; insert into ledger_block select * from kept.b; drop table kept.b;
      update ledger_block_entry set block_seq = 2`,
    undo: () => 'update ledger_block set seq = 1; update ledger_block_entry set block_seq = 1',
  },
  {
    label: 'a block that follows another hash',
    reported: ['L-1'],
    sql: () => 'update ledger_block set prev_hash = hash',
    undo: () => "update ledger_block set prev_hash = decode(repeat('00', 32), 'hex')",
  },
  {
    label: 'a block of fewer entries than it says',
    reported: ['L-1'],
    sql: () => 'update ledger_block set entry_count = 2',
    undo: () => 'update ledger_block set entry_count = 1',
  },
  {
    label: 'a journal neither sealed nor waiting',
    reported: ['L-2'],
    sql: () => `delete from ledger_unsealed where journal_id = ${journal(1)}`,
    undo: () => `insert into ledger_unsealed values ('${tenant.tenantId}', 'LIVE', ${journal(1)})`,
  },
  {
    label: 'a sealed journal waiting as well',
    reported: ['L-2'],
    sql: () => `insert into ledger_unsealed values ('${tenant.tenantId}', 'LIVE', ${journal(0)})`,
    undo: () => `delete from ledger_unsealed where journal_id = ${journal(0)}`,
  },
  {
    label: 'a place in the queue for a journal that is not there',
    reported: ['L-2'],
    sql: () => `insert into ledger_unsealed values ('${tenant.tenantId}', 'LIVE', ${nobody})`,
    undo: () => `delete from ledger_unsealed where journal_id = ${nobody}`,
  },
  {
    label: 'a total of the ledger that is not the sum of its postings',
    reported: ['L-8'],
    sql: () => "update ledger_total set amount_minor = amount_minor + 1 where account = 'member:pending'",
    undo: () => "update ledger_total set amount_minor = amount_minor - 1 where account = 'member:pending'",
  },
  {
    label: 'a block of the audit log that is not there',
    reported: ['L-5'],
    sql: () => 'update audit_block set seq = 2; update audit_block_entry set block_seq = 2',
    undo: () => 'update audit_block set seq = 1; update audit_block_entry set block_seq = 1',
  },
  {
    label: 'a block of the audit log that follows another hash',
    reported: ['L-5'],
    sql: () => 'update audit_block set prev_hash = hash',
    undo: () => "update audit_block set prev_hash = decode(repeat('00', 32), 'hex')",
  },
  {
    label: 'a block of the audit log with fewer entries than it says',
    reported: ['L-5'],
    sql: () => 'update audit_block set entry_count = entry_count + 1',
    undo: () => 'update audit_block set entry_count = entry_count - 1',
  },
  {
    label: 'a block of the audit log that does not follow the head',
    reported: ['L-5'],
    sql: () =>
      `create table kept.h as select * from audit_head; delete from audit_head;
       insert into audit_head (tenant_id, environment, look_at, seq, hash, entry_count, newest_at, signature)
       select tenant_id, environment, sealed_at, 1, hash, entry_count, newest_at, hash from audit_block`,
    undo: () => 'delete from audit_head; insert into audit_head select * from kept.h; drop table kept.h',
  },
  {
    label: 'an entry of the audit log neither sealed nor waiting',
    reported: ['L-6'],
    sql: () => `delete from audit_unsealed where entry_id = ${entry(-1)}`,
    undo: () => `insert into audit_unsealed values ('${tenant.tenantId}', 'LIVE', ${entry(-1)})`,
  },
  {
    label: 'a sealed entry of the audit log waiting as well',
    reported: ['L-6'],
    sql: () => `insert into audit_unsealed values ('${tenant.tenantId}', 'LIVE', ${entry(0)})`,
    undo: () => `delete from audit_unsealed where entry_id = ${entry(0)}`,
  },
  {
    label: 'a place in the queue for an entry of the audit log that is not there',
    reported: ['L-6'],
    sql: () => `insert into audit_unsealed values ('${tenant.tenantId}', 'LIVE', ${nobody})`,
    undo: () => `delete from audit_unsealed where entry_id = ${nobody}`,
  },
  {
    label: 'a sealed entry of the audit log that is not there',
    reported: ['L-6'],
    sql: () =>
      `create table kept.a as select * from audit_log where id = ${entry(0)}; delete from audit_log where id = ${entry(0)}`,
    undo: () => 'insert into audit_log select * from kept.a; drop table kept.a',
  },
  {
    label: 'a line of a purchase that says it tops one up',
    reported: ['L-7'],
    sql: () => `update commission_line set about_event_id = event_id where ${firstLine()}`,
    undo: () => 'update commission_line set about_event_id = null',
  },
  {
    label: 'a line that was held and is not',
    reported: ['L-4'],
    sql: () => acted('hold'),
    undo: () => 'delete from commission_action',
  },
  {
    label: 'a line that was released and is held by hand',
    reported: ['L-4'],
    sql: () => `${acted('hold')}; ${acted('release')}; ${held('manual')}`,
    undo: () => `delete from commission_action; ${released}`,
  },
  {
    label: 'a line held for a dispute that nobody opened',
    reported: ['L-4'],
    sql: () => held('dispute'),
    undo: () => released,
  },
  {
    label: 'a line held for a dispute that was decided',
    reported: ['L-4'],
    sql: () => `${held('dispute')}; ${dispute('opened')}; ${dispute('won')}`,
    undo: () => `${released}; delete from event where kind = 'chargeback'`,
  },
  {
    label: 'a line held as a sale to its own member, which the sale knows nothing of',
    reported: ['L-4'],
    sql: () => held('self_purchase'),
    undo: () => released,
  },
  {
    label: 'a line of a sale to its own member that nobody released and is not held',
    reported: ['L-4'],
    sql: bornHeld,
    undo: () => notBornHeld,
  },
  {
    label: 'a line of a sale to its own member that was released and is still held',
    reported: ['L-4'],
    sql: () => `${bornHeld()}; ${held('self_purchase')}; ${acted('release')}`,
    undo: () => `delete from commission_action; ${released}; ${notBornHeld}`,
  },
  {
    label: 'a receipt that credits another member',
    reported: ['A-1'],
    sql: () => `update attribution_receipt set winner_id = ${member(1)} where event_id = ${event(0)}`,
    undo: () => `update attribution_receipt set winner_id = ${member(0)} where event_id = ${event(0)}`,
  },
  {
    label: 'a receipt by another rule',
    reported: ['A-1'],
    sql: () => `update attribution_receipt set rule = 'link' where event_id = ${event(0)}`,
    undo: () => `update attribution_receipt set rule = 'explicit_user' where event_id = ${event(0)}`,
  },
  {
    label: 'a receipt of an event that names none',
    reported: ['A-1'],
    sql: () => `update event set receipt_id = null where id = ${event(0)}`,
    undo: () => ownReceipts,
  },
  {
    label: 'two events that name each other’s receipts',
    reported: ['A-1'],
    sql: () => swapReceipts,
    undo: () => ownReceipts,
  },
  {
    // There is no right count for who is in a cycle. What matters is that counting comes to an end.
    label: 'a cycle in the tree',
    reported: ['I-8'],
    orAlso: ['I-9'],
    sql: () => `update member set parent_id = ${member(0)} where id = ${member(2)}`,
    undo: () => `update member set parent_id = null where id = ${member(2)}`,
  },
  {
    label: 'a member nobody counted',
    reported: ['I-9'],
    sql: () => `create table kept.d as select * from downline_pending where member_id = ${member(0)};
      delete from downline_pending where member_id = ${member(0)}`,
    undo: () => 'insert into downline_pending select * from kept.d; drop table kept.d',
  },
  {
    label: 'an event of a plan version that is not there',
    reported: ['I-10'],
    sql: () => `create table kept.v as select plan_version_id from event where id = ${event(0)};
      update event set plan_version_id = ${nobody} where id = ${event(0)}`,
    undo: () =>
      `update event set plan_version_id = (select plan_version_id from kept.v) where id = ${event(0)}; drop table kept.v`,
  },
  {
    label: 'a member of a tenant that is not there',
    reported: ['I-10'],
    sql: () => `insert into member (tenant_id, environment, email, email_norm, membership_tier, is_active, can_recruit, is_test_user, pay_currency)
      values (${nobody}, 'SANDBOX', 'a', 'a', 'ORDINARY', true, true, false, 'USD')`,
    undo: () => `delete from member where tenant_id = ${nobody}`,
  },
  {
    // Such an orphan is out of the tree's reach as well.
    label: 'a member whose sponsor is in the other environment',
    reported: ['I-8', 'I-10'],
    sql: () => `update member set environment = 'SANDBOX' where id = ${member(2)}`,
    undo: () => `update member set environment = 'LIVE' where id = ${member(2)}`,
  },
  {
    label: 'an idempotency key left without an answer',
    reported: ['I-13'],
    sql: () => `insert into idempotency_key (tenant_id, environment, operation, key, fingerprint, created_at, expires_at)
      values ('${tenant.tenantId}', 'LIVE', 'createUser', 'k', '', now() - interval '3 minutes', now() + interval '1 day')`,
    undo: () => "delete from idempotency_key where key = 'k'",
  },
  {
    label: 'a new tenant table without a wall',
    reported: ['I-15'],
    sql: () => 'create table unwalled (tenant_id uuid)',
    undo: () => 'drop table unwalled',
  },
  {
    label: 'a wall that its owner walks through',
    reported: ['I-15'],
    sql: () => 'alter table posting no force row level security',
    undo: () => 'alter table posting force row level security',
  },
  {
    label: 'a tier that is not the latest of its history',
    reported: ['H-1'],
    sql: () => `update member set membership_tier = 'SENIOR' where id = ${member(0)}`,
    undo: () => `update member set membership_tier = 'MANAGER' where id = ${member(0)}`,
  },
  {
    label: 'an activity that is not the latest of its history',
    reported: ['I-9', 'H-1'],
    sql: () => `update member set is_active = false where id = ${member(0)}`,
    undo: () => `update member set is_active = true where id = ${member(0)}`,
  },
  {
    label: 'a sponsor that is not the latest of its history',
    reported: ['H-1', 'H-2'],
    sql: () => sponsorRows(0, ['-infinity', 1], ['2026-01-01', 2]),
    undo: () => 'delete from member_sponsor_history where reason is not null',
  },
  {
    label: 'a change of sponsor that lies ahead',
    reported: ['H-2'],
    sql: () => sponsorRows(0, ['-infinity', 2], ['2100-01-01', 1]),
    undo: () => 'delete from member_sponsor_history where reason is not null',
  },
  {
    label: 'a history that no sale would ask for',
    reported: ['H-2'],
    sql: () => sponsorRows(1, ['-infinity', 0], ['2026-01-01', 2]),
    undo: () => 'delete from member_sponsor_history where reason is not null',
  },
  ...["grain = 'day'", "grain = 'month'"].map((rolled) => ({
    label: `a rollup of another amount than its lines, where ${rolled}`,
    reported: ['R-1'],
    sql: () => `update commission_rollup set amount_minor = amount_minor + 1 where ${rolled} and level = 2`,
    undo: () => `update commission_rollup set amount_minor = amount_minor - 1 where ${rolled} and level = 2`,
  })),
  {
    label: 'rollups of as much money and other numbers of lines',
    reported: ['R-1'],
    sql: () => 'update commission_rollup set lines = lines + 1 where level = 3',
    undo: () => 'update commission_rollup set lines = lines - 1 where level = 3',
  },
  {
    label: 'a leg of another member than its lines came through',
    reported: ['R-1'],
    sql: () => `update commission_leg set leg_id = ${member(2)} where leg_id = ${member(0)}`,
    undo: () => `update commission_leg set leg_id = ${member(0)} where leg_id = ${member(2)}`,
  },
  {
    label: 'a line that nobody noted down to be folded',
    reported: ['R-1'],
    sql: () =>
      `create table kept.w as select * from commission_pending where level = 1; delete from commission_pending where level = 1`,
    undo: () => 'insert into commission_pending select * from kept.w; drop table kept.w',
  },
  {
    label: 'rollups of another zone than their state says',
    reported: ['R-1'],
    sql: () => `update commission_rollup set bucket = bucket - 1 where grain = 'day'`,
    undo: () => `update commission_rollup set bucket = bucket + 1 where grain = 'day'`,
  },
  {
    label: 'sums of sales that are ready and have nothing of the sales',
    reported: ['R-2'],
    sql: () => salesState(true),
    undo: () => noSalesState,
  },
];

/** Without what the database itself would refuse. */
const kycWithout = (constraint: string) => `alter table kyc_record drop constraint ${constraint}`;
const kycWith = (constraint: string, check: string) => `alter table kyc_record add constraint ${constraint} check (${check})`;
const transition = (id: string, from: string, to: string, actor: string) =>
  `with entry as (
     insert into audit_log (tenant_id, environment, action, actor_kind, actor_id, object_kind, object_id, details)
     select tenant_id, environment, 'kyc_record.approved', ${actor}, 'kyc_record', '${id}', '{"from":"${from}","to":"${to}"}' from kyc_record where id = '${id}'
     returning tenant_id, environment, id)
   insert into audit_unsealed select tenant_id, environment, id from entry`;
const noTransition = `with entry as (
     delete from audit_log where object_kind = 'kyc_record' and details->>'from' in ('rejected', 'not_started') returning id)
   delete from audit_unsealed where entry_id in (select id from entry)`;

plants.push(
  {
    label: 'an approval without a time',
    reported: ['I-11'],
    sql: () =>
      `${kycWithout('kyc_record_verified_check')}; create table kept.k as select id, verified_at from kyc_record where id = '${approvedId}';
       update kyc_record set verified_at = null where id = '${approvedId}'`,
    undo: () =>
      `update kyc_record r set verified_at = k.verified_at from kept.k where r.id = k.id; drop table kept.k;
       ${kycWith('kyc_record_verified_check', "(status = 'approved') = (verified_at is not null)")}`,
  },
  {
    label: 'a rejection of which nobody knows why',
    reported: ['I-11'],
    sql: () => `update kyc_record set rejection_reason = ' ' where id = '${rejectedId}'`,
    undo: () => `update kyc_record set rejection_reason = 'Not readable' where id = '${rejectedId}'`,
  },
  {
    label: 'a member that plans take for verified, without a verification',
    reported: ['I-11'],
    sql: () => `update member set kyc_approved_at = now() where id = ${member(2)}`,
    undo: () => `update member set kyc_approved_at = null where id = ${member(2)}`,
  },
  {
    label: 'a verified member that plans do not take for one',
    reported: ['I-11'],
    sql: () => `update member set kyc_approved_at = null where id = ${member(0)}`,
    undo: () =>
      `update member m set kyc_approved_at = k.verified_at from kyc_record k where k.id = '${approvedId}' and m.id = k.member_id`,
  },
  {
    label: 'somebody who went from rejected to approved at once',
    reported: ['I-11'],
    sql: () => transition(rejectedId, 'rejected', 'approved', "'api_key', null"),
    undo: () => noTransition,
  },
  {
    label: 'somebody approved who has not begun, by no vendor',
    reported: ['I-11'],
    sql: () => transition(rejectedId, 'not_started', 'approved', "'system', null"),
    undo: () => noTransition,
  },
  {
    label: 'somebody whom another vendor approved, and who was rejected',
    reported: ['I-11'],
    sql: () => transition(rejectedId, 'rejected', 'approved', "'vendor', 'payvendor'"),
    undo: () => noTransition,
  },
);

const plantRun = (rule: string, approver: string) =>
  `insert into payout_run (tenant_id, environment, id, currency, cutoff_at, status, dual_control, drafter_root, created_by, approved_by,
                           approved_at, created_at, updated_at)
   select tenant_id, environment, ${nobody}, 'USD', now(), 'approved', '${rule}', root, created_by, ${approver}, now(), now(), now()
   from (select tenant_id, environment, root, 'api_key:' || id as created_by from api_key where environment = 'LIVE' limit 1) k`;
const noRun = () => `delete from payout_run where id = ${nobody}`;

plants.push(
  {
    label: 'a key in other hands than those that made it',
    reported: ['TH-1'],
    sql: () =>
      `create table kept.r as select id, root from api_key limit 1; update api_key set root = 'staff:somebody' where id in (select id from kept.r)`,
    undo: () => `update api_key k set root = r.root from kept.r where r.id = k.id; drop table kept.r`,
  },
  {
    label: 'a run under dual control that one root drafted and approved',
    reported: ['TH-2'],
    sql: () => plantRun('keys', 'created_by'),
    undo: noRun,
  },
  {
    label: 'a run that asked for a person and was approved by a key',
    reported: ['TH-2'],
    sql: () => plantRun('persons', `'api_key:' || ${nobody}`),
    undo: noRun,
  },
);

/** A person of the LIVE of some tenant, who has no other. */
const plantStaff = (role: string, state: string) =>
  `insert into staff (tenant_id, id, email, email_typed, name, role, state, created_by)
   select tenant_id, ${nobody}, ${state === 'removed' ? 'null, null' : "'p@example.com', 'p@example.com'"}, 'Pat', '${role}', '${state}', 'operator'
   from api_key limit 1`;
const noStaff = () => `delete from staff_session; delete from staff_passkey; delete from staff where id = ${nobody}`;

plants.push(
  {
    label: 'people and no owner who is active',
    reported: ['ST-1'],
    sql: () => plantStaff('owner', 'disabled'),
    undo: noStaff,
  },
  {
    label: 'a session of somebody who was only invited',
    reported: ['ST-2'],
    sql: () =>
      `${plantStaff('owner', 'invited')};
       insert into staff_session (tenant_id, staff_id, token_hash) select tenant_id, id, sha256('x') from staff where id = ${nobody}`,
    undo: noStaff,
  },
  {
    label: 'a passkey of somebody who was removed',
    reported: ['ST-3'],
    sql: () =>
      `${plantStaff('owner', 'removed')};
       insert into staff_passkey (tenant_id, staff_id, credential_id, public_key, name)
         select tenant_id, id, 'x', 'x', 'x' from staff where id = ${nobody}`,
    undo: noStaff,
  },
  {
    label: 'a told event that has no number and waits for none',
    reported: ['E-1'],
    sql: () => `${toldEvent}; delete from outgoing_unsealed`,
    undo: () => nothingTold,
  },
  {
    label: 'a told event that waits for its number too long',
    reported: ['E-1'],
    sql: () =>
      `${toldEvent}; update outgoing_unsealed set event_id = ${longAgo};
       update outgoing_event set id = ${longAgo} where object_id = 'planted'`,
    undo: () => nothingTold,
  },
  {
    label: 'a number between two events that none has',
    reported: ['E-2'],
    sql: () => sealedEvent(2),
    undo: () => nothingTold,
  },
  {
    label: 'a last number that no event has',
    reported: ['E-2'],
    sql: () => `${sealedEvent(1)}; update outgoing_head set sequence = 2`,
    undo: () => nothingTold,
  },
  {
    label: 'a numbered event without a delivery for an endpoint that hears of it',
    reported: ['E-3'],
    sql: () => `${sealedEvent(1)}; ${plantedEndpoint}`,
    undo: () => `${noEndpoint}; ${nothingTold}`,
  },
  {
    label: 'a delivery that waits for weeks',
    reported: ['E-4'],
    sql: () => `${sealedEvent(1)}; ${plantedEndpoint}; ${waiting("now() + interval '20 days'")}`,
    undo: () => `${noEndpoint}; ${nothingTold}`,
  },
  {
    label: 'a delivery of long ago that waits for weeks',
    reported: ['E-4'],
    sql: () =>
      `${sealedEvent(1)}; ${plantedEndpoint}; ${waiting("now() + interval '20 days'")};
       update webhook_delivery set created_at = now() - interval '20 days'`,
    undo: () => `${noEndpoint}; ${nothingTold}`,
  },
  {
    label: 'a delivery that waits for an endpoint whose sender goes by nothing being due',
    reported: ['E-4'],
    sql: () => `${sealedEvent(1)}; ${plantedEndpoint}; ${waiting('now()')}; update webhook_endpoint set next_at = null`,
    undo: () => `${noEndpoint}; ${nothingTold}`,
  },
  {
    label: 'a delivery that is due for more than a day',
    reported: ['E-4'],
    sql: () => `${sealedEvent(1)}; ${plantedEndpoint}; ${waiting("now() - interval '25 hours'")}`,
    undo: () => `${noEndpoint}; ${nothingTold}`,
  },
  {
    label: 'a delivery that is due for more than a day, to a receiver that has failed and is tried no more',
    reported: ['E-4'],
    sql: () => `${sealedEvent(1)}; ${plantedEndpoint}; ${waiting("now() - interval '25 hours'")}; ${failing('25 hours')}`,
    undo: () => `${noEndpoint}; ${nothingTold}`,
  },
  {
    label: "a delivery that is due for more than a day by the SANDBOX's clock",
    reported: ['E-4'],
    sql: () =>
      `${inSandbox(`${sealedEvent(1)}; ${plantedEndpoint}; ${waiting('now()')}`)};
       insert into sandbox_clock (tenant_id, environment, ahead) values ('${tenant.tenantId}', 'SANDBOX', '25 hours')`,
    undo: () => `${noEndpoint}; ${nothingTold}; delete from sandbox_clock`,
  },
  {
    label: 'a delivery that waits for a deleted endpoint, of which all are said to be cancelled',
    reported: ['E-4'],
    sql: () =>
      `${sealedEvent(1)}; ${plantedEndpoint}; ${waiting('now()')};
       update webhook_endpoint set enabled = false, deleted_at = now(), cancelled_at = now(), secret_sealed = null`,
    undo: () => `${noEndpoint}; ${nothingTold}`,
  },
);

// Of the kind `system` are entries from before vendors had a kind of their own.
test.each(['vendor', 'system'])('the vendor may move a verification from any state, as %s', async (kind) => {
  await plant(transition(rejectedId, 'rejected', 'approved', `'${kind}', 'kycvendor'`));
  try {
    expect(await reporting()).toEqual([]);
  } finally {
    await plant(noTransition);
  }
});

test('healthy books have no breach, and every audit is asked', async () => {
  const results = await examineBooks(adminUrl());
  const ids = results.map((audit) => audit.id);
  expect(ids.toSorted()).toEqual(AUDITS.map((audit) => audit.id).toSorted());
  expect(ids.slice(0, 3)).toEqual(['I-1', 'I-2', 'I-3']);
  expect(ids.filter((id) => /^(I-9|I-10|I-15|A|H)/.test(id))).toEqual(['I-9', 'I-10', 'I-15', 'A-1', 'H-1', 'H-2']);
  expect(results.flatMap((audit) => audit.breaches)).toEqual([]);
});

test('a delivery that is due for more than a day is in order where its receiver fails, or was enabled a moment ago', async () => {
  // What the SANDBOX was told while it was set up has no number of its own.
  const late = `${nothingTold}; ${sealedEvent(1)}; ${plantedEndpoint}; ${waiting("now() - interval '25 hours'")}`;
  for (const excuse of [failing('1 hour'), 'update webhook_endpoint set updated_at = now()']) {
    await plant(`${late}; ${excuse}`);
    try {
      expect(await reporting(), excuse).toEqual([]);
    } finally {
      await plant(`${noEndpoint}; ${nothingTold}`);
    }
  }
});

test('sums of sales that are not ready yet are asked for nothing', async () => {
  await plant(salesState(false));
  try {
    expect(await reporting()).toEqual([]);
  } finally {
    await plant(noSalesState);
  }
});

test('a line held by hand after its action, or for an open dispute, is in order; so is one taken back to nothing', async () => {
  const orderly = [
    [`${acted('hold')}; ${held('manual')}`, `delete from commission_action; ${released}`],
    [`${held('dispute')}; ${dispute('opened')}`, `${released}; delete from event where kind = 'chargeback'`],
    [`${acted('hold')}; ${acted('release')}`, 'delete from commission_action'],
    [`${bornHeld()}; ${held('self_purchase')}`, `${released}; ${notBornHeld}`],
    [
      `${voided({ linkedMinor: -1_000 })}; ${noted};
       insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at)
         select tenant_id, environment, ${nobody}, 'void', id, now() from commission_action;
       insert into ledger_unsealed select tenant_id, environment, id from journal_entry where cause_type = 'void';
       insert into posting select tenant_id, environment, ${nobody}, seq, account, member_id, currency,
         case seq when 0 then 1000 else -1000 end from posting where journal_id = ${journal(0)} and (seq = 0 or member_id = ${member(0)})`,
      `${unlinked}; delete from commission_pending where amount_minor < 0; delete from journal_entry where id = ${nobody}; delete from posting where journal_id = ${nobody};
       delete from ledger_unsealed where journal_id = ${nobody}`,
    ],
  ];
  for (const [sql = '', undo = ''] of orderly) {
    await plant(sql);
    try {
      expect(await reporting(), sql).toEqual([]);
    } finally {
      await plant(undo);
    }
  }
});

test('every audit has a plant of its own', () => {
  const planted = new Set(plants.flatMap(({ reported }) => reported));
  const elsewhere = payoutsAudits.map((audit) => audit.id);
  const due = AUDITS.map((audit) => audit.id).filter((id) => !elsewhere.includes(id));
  expect([...planted].toSorted()).toEqual(due.toSorted());
});

describe('a planted breach is reported by exactly the audits it breaks:', () => {
  test.each(plants)('$label: $reported', async ({ reported, orAlso = [], sql, undo }) => {
    await plant(sql());
    let found: string[];
    try {
      found = await reporting();
    } finally {
      await plant(undo());
    }
    expect(found.filter((id) => !orAlso.includes(id))).toEqual(reported);
    await expectCleanBooks(app);
  });
});

describe('a role that cannot see across tenants is refused, not told that all is well:', () => {
  test.each(['owner', 'app'] as const)('%s', async (role) => {
    await plant(extraPosting(0, 7));
    try {
      await expect(examineBooks(role === 'owner' ? app.database.ownerUrl : app.database.appUrl)).rejects.toThrow(/svc_admin/);
    } finally {
      await plant('delete from posting where seq = 90');
    }
  });
});

test('the doctor changes nothing: svc_admin may only read', async () => {
  const rows = await app.database.asSuperuser(
    `select table_name, privilege_type from information_schema.role_table_grants
     where grantee = 'svc_admin' and table_schema = 'public' and privilege_type <> 'SELECT'`,
  );
  expect(rows).toEqual([]);
});
