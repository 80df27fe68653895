/** Members read by their id and by the tenant's own ids, and who has what is taken (docs/specification/hierarchy.md#own-ids). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let sandbox: ApiClient;
let stranger: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  stranger = apiClient(app, (await app.newTenant()).liveKey);
});
afterAll(() => app.close());

const idsOf = (members: readonly MemberBody[]) => members.map((member) => member.id);
const listed = async (query: string, by = client) => idsOf((await by.get(`/api/v1/users?${query}`)).body.data);

describe('GET /users/{user_id}', () => {
  test('the member as it was created, where Location says', async () => {
    const created = await client.post('/api/v1/users', { email: 'Ada@shop.example', name: 'Ada', external_id: 'crm 1/ä' });
    const answer = await client.get(created.headers['location'] as string);
    expect([answer.status, answer.body]).toEqual([200, created.body]);
  });

  test("another's is the same 404 as nobody's", async () => {
    const member = await client.newMember();
    const answers = await Promise.all(
      [stranger, sandbox].flatMap((by) => [member.id, randomUUID()].map((id) => by.get(`/api/v1/users/${id}`))),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.code).toBe('USER_NOT_FOUND');
    expectRefusal(await client.get('/api/v1/users/no-uuid'), 400, 'VALIDATION_ERROR', ['user_id']);
  });
});

describe('GET /users', () => {
  test('by external id, exactly, in its own tenant and environment', async () => {
    const external = 'CRM/42 ä%';
    const member = await client.newMember({ external_id: external });
    await client.newMember({ external_id: 'CRM/42 ä%b' });
    await client.newMember();
    const query = `external_id=${encodeURIComponent(external)}`;
    expect(await listed(query)).toEqual([member.id]);
    expect(await listed(query.toLowerCase())).toEqual([]);
    expect([await listed(query, sandbox), await listed(query, stranger)]).toEqual([[], []]);
  });

  test('by ids: those that there are, each once, at most a hundred', async () => {
    const [one, two, three] = [await client.newMember(), await client.newMember(), await client.newMember()];
    const other = await stranger.newMember();
    const ids = [three.id, one.id.toUpperCase(), one.id, other.id, randomUUID()].join(',');
    expect(await listed(`ids=${ids}`)).toEqual([one.id, three.id]);
    expect(await listed(`ids=${ids}&external_id=none`)).toEqual([]);
    expect(await listed(`ids=${[two.id, ...Array.from({ length: 99 }, () => randomUUID())].join(',')}`)).toEqual([two.id]);
    const many = Array.from({ length: 101 }, () => randomUUID()).join(',');
    for (const faulty of [many, '', ',', `${one.id},`, `${one.id};${two.id}`]) {
      const answer = await client.get(`/api/v1/users?ids=${encodeURIComponent(faulty)}`);
      expect([answer.status, answer.body.code], faulty).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  test('by the flag of tests', async () => {
    const [real, of] = [await client.newMember(), await client.newMember({ is_test_user: true })];
    expect(await listed('is_test_user=true')).toEqual([of.id]);
    expect(await listed('is_test_user=false')).toEqual([real.id]);
  });

  test('by when it was created: from the one instant, before the other', async () => {
    const days = ['2026-03-03', '2026-03-01', '2026-03-02'];
    const members: MemberBody[] = [];
    for (const day of days) {
      const member = await client.newMember();
      await app.database.asSuperuser('update member set created_at = $2 where id = $1', [member.id, `${day}T00:00:00Z`]);
      members.push(member);
    }
    const [third, first, second] = idsOf(members);
    expect(await listed('created_from=2026-03-01T00:00:00Z&created_to=2026-03-03T00:00:00Z')).toEqual([first, second]);
    expect(await listed('created_from=2026-03-02T01:00:00%2B01:00')).toEqual([second, third]);
    const { body } = await client.get('/api/v1/users?created_to=2026-04-01T00:00:00Z&limit=2');
    const rest = await listed(`created_to=2026-04-01T00:00:00Z&limit=2&cursor=${body.next_cursor}`);
    expect([...idsOf(body.data), ...rest]).toEqual([first, second, third]);
    const moved = await client.get(`/api/v1/users?created_to=2026-05-01T00:00:00Z&cursor=${body.next_cursor}`);
    expectRefusal(moved, 400, 'VALIDATION_ERROR', ['cursor']);
  });
});

test('GET /events by the id that the tenant gave: its one event', async () => {
  const external = `order/${randomUUID()}`;
  const { body } = await client.post('/api/v1/events/purchase', client.purchaseBody({ external_event_id: external }));
  await client.post('/api/v1/events/purchase', client.purchaseBody());
  const found = async (by: ApiClient, id: string) =>
    (await by.get(`/api/v1/events?external_event_id=${encodeURIComponent(id)}`)).body.data.map(
      (event: { event_id: string }) => event.event_id,
    );
  expect(await found(client, external)).toEqual([body.event_id]);
  expect([await found(client, `${external}x`), await found(sandbox, external), await found(stranger, external)]).toEqual([
    [],
    [],
    [],
  ]);
});

describe('what is taken', () => {
  test('names who has it, in the same tenant and environment alone', async () => {
    const holder = await client.newMember({ email: 'Ada@shop.example', external_id: 'crm-1' });
    const create = (fields: object, by = client) => by.post('/api/v1/users', { email: `${randomUUID()}@x.example`, ...fields });
    const email = await create({ email: 'ADA@shop.example' });
    expectRefusal(email, 409, 'EMAIL_EXISTS');
    expect(email.body.details).toEqual({ existing_id: holder.id });
    const external = await create({ external_id: 'crm-1' });
    expectRefusal(external, 409, 'EXTERNAL_ID_EXISTS');
    expect(external.body.details).toEqual({ existing_id: holder.id });
    for (const by of [sandbox, stranger]) {
      const theirs = await create({ email: 'ada@shop.example', external_id: 'crm-1' }, by);
      expect(theirs.status).toBe(201);
      const again = await create({ email: 'ada@shop.example' }, by);
      expect(again.body.details).toEqual({ existing_id: theirs.body.id });
    }
  });

  test('also of creations at one moment', async () => {
    const fields = { email: 'ada@shop.example', external_id: 'crm-1' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.post('/api/v1/users', fields)));
    const [created] = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(7);
    for (const { body } of refused) {
      expect([body.code, body.details]).toEqual(['EXTERNAL_ID_EXISTS', { existing_id: created?.body.id }]);
    }
  });

  test('where a lead is made a member', async () => {
    const lead = await client.post('/api/v1/leads/capture', { email: 'ada@shop.example' });
    await app.database.asSuperuser("update lead set email = 'bob@shop.example' where id = $1", [lead.body.id]);
    const holder = await client.newMember({ email: 'Bob@shop.example', external_id: 'crm-1' });
    await app.database.asSuperuser("update lead set conversion_status = 'captured', converted_member_id = null where id = $1", [
      lead.body.id,
    ]);
    const answer = await client.post(`/api/v1/leads/${lead.body.id}/convert`, {});
    expectRefusal(answer, 409, 'EMAIL_EXISTS');
    expect(answer.body.details).toEqual({ existing_id: holder.id });
  });
});
