import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { MailKind, MailValues } from '../../../src/features/mail/open/mail-kinds.ts';
import { placesOf, writeMail } from '../../../src/features/mail/write-mail.ts';

const values: { [Kind in MailKind]: MailValues[Kind] } = {
  invite: { tenant: 'Acme', role: 'finance', link: 'https://pay.example.com/x', until: '2026-05-04 12:00 UTC' },
  new_password: { tenant: 'Acme', link: 'https://pay.example.com/x', until: '2026-05-04 12:00 UTC' },
  new_device: {
    tenant: 'Acme',
    at: '2026-05-04 12:00 UTC',
    ip: '192.0.2.1',
    agent: 'Firefox',
    link: 'https://pay.example.com/n',
  },
  email_changed: { tenant: 'Acme', at: '2026-05-04 12:00 UTC' },
  payout_account_changed: { tenant: 'Acme', at: '2026-05-04 12:00 UTC', lastFour: '4242' },
  payout_paid: { tenant: 'Acme', amount: 'EUR 12.50', at: '2026-05-04', unsubscribe: 'https://pay.example.com/u' },
  payout_failed: { tenant: 'Acme', amount: 'EUR 12.50', at: '2026-05-04', unsubscribe: 'https://pay.example.com/u' },
};

describe('the texts of mails', () => {
  it('are one file a kind', () => {
    const files = readdirSync(new URL('../../../src/features/mail/texts', import.meta.url));
    expect(files.toSorted()).toEqual(
      Object.keys(values)
        .map((kind) => `${kind}.txt`)
        .toSorted(),
    );
  });

  it.each(Object.entries(values) as [MailKind, Record<string, string>][])(
    'of %s have a place for each value, and no other',
    (kind, of) => {
      expect(placesOf(kind)).toEqual(Object.keys(of).toSorted());
      const { subject, text } = writeMail(kind, of);
      expect(subject).toMatch(/\S/);
      for (const value of Object.values(of)) expect(`${subject}\n${text}`).toContain(value);
      expect(`${subject}\n${text}`).not.toMatch(/\{\{|\}\}/);
    },
  );

  it('take no line, header or place from a name', () => {
    const tenant = 'Acme\r\nBcc: eve@example.com\u2028{{link}}\u0000$&';
    const { subject, text } = writeMail('invite', { ...values.invite, tenant });
    expect(subject).toBe('You are invited to Acme Bcc: eve@example.com {{link}} $&');
    expect(text.split('\n')[0]).toBe('You are invited to join Acme Bcc: eve@example.com {{link}} $& as finance.');
  });

  it('cut what is too long to be a name', () => {
    expect(writeMail('invite', { ...values.invite, tenant: 'x'.repeat(10_000) }).subject.length).toBeLessThan(600);
  });

  it('are not made with a value missing, nor with one of every object', () => {
    const { tenant: _tenant, ...rest } = values.invite;
    expect(() => writeMail('invite', rest)).toThrow('has no tenant');
  });
});
