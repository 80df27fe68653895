/** Mail: written down in the transaction of its cause, sent by a job. Source: docs/specification/mail.md. */
import type { Logger } from 'pino';
import { z } from 'zod';
import { newId } from '../../db/cross-tenant-lookups.ts';
import type { Db, Scope } from '../../db/scope.ts';
import type { Cipher } from '../../encryption.ts';
import type { LeasedHandler } from '../../jobs/job.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { MailServer } from '../../vendors/mail/smtp.ts';
import { findQueued, insertMail, settleMail } from './mail-queries.ts';
import type { Mail } from './open/mail-kinds.ts';
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
}

/** What the ciphertext of a mail is bound to. */
export function mailPlace({ tenantId, environment }: Scope, id: string): readonly string[] {
  return [tenantId, environment, 'outgoing_mail', id];
}

const content = z.object({ to: z.string(), values: z.record(z.string(), z.string()) });

export function createMailService({ cipher, queue, isOn }: { cipher: Cipher; queue: JobQueue; isOn: boolean }): MailService {
  return {
    isOn,
    async queue(db, scope, { kind, to, recipient, values }) {
      if (!isOn) return;
      const id = (await db.row(newId()))?.id;
      if (id === undefined) throw new Error('no id was made');
      const sealed = cipher.encrypt(Buffer.from(JSON.stringify({ to, values })), mailPlace(scope, id));
      await insertMail(db, scope, { id, kind, recipient, contentSealed: sealed });
      await queue.enqueue(db, scope, SEND_MAIL, { mailId: id });
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
