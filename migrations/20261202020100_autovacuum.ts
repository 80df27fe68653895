import type { Knex } from 'knex';

/**
 * Tables that grow with members and sales. By its default autovacuum comes when a fifth of a table is dead, or inserted
 * since: with ten million lines that is two million, and reads pay for each until then.
 */
const LARGE = [
  'attribution_receipt',
  'audit_block_entry',
  'audit_log',
  'audit_origin',
  'commission_action',
  'commission_leg',
  'commission_line',
  'commission_rollup',
  'customer',
  'downline_count',
  'downline_month',
  'event',
  'event_detail',
  'journal_entry',
  'kyc_document',
  'kyc_event',
  'kyc_record',
  'kyc_remark',
  'lead',
  'ledger_block_entry',
  'link_slug',
  'member',
  'member_activity_history',
  'member_former_email',
  'member_identity',
  'member_profile',
  'member_sponsor_history',
  'member_tier_history',
  'payment_event',
  'payout',
  'payout_account',
  'payout_attempt',
  'payout_line',
  'posting',
  'provider_account',
  'referral_click',
  'referral_code',
  'referral_link',
];

/** Tables whose rows come and go: what counts is how many are dead, however few are left. */
const QUEUES = [
  'audit_unsealed',
  'commission_pending',
  'downline_pending',
  'exchanged_token',
  'idempotency_key',
  'import_row',
  'kyc_upload',
  'ledger_unsealed',
  'object_removal',
  'refresh_token',
  'token_family',
];

const ofLarge = {
  autovacuum_vacuum_scale_factor: '0.01',
  autovacuum_vacuum_insert_scale_factor: '0.01',
  autovacuum_analyze_scale_factor: '0.01',
};
const ofQueues = { autovacuum_vacuum_scale_factor: '0', autovacuum_vacuum_threshold: '1000' };
/** Stored answers lie there. */
const ofKeys = { 'toast.autovacuum_vacuum_scale_factor': '0', 'toast.autovacuum_vacuum_threshold': '1000' };

const all: [string[], Record<string, string>][] = [
  [LARGE, ofLarge],
  [QUEUES, ofQueues],
  [['idempotency_key'], ofKeys],
];

const statements = (text: (table: string, settings: Record<string, string>) => string): string =>
  all.flatMap(([tables, settings]) => tables.map((table) => text(table, settings))).join('\n');

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    statements((table, settings) => {
      const pairs = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
      return `alter table ${table} set (${pairs.join(', ')});`;
    }),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(statements((table, settings) => `alter table ${table} reset (${Object.keys(settings).join(', ')});`));
}
