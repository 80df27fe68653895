/** Mail is sent exactly when its cause commits, and says nothing to anybody else. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import type { Mail } from '../../../src/features/mail/open/mail-kinds.ts';
import { mail as mailHandle } from '../../../src/features.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { startMailServer, type TestMailServer } from '../../support/mail/mail-server.ts';

let server: TestMailServer;
let app: TestApp;
let scope: Scope;

const FROM = 'Acme payouts <no-reply@pay.example.com>';
const SECRET = 'of-the-link-4711';
const invite = (to = 'ann@example.com'): Mail => ({
  kind: 'invite',
  to,
  recipient: 'staff:0192f0c1-2222-7333-8444-555566667777',
  values: { tenant: 'Acme', role: 'finance', link: `https://pay.example.com/${SECRET}`, until: 'tomorrow' },
});

beforeAll(async () => {
  server = await startMailServer({ password: 'pass@word/1' });
  app = await startTestApp({ JOBS: 'inline', SWEEP_INTERVAL_MS: '50', SMTP_URL: server.url, MAIL_FROM: FROM });
  scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
});
afterAll(async () => {
  await app.close();
  await server.close();
});
afterEach(() => {
  server.received.length = 0;
  server.refusals.length = 0;
});

const frames = () => app.composition.frames;
const mail = () => app.composition.offer(mailHandle);

async function queue(one: Mail): Promise<string> {
  await frames().write(scope, (db) => mail().queue(db, scope, one));
  const [row] = await app.database.asSuperuser<{ id: string }>('select id from outgoing_mail order by id desc limit 1');
  if (!row) throw new Error('no mail was queued');
  return row.id;
}

async function settled(id: string): Promise<{ state: string; smtp_code: number | null; content_sealed: Buffer | null }> {
  for (let tries = 0; tries < 500; tries++) {
    const [row] = await app.database.asSuperuser<{ state: string; smtp_code: number | null; content_sealed: Buffer | null }>(
      'select state, smtp_code, content_sealed from outgoing_mail where id = $1',
      [id],
    );
    if (row && row.state !== 'queued') return row;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the mail was not settled');
}

describe('mail', () => {
  it('is sent with its text, sender and an id that a repeat would have too', async () => {
    const id = await queue(invite());
    await server.until(1);
    expect(await settled(id)).toEqual({ state: 'sent', smtp_code: null, content_sealed: null });
    const [{ to, mail: got } = { to: [], mail: undefined }] = server.received;
    expect(to).toEqual(['ann@example.com']);
    expect(got).toMatchObject({ subject: 'You are invited to Acme', messageId: `<${id}@pay.example.com>` });
    expect(got?.from?.text).toBe('"Acme payouts" <no-reply@pay.example.com>');
    expect(got?.text).toContain(`https://pay.example.com/${SECRET}`);
    expect(got?.html).toBe(false);
    expect(got?.headers.get('auto-submitted')).toBe('auto-generated');
    expect(got?.headers.has('list')).toBe(false);
  });

  it('is not sent when its cause is undone', async () => {
    const undone = frames().write(scope, async (db) => {
      await mail().queue(db, scope, invite('undone@example.com'));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const id = await queue(invite('done@example.com'));
    await settled(id);
    expect(server.received.map(({ to }) => to)).toEqual([['done@example.com']]);
  });

  it('lies sealed while it waits, and neither address nor link is in the database or the log', async () => {
    server.refusals.push({ at: 'recipient', code: 451 });
    const id = await queue(invite('waiting@example.com'));
    const [row] = await app.database.asSuperuser<{ text: string; sealed: string }>(
      `select m::text as text, encode(content_sealed, 'escape') as sealed from outgoing_mail m where id = $1`,
      [id],
    );
    expect(`${row?.text}${row?.sealed}`).not.toMatch(/waiting@|4711/);
    await settled(id);
    const jobs = await app.database.asSuperuser<{ text: string }>('select j::text as text from pgboss.job_common j');
    expect(jobs.map(({ text }) => text).join()).not.toMatch(/waiting@|4711/);
    expect(app.logLines.join()).not.toMatch(/waiting@example|4711|no mail for you|pass@word/);
  });

  it('is tried again when the server says later, and comes once', async () => {
    server.refusals.push({ at: 'data', code: 451 }, { at: 'recipient', code: 421 });
    const id = await queue(invite('later@example.com'));
    expect(await settled(id)).toMatchObject({ state: 'sent' });
    expect(server.received.map(({ to }) => to)).toEqual([['later@example.com']]);
    expect(app.logLines.some((line) => line.includes('job failed: to be repeated'))).toBe(true);
  });

  it('is given up when the server refuses the address, and what it said goes', async () => {
    server.refusals.push({ at: 'recipient', code: 550 });
    const id = await queue(invite('nobody@example.com'));
    expect(await settled(id)).toEqual({ state: 'refused', smtp_code: 550, content_sealed: null });
    expect(server.received).toEqual([]);
  });

  it('goes to one address, whatever the address looks like', async () => {
    const to = '"a, eve@evil.test"@example.com';
    const id = await queue(invite(to));
    await settled(id);
    expect(server.received.every(({ to: sent }) => sent.every((address) => address.endsWith('@example.com')))).toBe(true);
  });

  it('names where mail about payouts is refused', async () => {
    const unsubscribe = 'https://pay.example.com/unsubscribe/1';
    const values = { tenant: 'Acme', amount: 'EUR 12.50', at: '2026-05-04', unsubscribe };
    const id = await queue({
      kind: 'payout_paid',
      to: 'bo@example.com',
      recipient: 'member:0192f0c1-2222-7333-8444-000000000000',
      values,
    });
    await settled(id);
    expect(server.received[0]?.mail.headers.get('list')).toMatchObject({ unsubscribe: { url: unsubscribe } });
  });

  it('is forgotten after seven days, sent or not', async () => {
    const id = await queue(invite());
    await settled(id);
    expect(await app.runSweep('forget-mail')).toBe(0);
    await app.database.asSuperuser(`update outgoing_mail set forget_at = now() - interval '1 second' where id = $1`, [id]);
    await app.runSweep('forget-mail');
    expect(await app.database.asSuperuser('select id from outgoing_mail where id = $1', [id])).toEqual([]);
  });

  it('does not reach into another tenant', async () => {
    const other: Scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
    const id = await queue(invite());
    await settled(id);
    const rows = await frames().read(other, (db) => db.rows({ text: 'select id from outgoing_mail', values: [] }));
    expect(rows).toEqual([]);
  });
});

describe('without a mail server', () => {
  it('nothing is queued', async () => {
    const plain = await startTestApp();
    try {
      const tenant: Scope = { tenantId: (await plain.newTenant()).tenantId, environment: 'LIVE' };
      const offers = plain.composition.offer(mailHandle);
      expect(offers.isOn).toBe(false);
      await plain.composition.frames.write(tenant, (db) => offers.queue(db, tenant, invite()));
      expect(await plain.database.asSuperuser('select id from outgoing_mail where tenant_id = $1', [tenant.tenantId])).toEqual(
        [],
      );
    } finally {
      await plain.close();
    }
  });
});
