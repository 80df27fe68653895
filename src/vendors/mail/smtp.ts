/** Mail by SMTP, to the server that the deployment names. */
import type { Transporter } from 'nodemailer';

export interface OutgoingMessage {
  /** The same at each attempt, so that receivers know a repeat. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** Where mail of this kind is refused, for what is not about security. */
  unsubscribe?: string | undefined;
}

export interface MailServer {
  /** `refused`: the server wants neither this mail nor a repeat. Throws MailFault for all that a repeat may mend. */
  send(message: OutgoingMessage): Promise<{ sent: true } | { sent: false; smtpCode: number }>;
  close(): void;
}

/** Why a mail was not handed over. The words of the server are left out: they quote the address. */
export class MailFault extends Error {
  readonly code: string;
  constructor(code: string, smtpCode: number | undefined) {
    super(`the mail server cannot be used: ${code}${smtpCode === undefined ? '' : ` ${smtpCode}`}`);
    this.name = 'MailFault';
    this.code = code;
  }
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A password goes over an encrypted connection only, or within the machine. */
function needsTls(url: URL): boolean {
  return url.protocol === 'smtp:' && url.password !== '' && !LOOPBACK.test(url.hostname);
}

export function createSmtpServer({ url, from }: { url: string; from: string }): MailServer {
  const parsed = new URL(url);
  const secure = parsed.protocol === 'smtps:';
  let transport: Promise<Transporter> | undefined;
  const options = {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? (secure ? 465 : 587) : Number(parsed.port),
    secure,
    requireTLS: needsTls(parsed),
    ...(parsed.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(parsed.username), pass: decodeURIComponent(parsed.password) } }),
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  // The library is loaded with the first mail.
  const open = async (): Promise<Transporter> => (await import('nodemailer')).createTransport(options);
  const host = /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

  return {
    async send({ id, to, subject, text, unsubscribe }) {
      try {
        transport ??= open();
        await (await transport).sendMail({
          from,
          // As an object: an address is never parsed, so none becomes two.
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@${host}>`,
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            // The button of mail programs, which opens no page: RFC 8058.
            ...(unsubscribe === undefined ? {} : { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
          },
          ...(unsubscribe === undefined ? {} : { list: { unsubscribe } }),
        });
        return { sent: true };
      } catch (error) {
        const {
          code = 'ESMTP',
          command = '',
          responseCode,
        } = error as { code?: string; command?: string; responseCode?: number };
        const isOfMail = command === 'RCPT TO' || command === 'DATA';
        if (isOfMail && responseCode !== undefined && responseCode >= 500) return { sent: false, smtpCode: responseCode };
        throw new MailFault(code, responseCode);
      }
    },
    close: () =>
      void transport?.then(
        (opened) => opened.close(),
        () => undefined,
      ),
  };
}
