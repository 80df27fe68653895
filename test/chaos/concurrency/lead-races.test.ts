/** Leads that several reach for at once: one lead, one member, one referrer, and receipts that agree with it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { countStatuses, type Load, openLoad, type RawAnswer } from '../../support/app/model-load.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';

vi.setConfig({ testTimeout: 300_000 }); // a busy machine takes its time

const CLIENTS = 32;

let app: TestApp;
let load: Load;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '20' });
  load = openLoad(CLIENTS);
});
afterAll(async () => {
  load.close();
  await app.close();
});

const bodyOf = ({ text }: RawAnswer) => JSON.parse(text);
/** Of the refusals. */
const codesOf = (answers: readonly RawAnswer[]): string[] => [
  ...new Set(answers.filter(({ status }) => status >= 400).map((answer) => String(bodyOf(answer).code))),
];

async function open() {
  const { tenantId, liveKey: key } = await app.newTenant();
  const client = apiClient(app, key);
  const email = `lead-${randomUUID()}@shop.example`;
  const to = (path: string, body: object = {}, method: 'POST' | 'PATCH' = 'POST') => ({
    baseUrl: app.baseUrl,
    key,
    method,
    path: `/api/v1/${path}`,
    body,
  });
  return { tenantId, client, email, to };
}

async function membersWith(email: string): Promise<{ id: string; parent_id: string | null }[]> {
  return app.database.asSuperuser('select id, parent_id from member where email_norm = $1', [email]);
}

test('1,000 captures of one email with two codes make one lead, and each of its receipts names its one referrer', async () => {
  const { tenantId, client, email, to } = await open();
  const sponsors = [await client.newMember(), await client.newMember()];
  const captures = Array.from({ length: 1_000 }, (_, index) =>
    to('leads/capture', { email, referral_code: sponsors[index % 2]?.referral_code }),
  );
  // The first of them meet a lead that is not committed and will not be: they all have seen none when it goes.
  let sending: Promise<RawAnswer[]> | undefined;
  const abandoned = app.composition.frames.write({ tenantId, environment: 'LIVE' }, async (db) => {
    const text = "insert into lead (tenant_id, environment, email) values ($1, 'LIVE', $2)";
    await db.rows({ text, values: [tenantId, email] });
    sending = load.sendAllUntilTaken(captures);
    await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(9), { timeout: 20_000 });
    throw new Error('abandoned');
  });
  await expect(abandoned).rejects.toThrow('abandoned');
  const answers = await (sending as Promise<RawAnswer[]>);
  expect(countStatuses(answers)).toEqual({ 201: 1, 200: 999 });
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const lead = bodyOf(answers[0] as RawAnswer);
  expect(sponsors.map(({ id }) => id)).toContain(lead.referrer_user_id);
  expect(await app.database.asSuperuser('select id from lead where tenant_id = $1', [tenantId])).toEqual([{ id: lead.id }]);
  const { data } = (await client.get(`/api/v1/referrals/attributions?lead_id=${lead.id}`)).body;
  expect(data.map((receipt: { user_id: string }) => receipt.user_id)).toEqual(Array(3).fill(lead.referrer_user_id));
  expect(data.map((receipt: { rule: string }) => receipt.rule)).toEqual(['referral_code', 'standing', 'standing']);
  expect(data[0].id).toBe(lead.attribution_receipt_id);
});

test('20 conversions at once make one member', async () => {
  const { client, email, to } = await open();
  const sponsor = await client.newMember();
  const { body: lead } = await client.post('/api/v1/leads/capture', { email, referral_code: sponsor.referral_code });
  const answers = await load.sendAll(Array.from({ length: 20 }, () => to(`leads/${lead.id}/convert`)));
  expect(countStatuses(answers)).toEqual({ 201: 1, 409: 19 });
  expect(codesOf(answers)).toEqual(['STATE_CONFLICT']);
  const [member, ...others] = await membersWith(email);
  expect([member?.parent_id, others]).toEqual([sponsor.id, []]);
  expect((await client.get(`/api/v1/leads/${lead.id}`)).body.converted_user_id).toBe(member?.id);
});

