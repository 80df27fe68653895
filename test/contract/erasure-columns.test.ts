/**
 * Every column that can hold a text is reached by an erasure, or is kept for a reason that docs/security/erasure.md gives.
 * Source: docs/specification/identity.md#erasure.
 */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

let app: TestApp;
/** `table.column` of all that hold text, JSON or bytes and may hold what somebody chose. */
let open: string[];

beforeAll(async () => {
  app = await startTestApp({}, 'own');
  const rows = await app.database.asSuperuser<{ name: string }>(
    `select c.table_name || '.' || c.column_name as name from information_schema.columns c
     where c.table_schema = 'public' and c.table_name not in ('knex_migrations', 'schema_need') and c.column_name <> 'environment'
       and (c.data_type in ('text', 'jsonb', 'json', 'bytea', 'character varying', 'character', 'inet', 'xml')
         or c.data_type = 'ARRAY' and c.udt_name not in ('_uuid', '_int4', '_int8'))
       and not exists (
         select from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and k.conkey = array[a.attnum]
         where k.contype = 'c' and k.conrelid = format('public.%I', c.table_name)::regclass and a.attname = c.column_name
           and pg_get_constraintdef(k.oid) ~ $1)
     order by 1`,
    // One of a list; a currency or a country; a kind of actor with its id; a time zone.
    [
      String.raw`= ANY \(ARRAY\[|~ '\^\[A-Z\]\{[23]\}\$'|~ '\^\(api_key\|staff\|member\|operator\|vendor\|system\)|~ '\^\[a-z_\]\+`,
    ],
  );
  open = rows.map(({ name }) => name);
});
afterAll(() => app.close());

/** Emptied, overwritten or deleted with the member. Most have a word in test/contract/erasure-canary.test.ts. */
const REACHED: Record<string, string> = {
  attribution_receipt: 'candidates',
  audit_origin: 'ip',
  commission_action: 'reason',
  commission_line: 'hold_reason',
  customer: 'email email_norm external_id name',
  event: 'reason',
  event_detail: 'actor customer_country description discount_code line_items metadata',
  export_run: 'filters',
  idempotency_key: 'answer fingerprint key',
  import_row: 'email_norm external_id own_code sponsor_code sponsor_email_norm sponsor_external_id',
  import_run: 'file_name',
  kyc_document: 'content_sha256 file_name rejection_reason',
  kyc_event: 'applicant_id body correlation_id',
  kyc_record: 'assigned_to identity_digest names_digest provider_applicant_id rejection_reason simulated_review',
  kyc_remark: 'note reason',
  kyc_upload: 'file_name',
  lead: 'click_id email name phone referral_code source utm_campaign utm_medium utm_source',
  member: 'email email_norm external_id name name_last name_norm name_rest',
  member_activity_history: 'reason',
  member_former_email: 'email email_norm',
  member_group_history: 'reason',
  member_identity: 'subject',
  member_profile:
    'address business_name business_name_digest given_name id_number_digest id_number_last_four id_number_sealed surname',
  member_sponsor_history: 'reason',
  member_standing_history: 'reason',
  member_tier_history: 'reason',
  outgoing_event: 'data',
  outgoing_mail: 'content_sealed',
  payout: 'failure_message reference',
  payout_account:
    'bank_name bank_sealed display_name fingerprint holder_sealed last_four name_judged_for status_reason tos_acceptance',
  payout_hold: 'reason',
  pending_change: 'fields reason request_sealed',
  rate_override: 'reason',
  referral_click: 'customer_external_id ip_hash referrer_host',
  referral_code: 'code',
  referral_link: 'destination_url name slug',
  saved_view: 'name page query',
  webhook_attempt: 'answer',
  widget_session: 'allowed_origins scopes theme',
  widget_token: 'token_hash',
};

