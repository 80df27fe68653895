/** What of a tenant decides whether money leaves, as text that is equal where two tenants stand equal. */
import { createHash } from 'node:crypto';
import type { TestApp } from '../app/test-app.ts';

export type Row = Record<string, unknown>;
export type State = Record<string, Row[]>;

/**
 * Tables that are read by nothing on the way of money out, or that follow from others which are looked at. What an
 * operation changes in these alone does not lead a sequence on.
 */
export const WITHOUT_BEARING: Readonly<Record<string, string>> = {
  attribution_receipt: 'who is credited with a sale',
  auth_provider: 'who signs in; a member approves nothing',
  audit_block: 'the log',
  audit_block_entry: 'the log',
  audit_head: 'the log',
  audit_log: 'the log',
  audit_origin: 'the log',
  audit_unsealed: 'the log',
  commission_action: 'the history of a commission, which is looked at itself',
  commission_leg: 'a sum of commissions',
  commission_pending: 'a sum of commissions',
  commission_plan: 'what sales earn, which goes by a run like all else',
  commission_plan_version: 'the same',
  commission_rollup: 'a sum of commissions',
  customer: 'who bought',
  downline_count: 'a sum of members',
  downline_month: 'a sum of members',
  downline_pending: 'a sum of members',
  event: 'what commissions come from, which are looked at themselves',
  event_detail: 'texts of an event',
  exchange_rate: 'what sales earn, which goes by a run like all else',
  exchanged_token: 'who signs in; a member approves nothing',
  export_object: 'files',
  export_run: 'files',
  idempotency_key: 'stored answers; two-hands.test.ts is about them',
  import_row: 'files',
  import_run: 'files',
  journal_entry: 'the books, which follow from payouts and commissions',
  kyc_document: 'what a reviewer looks at; the decision is looked at',
  kyc_event: 'what a vendor has told; the decision is looked at',
  kyc_remark: 'texts of a verification',
  kyc_upload: 'files',
  lead: 'who may become a member',
  ledger_block: 'the books',
  ledger_block_entry: 'the books',
  ledger_check: 'what a check has found',
  ledger_total: 'the sums of sealed postings, which triggers keep',
  ledger_unsealed: 'the books',
  link_slug: 'links',
  link_tag: 'links',
  member_activity_history: 'the history of a member, who is looked at',
  member_identity: 'who signs in; a member approves nothing',
  member_former_email: 'the history of a member, who is looked at',
  member_group: 'groups of members',
  member_group_history: 'the history of a member',
  member_settings: 'who sees whom',
  member_sponsor_history: 'the history of a member',
  member_standing_history: 'the history of a member',
  member_tier_history: 'the history of a member',
  object_removal: 'files',
  payment_event: 'what the vendor has told; the payout is looked at',
  payout_block: 'why a draft pays somebody nothing',
  payout_schedule: 'it drafts, and the run is looked at',
  payout_schedule_run: 'what came of a scheduled draft; the run is looked at',
  posting: 'the books, which follow from payouts and commissions',
  referral_click: 'links',
  referral_code: 'links',
  referral_link: 'links',
  referral_settings: 'links',
  rollup_state: 'sums',
  rate_override: 'what sales earn, which goes by a run like all else',
  refresh_token: 'who signs in; a member approves nothing',
  ladder_settlement: 'what waits for a sweep',
  sales_day: 'a sum of sales',
  sales_pending: 'a sum of sales',
  sales_year: 'a sum of sales',
  sandbox_clock: 'the other environment',
  saved_view: 'filters of pages',
  session_cutoff: 'who signs in; a member approves nothing',
  staff_challenge: 'questions to browsers; who can answer them is looked at',
  staff_failure: 'how long a guess has to wait',
  staff_session: 'browsers; who can sign in is looked at',
  token_family: 'who signs in; a member approves nothing',
  widget_session: 'what members look at',
  widget_token: 'what members look at',
};

/** Of a row: names of its maker are told by their root; when it was changed says nothing. */
const IGNORED = ['tenant_id', 'environment', 'updated_at', 'hash', 'last_four', 'last_used_at', 'fingerprint', 'family_id'];

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/;

export interface Standing {
  /** Equal where nothing tells two tenants apart but names. */
  digest: string;
  /** What stands, a field a line; moments are left out. */
  lines: ReadonlySet<string>;
}

export interface StateReader {
  read(tenantId: string): Promise<State>;
  standing(state: State): Standing;
}

/** `known` ids are the same in all tenants; `secondRoot` is the key of the second root; those of people apart, all others are of the first, who is a person. */
export function createStateReader(
  app: TestApp,
  tables: readonly string[],
  known: ReadonlySet<string>,
  secondRoot: string,
  firstPerson: string,
): StateReader {
  const looked = tables.filter((table) => WITHOUT_BEARING[table] === undefined);
  const parts = looked.map(
    (table) =>
      `(select coalesce(jsonb_agg(to_jsonb(t) - '{${IGNORED.join(',')}}'::text[]), '[]') from ${table} t where t.tenant_id = $1) as ${table}`,
  );
  const text = `select ${parts.join(', ')}`;
  const unnamed = (id: string): string => (known.has(id) ? id : '*');
  const hands = (ref: string): string => {
    if (ref.includes(secondRoot)) return 'second';
    // Other people count as one of the two or do not.
    return ref.startsWith('staff:') && !ref.includes(firstPerson) ? ref.replace(UUID, unnamed) : 'first';
  };

  /** A value without what is by chance. Moments are told to six hours from now. */
  function plain(value: unknown, now: number, nameOf: (id: string) => string): string {
    return JSON.stringify(value, (_key, one: unknown) => {
      if (typeof one !== 'string') return one;
      if (one.startsWith('\\x')) return 'bytes';
      if (one.startsWith('$argon2')) return 'a password';
      if (INSTANT.test(one)) return `at ${Math.round((Date.parse(one) - now) / 21_600_000)}`;
      if (one.startsWith('api_key:')) return hands(one);
      return one.replace(UUID, nameOf);
    });
  }

  return {
    async read(tenantId) {
      const [row] = await app.database.asSuperuser<State>(text, [tenantId], 'read-state');
      if (!row) throw new Error('there is no state');
      return row;
    },
    standing(state) {
      const now = Date.now();
      const rows = Object.entries(state).flatMap(([table, all]) => all.map((row) => ({ table, row })));
      // A new row is called by what is in it, and so are those that name it.
      const names = new Map<string, string>();
      for (const { table, row } of rows) {
        const { id } = row;
        if (typeof id === 'string' && !known.has(id))
          names.set(id, table === 'api_key' ? 'key' : short(plain(row, now, unnamed)));
      }
      const named = (id: string): string => (known.has(id) ? id : (names.get(id) ?? '*'));
      const whole = new Set<string>();
      const lines = new Set<string>();
      for (const { table, row } of rows) {
        // Keys of a root with the same rights are alike.
        const { created_at: _at, created_by: _by, replaces_key_id: _replaced, name: _name, root, ...key } = row;
        const shown = table === 'api_key' ? { ...key, id: hands(String(root)) } : row;
        whole.add(`${table} ${plain(shown, now, named)}`);
        const name = `${table} ${named((row['id'] ?? row['member_id'] ?? row['payout_id'] ?? '') as string)}`;
        for (const [column, value] of Object.entries(shown)) {
          const field = plain(value, now, named);
          if (!field.includes('"at ')) lines.add(`${name} ${column} ${field}`);
        }
      }
      return { digest: short([...whole].toSorted().join('\n')), lines };
    },
  };
}

function short(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
