/** Mail that waits to be sent, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { MailKind } from './open/mail-kinds.ts';

const mail = tenantTable('outgoing_mail');

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
