/** Mail: written down in the transaction of its cause, sent by a job. Source: docs/specification/mail.md. */
import type { Logger } from 'pino';
import { z } from 'zod';
import { newId } from '../../db/cross-tenant-lookups.ts';
import type { Db, Scope } from '../../db/scope.ts';
import type { Cipher } from '../../encryption.ts';
import type { LeasedHandler } from '../../jobs/job.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { MailServer } from '../../vendors/mail/smtp.ts';
import { findQueued, insertMail, listFormerAddresses, readMemberFacts, readTenantFacts, settleMail } from './mail-queries.ts';
import { isRefusable, type Mail, type MailToMember, type MailToPerson } from './open/mail-kinds.ts';
import type { Refusals } from './refusals.ts';
import { writeMail } from './write-mail.ts';

export const SEND_MAIL = 'send-mail';

export interface MailService {
  /** Whether the deployment sends mail. Without it links are handed over. */
  readonly isOn: boolean;
  /**
   * A part of the caller's transaction: when that commits the mail is sent, once or, after a crash, again under the same
   * Message-ID. Does nothing where the deployment sends no mail.
   */
  queue(db: Db, scope: Scope, mail: Mail): Promise<void>;
  /** The same to one of the tenant's people. */
  toPerson(db: Db, scope: Scope, mail: MailToPerson): Promise<void>;
  /**
   * The same to a member of LIVE: a SANDBOX mails nobody. What the member may refuse goes out only where the tenant's
   * settings say so, and names where to refuse it. That an account is another goes to addresses of the last 30 days too.
   */
  toMember(db: Db, scope: Scope, mail: MailToMember): Promise<void>;
}

/** Mail to members, as other features send it. */
export type MemberMail = Pick<MailService, 'isOn' | 'toMember'>;

/** What the ciphertext of a mail is bound to. */
export function mailPlace({ tenantId, environment }: Scope, id: string): readonly string[] {
  return [tenantId, environment, 'outgoing_mail', id];
}

const content = z.object({ to: z.string(), values: z.record(z.string(), z.string()) });

interface Deps {
  cipher: Cipher;
  queue: JobQueue;
  isOn: boolean;
  refusals: Pick<Refusals, 'linkFor'>;
}

export function createMailService({ cipher, queue, isOn, refusals }: Deps): MailService {
  async function put(db: Db, scope: Scope, { kind, to, recipient, values }: Mail): Promise<void> {
    const id = (await db.row(newId()))?.id;
    if (id === undefined) throw new Error('no id was made');
    const sealed = cipher.encrypt(Buffer.from(JSON.stringify({ to, values })), mailPlace(scope, id));
    await insertMail(db, scope, { id, kind, recipient, contentSealed: sealed });
    await queue.enqueue(db, scope, SEND_MAIL, { mailId: id });
  }

  return {
    isOn,

    async queue(db, scope, mail) {
      if (isOn) await put(db, scope, mail);
    },

    async toPerson(db, scope, { kind, values, staffId, to }) {
      if (!isOn) return;
      const facts = await readTenantFacts(db, scope);
      await put(db, scope, { kind, to, recipient: `staff:${staffId}`, values: { ...facts, ...values } } as Mail);
    },

    async toMember(db, scope, { kind, values, memberId, alsoTo }) {
      if (!isOn || scope.environment !== 'LIVE') return;
      const member = await readMemberFacts(db, scope, memberId);
      if (!member || member.erased) return;
      if (isRefusable(kind) && (!member.payouts || member.refused)) return;
      const facts = await readTenantFacts(db, scope);
      const former = kind === 'payout_account_changed' ? await listFormerAddresses(db, scope, memberId) : [];
      const unsubscribe = isRefusable(kind) ? { unsubscribe: refusals.linkFor(scope, memberId) } : {};
      for (const to of new Set([member.email, ...(alsoTo === undefined ? [] : [alsoTo]), ...former])) {
        await put(db, scope, {
          kind,
          to,
          recipient: `member:${memberId}`,
          values: { ...facts, ...values, ...unsubscribe },
        } as Mail);
      }
    },
  };
}

/** Sends one mail. Broken off between sending and noting it, the mail is sent again under the same id. */
export function createMailJob({
  cipher,
  server,
  logger,
}: {
  cipher: Cipher;
  server: MailServer | undefined;
  logger: Logger;
}): LeasedHandler {
  return {
    name: SEND_MAIL,
    kind: 'leased',
    async run(frames, { scope, ids }) {
      const id = ids['mailId'] ?? '';
      const queued = await frames.read(scope, (db) => findQueued(db, scope, id));
      if (!queued) return;
      if (!server) throw new Error('SMTP_URL is not set: the mail waits');
      const { to, values } = content.parse(JSON.parse(cipher.decrypt(queued.contentSealed, mailPlace(scope, id)).toString()));
      const answer = await server.send({ id, to, ...writeMail(queued.kind, values), unsubscribe: values['unsubscribe'] });
      if (!answer.sent) {
        logger.warn({ ...scope, mailId: id, kind: queued.kind, smtpCode: answer.smtpCode }, 'a mail was refused for good');
      }
      const settled = answer.sent
        ? ({ id, state: 'sent', smtpCode: null } as const)
        : ({ id, state: 'refused', smtpCode: answer.smtpCode } as const);
      await frames.write(scope, (db) => settleMail(db, scope, settled), { repeatable: true });
    },
  };
}
