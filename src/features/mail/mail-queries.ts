/** Mail that waits to be sent, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { ownTenant, tenantTable } from '../../db/tenant-table.ts';
import type { MailKind } from './open/mail-kinds.ts';

const mail = tenantTable('outgoing_mail');
const member = tenantTable('member');

/** In SQL: as a person reads it, wherever that person is. */
const NOW_TEXT = `to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')`;

interface NewMail {
  id: string;
  kind: MailKind;
  recipient: string;
  contentSealed: Buffer;
}

const insert = statement<unknown, NewMail>('mail_insert', ({ id, kind, recipient, contentSealed }) =>
  mail().insert({ id, kind, recipient, content_sealed: contentSealed }),
);

export async function insertMail(db: Db, scope: Scope, given: NewMail): Promise<void> {
  await db.rows(insert(scope, given));
}

export interface QueuedMail {
  kind: MailKind;
  contentSealed: Buffer;
}

const find = statement<QueuedMail, { id: string }>('mail_find', ({ id }) =>
  mail().where({ id, state: 'queued' }).select({ kind: 'kind', contentSealed: 'content_sealed' }),
);

/** Undefined of one that was sent, refused or forgotten. */
export function findQueued(db: Db, scope: Scope, id: string): Promise<QueuedMail | undefined> {
  return db.row(find(scope, { id }));
}

const settle = statement<unknown, { id: string; state: 'sent' | 'refused'; smtpCode: number | null }>(
  'mail_settle',
  ({ id, state, smtpCode }) =>
    mail()
      .where({ id, state: 'queued' })
      .update({ state, smtp_code: smtpCode, content_sealed: null, settled_at: raw('now()') }),
);

/** What it said goes with that. */
export async function settleMail(
  db: Db,
  scope: Scope,
  settled: { id: string; state: 'sent' | 'refused'; smtpCode: number | null },
): Promise<void> {
  await db.rows(settle(scope, settled));
}

const forget = statement<{ id: string }, { limit: number }>('mail_forget', ({ limit }) =>
  raw(
    `delete from outgoing_mail m where ${ofTenant('m')} and m.id in (
       select d.id from outgoing_mail d where ${ofTenant('d')} and d.forget_at <= now()
       order by d.forget_at limit :limit for update skip locked)
     returning m.id`,
    { limit },
  ),
);

/** How many there were, oldest first. */
export async function forgetMail(db: Db, scope: Scope, limit: number): Promise<number> {
  return (await db.rows(forget(scope, { limit }))).length;
}

/** What waits to be sent to a member, and that something was. */
export const forgetMailTo = statement<unknown, { recipient: string }>('mail_forget_recipient', ({ recipient }) =>
  mail().where({ recipient }).delete(),
);

const tenantFacts = statement<{ tenant: string; at: string }>('mail_tenant_facts', () =>
  ownTenant().select(raw(`name as tenant, ${NOW_TEXT} as at`)),
);

/** What every mail says: the name of the tenant, and what time it is. */
export async function readTenantFacts(db: Db, scope: Scope): Promise<{ tenant: string; at: string }> {
  const row = await db.row(tenantFacts(scope));
  if (!row) throw new Error('the tenant of the scope does not exist');
  return row;
}

export interface MemberFacts {
  email: string;
  erased: boolean;
  /** Whether the tenant has members told of payouts. */
  payouts: boolean;
  /** Whether the member wants no mail about them. */
  refused: boolean;
}

const memberFacts = statement<MemberFacts, { memberId: string }>('mail_member_facts', ({ memberId }) =>
  member('m')
    .where('m.id', memberId)
    .select(
      raw(`m.email, m.erased_at is not null as erased,
        exists (select from mail_settings s where ${ofTenant('s')} and s.payouts) as payouts,
        exists (select from mail_refusal r where ${ofTenant('r')} and r.member_id = m.id) as refused`),
    ),
);

export function readMemberFacts(db: Db, scope: Scope, memberId: string): Promise<MemberFacts | undefined> {
  return db.row(memberFacts(scope, { memberId }));
}

const formerAddresses = statement<{ email: string }, { memberId: string }>('mail_former_addresses', ({ memberId }) =>
  tenantTable('member_former_email')('f')
    .where('f.member_id', memberId)
    .whereRaw("f.replaced_at > now() - interval '30 days'")
    .orderBy('f.replaced_at', 'desc')
    .limit(3)
    .select('f.email'),
);

/** Those that the member had within the last 30 days, the latest three. */
export async function listFormerAddresses(db: Db, scope: Scope, memberId: string): Promise<string[]> {
  return (await db.rows(formerAddresses(scope, { memberId }))).map(({ email }) => email);
}

const refuse = statement<{ memberId: string }, { memberId: string }>('mail_refuse', ({ memberId }) =>
  raw(
    `insert into mail_refusal (tenant_id, environment, member_id)
     select m.tenant_id, m.environment, m.id from member m
     where ${ofTenant('m')} and m.id = :memberId and m.erased_at is null
     on conflict do nothing returning member_id as "memberId"`,
    { memberId },
  ),
);

/** False where it was so already, or there is no such member. */
export async function storeRefusal(db: Db, scope: Scope, memberId: string): Promise<boolean> {
  return (await db.row(refuse(scope, { memberId }))) !== undefined;
}

export const forgetRefusal = statement<unknown, { memberId: string }>('mail_forget_refusal', ({ memberId }) =>
  tenantTable('mail_refusal')().where({ member_id: memberId }).delete(),
);
