/** Books made by hand: journals posted, sealed and tampered with, without the features that post them. */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import { sealJournals } from '../../../src/features/ledger/ledger-service.ts';
import type { TestApp } from '../app/test-app.ts';

export interface PostingInput {
  account: string;
  memberId?: string;
  currency?: string;
  amountMinor: number | bigint;
}

export interface JournalInput {
  /** `clearing` unless said: a journal that no commission line has to agree with. */
  causeType?: string;
  causeId?: string;
  occurredAt?: string;
  recordedAt?: string;
  postings: PostingInput[];
}

/** Posts journals in one transaction of the service's role; returns their ids in the order given. */
export function postJournals(app: TestApp, scope: Scope, journals: JournalInput[]): Promise<string[]> {
  const { tenantId, environment } = scope;
  return app.composition.frames.write(scope, async (db) => {
    const ids: string[] = [];
    for (const { causeType = 'clearing', causeId = randomUUID(), occurredAt, recordedAt, postings } of journals) {
      const row = await db.row<{ id: string }>({
        text: `insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at, recorded_at)
               values ($1, $2, $3, $4, coalesce($5::timestamptz, now()), coalesce($6::timestamptz, clock_timestamp())) returning id`,
        values: [tenantId, environment, causeType, causeId, occurredAt ?? null, recordedAt ?? null],
      });
      await db.rows({
        text: `insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
               select $1, $2, $3, p.seq, p.account, p.member_id, p.currency, p.amount_minor
               from jsonb_to_recordset($4::jsonb) as p(seq smallint, account text, member_id uuid, currency text, amount_minor bigint)`,
        values: [tenantId, environment, row?.id, JSON.stringify(postings.map(postingRow))],
      });
      ids.push(row?.id ?? '');
    }
    return ids;
  });
}

const postingRow = ({ account, memberId, currency = 'USD', amountMinor }: PostingInput, seq: number) => ({
  seq,
  account,
  member_id: memberId ?? null,
  currency,
  amount_minor: String(amountMinor),
});

/** An amount credited to a member's account by the company; negative to take it back. */
export function credit(memberId: string, amountMinor: number, account = 'member:pending', currency = 'USD'): PostingInput[] {
  return [
    { account: 'company:commission_expense', currency, amountMinor: -amountMinor },
    { account, memberId, currency, amountMinor },
  ];
}

/** Journals of so many postings each, 3 and -3 by turns, past triggers and keys: a large ledger in a moment. */
export async function plantJournals(app: TestApp, { tenantId, environment }: Scope, sizes: number[]): Promise<string[]> {
  const scope = `'${tenantId}'::uuid, '${environment}'`;
  await tamper(
    app,
    `create temp table size as select uuidv7() as id, size from unnest(array[${sizes.join(', ')}]) with ordinality s(size, n) order by n;
     insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at, recorded_at)
       select ${scope}, id, 'clearing', id, '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z' from size;
     insert into posting (tenant_id, environment, journal_id, seq, account, currency, amount_minor)
       select ${scope}, size.id, n, case n % 2 when 0 then 'company:breakage' else 'company:write_off' end, 'USD', 3 - 6 * (n % 2)
       from size cross join generate_series(0, size.size - 1) n;
     insert into ledger_unsealed select ${scope}, id from size;
     drop table size`,
  );
  const rows = await app.database.asSuperuser<{ id: string }>(
    'select id from journal_entry where tenant_id = $1 and environment = $2 order by id',
    [tenantId, environment],
  );
  return rows.map(({ id }) => id);
}

export const seal = (app: TestApp, scope: Scope): Promise<number> =>
  app.composition.frames.write(scope, (db) => sealJournals(db, scope));

/** Seals until nothing waits; returns how many journals were sealed. */
export async function sealAll(app: TestApp, scope: Scope): Promise<number> {
  let sealed = 0;
  for (let more = await seal(app, scope); more > 0; more = await seal(app, scope)) sealed += more;
  return sealed;
}

/** Changes rows past every trigger and key. */
export async function tamper(app: TestApp, sql: string): Promise<void> {
  await app.database.asSuperuser(`set session_replication_role = replica; ${sql}; reset session_replication_role`);
}
