/** Mail to people and members, where the deployment names a mail server. */
import { defineFeature } from '../../house/feature.ts';
import { createSmtpServer } from '../../vendors/mail/smtp.ts';
import { mailPersonal } from './mail-personal.ts';
import { forgetMail } from './mail-queries.ts';
import { createMailJob, createMailService, type MailService, SEND_MAIL } from './mail-service.ts';
import { createMailSettingsPart, mailSettingsDeclaration } from './mail-settings-part.ts';
import { createRefusals, type Refusals } from './refusals.ts';

export interface MailOffers extends MailService {
  refusals: Pick<Refusals, 'look' | 'refuse'>;
}

const FORGET_MAIL = 'forget-mail';

export const mailFeature = defineFeature({
  name: 'mail',
  tables: ['outgoing_mail', 'mail_refusal', 'mail_settings'],
  kept: ['mail_settings'],
  settings: mailSettingsDeclaration,
  sealed: [{ kind: 'for a time', table: 'outgoing_mail', column: 'content_sealed' }],
  personal: mailPersonal,
  jobs: [{ name: SEND_MAIL, kind: 'leased', longestSeconds: 120 }],
  due: { [FORGET_MAIL]: [{ table: 'outgoing_mail', at: 'forget_at', clock: 'database' }] },
  open({ frames, cipher, pepper, ownAddress, queue, logger, config: { SMTP_URL, MAIL_FROM } }) {
    const server =
      SMTP_URL === undefined || MAIL_FROM === undefined ? undefined : createSmtpServer({ url: SMTP_URL, from: MAIL_FROM });
    const refusals = createRefusals({ frames, pepper, ownAddress });
    const service = createMailService({ cipher, queue, isOn: server !== undefined, refusals });
    return {
      offers: { ...service, refusals } satisfies MailOffers,
      settings: createMailSettingsPart(),
      sweeps: [{ name: FORGET_MAIL, batchSize: 1_000, run: forgetMail }],
      handlers: [createMailJob({ cipher, server, logger })],
      close: () => server?.close(),
    };
  },
});