/** By the sections of docs/security/erasure.md that say why. */
const KEPT: Record<string, Record<string, string>> = {
  'numbers-of-the-tenants-systems': { event: 'dispute_id external_event_id' },
  digests: {
    attribution_receipt: 'content_key',
    commission_line: 'calculation_hash',
    erased_code: 'code_digest',
    event: 'content_digests',
    exchanged_token: 'token_digest',
    kyc_event: 'body_digest',
    link_slug: 'slug_digest',
    refresh_token: 'token_hash',
  },
  'ids-at-vendors': {
    kyc_event: 'external_user_id',
    payment_event: 'account_id body event_id object_id',
    payout_account: 'external_account_id',
    payout_attempt: 'provider_payout_id refused_code reversal_id transfer_id',
    provider_account: 'disabled_reason profile_version provider_account_id requirements transfers',
  },
  'words-of-the-service': {
    approval_tie: 'confirmed_by counts_as subject',
    attribution_receipt: 'rule',
    commission_action: 'from_status to_status',
    commission_leg: 'currency',
    commission_pending: 'currency source',
    commission_rollup: 'currency source status',
    commission_total: 'currency status',
    event: 'attribution_rule evaluation type',
    event_snapshot: 'failure kinds storage_key',
    export_object: 'storage_key',
    export_run: 'failure storage_key',
    idempotency_key: 'operation subject',
    import_row: 'fields faults',
    import_run: 'failure step',
    kyc_document: 'storage_key',
    kyc_event: 'provider type',
    kyc_record: 'awaited_documents',
    kyc_upload: 'pending_key',
    lead: 'attribution_rule',
    object_removal: 'storage_key',
    ladder_settlement: 'ladder_id reached',
    ledger_total: 'account',
    outgoing_event: 'left_out object_id',
    payment_event: 'provider type',
    payout: 'failure_code',
    payout_account: 'method_type name_accepted_by',
    payout_freeze: 'forced_reason system_identifier',
    payout_reconciliation: 'accepted freeze_id',
    payout_run: 'comparison drafter_root',
    payout_schedule: 'days local_time time_zone',
    pending_change: 'created_by created_root operation_id scopes',
    pending_change_field: 'field',
    rollup_state: 'time_zone',
    sales_day: 'currency',
    sales_pending: 'currency',
    sales_year: 'currency',
    saved_view: 'owner',
    webhook_attempt: 'fault',
    webhook_hearing: 'patterns',
  },
  'the-audit-log': { audit_log: 'actor_id details object_id object_kind operation_id request_id' },
  'the-erasure-itself': { member: 'erasure_reason' },
  'the-tenants-own': {
    api_key: 'allowed_ips hash last_four name root scopes',
    auth_provider: 'allowed_audiences issuer_url jwks_uri provider_id',
    commission_plan: 'draft name',
    commission_settings: 'manual_limit_minor manual_second_pair_minor',
    commission_plan_version: 'definition',
    exchange_rate: 'source',
    kyc_settings:
      'allowed_digest_algs app_token_sealed base_url client_id level_name previous_webhook_secret_sealed secret_key_sealed webhook_secret_sealed',
    member: 'group_key',
    member_group: 'key name',
    rate_override: 'items items_key pay',
    member_group_history: 'group_key',
    payment_settings: 'approved_recipient_countries base_url capabilities secret_key_sealed webhook_secrets_sealed',
    referral_settings: 'allowed_destination_hosts',
    link_tag: 'tag',
    tenant: 'name reporting_time_zone slug',
    webhook_endpoint: 'description event_types header_names headers_sealed old_secret_sealed rights secret_sealed url',
  },
  'the-tenants-people': {
    staff: 'email email_typed invited_by name password_hash provider_issuer provider_subject',
    staff_challenge: 'data token_hash',
    staff_failure: 'subject',
    staff_invite: 'token_hash',
    staff_passkey: 'credential_id name public_key transports',
    staff_provider: 'client_id client_secret_sealed issuer_url',
    staff_recovery_code: 'digest',
    staff_session: 'agent ip token_hash',
    staff_totp: 'secret_sealed',
  },
  seals: {
    audit_block: 'hash prev_hash',
    audit_block_entry: 'hash',
    audit_head: 'hash signature',
    ledger_block: 'hash prev_hash',
    ledger_block_entry: 'hash',
    ledger_check: 'block_hash',
    signing_key: 'kid private_sealed public_jwk',
  },
};

const namesOf = (columns: Record<string, string>): string[] =>
  Object.entries(columns).flatMap(([table, names]) => names.split(' ').map((name) => `${table}.${name}`));

test('each column is reached, or kept for a reason, and none is both', () => {
  const told = [...namesOf(REACHED), ...Object.values(KEPT).flatMap(namesOf)];
  expect(told.toSorted()).toEqual([...new Set(told)].toSorted());
  expect(told.toSorted()).toEqual(open.toSorted());
});

test('the page gives every reason, and names the columns', async () => {
  const page = await readFile('docs/security/erasure.md', 'utf8');
  for (const [reason, columns] of Object.entries(KEPT)) {
    const line = page.split('\n').find((one) => one.includes(`<a id="${reason}"></a>`)) ?? '';
    for (const [table, names] of Object.entries(columns)) {
      expect(line, reason).toContain(`\`${table}\``);
      expect(names).not.toBe('');
    }
  }
});