test('conversions and creations of a member with the email, at once, make one member and no deadlock', async () => {
  const before = await deadlocks();
  for (let round = 0; round < 10; round++) {
    const { client, email, to } = await open();
    const { body: lead } = await client.post('/api/v1/leads/capture', { email });
    const answers = await load.sendAll(
      Array.from({ length: 16 }, (_, index) =>
        index % 2 === round % 2 ? to(`leads/${lead.id}/convert`) : to('users', { email: email.toUpperCase() }),
      ),
    );
    expect(countStatuses(answers)).toEqual({ 201: 1, 409: 15 });
    expect(['EMAIL_EXISTS', 'STATE_CONFLICT']).toEqual(expect.arrayContaining(codesOf(answers)));
    const members = await membersWith(email);
    expect(members.length).toBe(1);
    const after = (await client.get(`/api/v1/leads/${lead.id}`)).body;
    expect(after).toMatchObject({ conversion_status: 'converted', converted_user_id: members[0]?.id });
  }
  expect(await deadlocks()).toBe(before);
});

test('a conversion and a disqualification at once: one of them, and nothing of the other', async () => {
  for (let round = 0; round < 20; round++) {
    const { client, email, to } = await open();
    const { body: lead } = await client.post('/api/v1/leads/capture', { email });
    const answers = await load.sendAll([
      to(`leads/${lead.id}/convert`),
      to(`leads/${lead.id}`, { conversion_status: 'disqualified' }, 'PATCH'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers[0]?.status === 201 ? [201, 409] : [409, 200]);
    expect(codesOf(answers)).toEqual(['STATE_CONFLICT']);
    const isConverted = answers[0]?.status === 201;
    expect((await client.get(`/api/v1/leads/${lead.id}`)).body.conversion_status).toBe(
      isConverted ? 'converted' : 'disqualified',
    );
    expect((await membersWith(email)).length).toBe(isConverted ? 1 : 0);
  }
});

test('a disqualification that comes between the reading of the lead and its conversion leaves no member', async () => {
  const { tenantId, client, email, to } = await open();
  const { body: lead } = await client.post('/api/v1/leads/capture', { email });
  const scope = { tenantId, environment: 'LIVE' } as const;
  let converting: Promise<RawAnswer> | undefined;
  await app.composition.frames.write(scope, async (db) => {
    const values = [tenantId, 'LIVE', lead.id];
    const where = 'where tenant_id = $1 and environment = $2 and id = $3';
    await db.rows({ text: `update lead set conversion_status = 'disqualified' ${where}`, values });
    converting = load.send(to(`leads/${lead.id}/convert`));
    await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(0), { timeout: 20_000 });
  });
  const answer = await (converting as Promise<RawAnswer>);
  expect([answer.status, bodyOf(answer).code]).toEqual([409, 'STATE_CONFLICT']);
  expect(await membersWith(email)).toEqual([]);
});

test('a conversion and a capture that finds the referrer, at once: the member is under whom the lead names, or came first', async () => {
  for (let round = 0; round < 20; round++) {
    const { client, email, to } = await open();
    const sponsor: MemberBody = await client.newMember();
    const { body: lead } = await client.post('/api/v1/leads/capture', { email });
    const [captured, converted] = await load.sendAll([
      to('leads/capture', { email, referral_code: sponsor.referral_code }),
      to(`leads/${lead.id}/convert`),
    ]);
    expect([captured?.status, converted?.status]).toEqual([200, 201]);
    const { user } = bodyOf(converted as RawAnswer);
    // Captured behind the conversion, the lead was converted when it found its referrer.
    const captureSaw = bodyOf(captured as RawAnswer).conversion_status;
    expect(user.parent_id).toBe(captureSaw === 'captured' ? sponsor.id : null);
  }
});

async function deadlocks(): Promise<number> {
  const [row] = await app.database.asSuperuser<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  return Number(row?.deadlocks);
}

async function waiting(): Promise<number> {
  const rows = await app.database.asSuperuser(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
}
