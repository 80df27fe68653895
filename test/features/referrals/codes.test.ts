/** Referral codes: who has which, and what becomes of them (docs/specification/attribution.md#codes). */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';

const PATH = '/api/v1/referrals/codes';

interface CodeBody {
  id: string;
  user_id: string;
  code: string;
  status: string;
  is_default: boolean;
  created_at: string;
  updated_at: string;
}

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let sandbox: ApiClient;
let stranger: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  stranger = apiClient(app, (await app.newTenant()).liveKey);
});
afterAll(() => app.close());

const freshCode = () => `C-${randomBytes(6).toString('hex').toUpperCase()}`;

async function newCode(fields: object, by = client): Promise<CodeBody> {
  const answer = await by.post(PATH, fields);
  expect([answer.status, answer.body.code]).toEqual([201, expect.any(String)]);
  return answer.body as CodeBody;
}

const codesOf = async ({ id }: MemberBody, by = client) => (await by.get(`${PATH}?user_id=${id}`)).body.data as CodeBody[];
const defaultsOf = async (member: MemberBody) => (await codesOf(member)).filter((code) => code.is_default);
const bearer = async (member: MemberBody) => ({
  authorization: `Bearer ${(await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, member.id)).accessToken}`,
});

describe('a new code', () => {
  test('is 201 with where it is, in upper case, beside the default one', async () => {
    const member = await client.newMember();
    const code = freshCode();
    const answer = await client.post(PATH, { user_id: member.id, code: code.toLowerCase() });
    expect(answer.status).toBe(201);
    expect(answer.headers['location']).toBe(`${PATH}/${answer.body.id}`);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: member.id,
      code,
      status: 'active',
      is_default: false,
      created_at: expect.stringMatching(/Z$/),
      updated_at: answer.body.created_at,
    });
    expect((await client.get(answer.headers['location'] ?? '')).body).toEqual(answer.body);
    expect((await codesOf(member)).map((row) => [row.code, row.is_default])).toEqual([
      [member.referral_code, true],
      [code, false],
    ]);
  });

  test('that is not given is drawn', async () => {
    const member = await client.newMember();
    const codes = [await newCode({ user_id: member.id }), await newCode({ user_id: member.id, code: null })];
    for (const { code } of codes) expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{10}$/);
    expect(codes[0]?.code).not.toBe(codes[1]?.code);
  });

  test('may be the default one, which is then what the member shows', async () => {
    const member = await client.newMember();
    const code = await newCode({ user_id: member.id, is_default: true });
    expect((await defaultsOf(member)).map(({ id }) => id)).toEqual([code.id]);
    const { body } = await client.patch(`/api/v1/users/${member.id}`, { can_recruit: true });
    expect(body.referral_code).toBe(code.code);
  });

  test.each(['AB', 'A'.repeat(33), '-ABC', 'ABC-', 'A--B', 'A B', 'A_B', 'ÄBC', 'straße', 'ıab', 'ﬀx', 'АВС', 'ABC\n', ''])(
    '%j is refused',
    async (code) => {
      const member = await client.newMember();
      expectRefusal(await client.post(PATH, { user_id: member.id, code }), 400, 'VALIDATION_ERROR', ['code']);
    },
  );

  test.each(['A1B', `X${'9'.repeat(31)}`, 'A-B-C', '123'])('%s is at the edge of what is allowed', async (code) => {
    const other = await app.newTenant();
    const by = apiClient(app, other.liveKey);
    expect((await newCode({ user_id: (await by.newMember()).id, code }, by)).code).toBe(code);
  });

  test('has the form that the column demands, whatever it is made of', async () => {
    const member = await client.newMember();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), async (code) => {
        const { status } = await client.post(PATH, { user_id: member.id, code });
        expect([201, 400, 409]).toContain(status);
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    ['no user_id', {}, 'user_id'],
    ['a user_id that is none', { user_id: 'x' }, 'user_id'],
    ['an unknown field', { status: 'retired' }, 'status'],
    ['a default that is not a boolean', { is_default: 1 }, 'is_default'],
  ])('with %s is refused', async (_what, fields, field) => {
    const base = field === 'user_id' ? {} : { user_id: (await client.newMember()).id };
    expectRefusal(await client.post(PATH, { ...base, ...fields }), 400, 'VALIDATION_ERROR', [field]);
  });

  test('of nobody, of another tenant’s member and of the other environment’s is one and the same 400', async () => {
    const members = [{ id: crypto.randomUUID() }, await stranger.newMember(), await sandbox.newMember()];
    const answers = await Promise.all(members.map(({ id }) => client.post(PATH, { user_id: id })));
    for (const answer of answers) expectRefusal(answer, 400, 'VALIDATION_ERROR', ['user_id']);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('is not for a member that was erased', async () => {
    const member = await client.newMember();
    expect((await client.post(`/api/v1/members/${member.id}/erasure`, { reason: 'Asked for' })).status).toBe(200);
    expectRefusal(await client.post(PATH, { user_id: member.id, code: freshCode() }), 409, 'STATE_CONFLICT');
    expect(await codesOf(member)).toHaveLength(1);
  });

  test('sent twice with an Idempotency-Key is one', async () => {
    const member = await client.newMember();
    const body = { user_id: member.id, code: freshCode(), is_default: true };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const [first, second] = [await client.post(PATH, body, headers), await client.post(PATH, body, headers)];
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect(second.body).toEqual(first.body);
  });
});

describe('a code that is taken', () => {
  test('is CODE_TAKEN in any case, by others and oneself, active or retired', async () => {
    const [owner, other] = [await client.newMember(), await client.newMember()];
    const { id, code } = await newCode({ user_id: owner.id, code: freshCode() });
    for (const body of [
      { user_id: other.id, code },
      { user_id: other.id, code: code.toLowerCase() },
      { user_id: owner.id, code },
      { user_id: other.id, code: owner.referral_code },
    ]) {
      expectRefusal(await client.post(PATH, body), 409, 'CODE_TAKEN');
    }
    expect((await client.patch(`${PATH}/${id}`, { status: 'retired' })).status).toBe(200);
    expectRefusal(await client.post(PATH, { user_id: owner.id, code }), 409, 'CODE_TAKEN');
    expect(await codesOf(other)).toHaveLength(1);
  });

  test('leaves the default where it was, also when it was to become the default', async () => {
    const [owner, other] = [await client.newMember(), await client.newMember()];
    expectRefusal(await client.post(PATH, { user_id: other.id, code: owner.referral_code, is_default: true }), 409, 'CODE_TAKEN');
    expect((await defaultsOf(other)).map(({ code }) => code)).toEqual([other.referral_code]);
  });

  test('in another tenant or the other environment is free', async () => {
    const code = freshCode();
    for (const by of [client, sandbox, stranger]) {
      expect((await newCode({ user_id: (await by.newMember()).id, code }, by)).code).toBe(code);
    }
  });

  test('by one of twenty at once is that one’s alone', async () => {
    const members = await Promise.all(Array.from({ length: 20 }, () => client.newMember()));
    const code = freshCode();
    const answers = await Promise.all(members.map(({ id }) => client.post(PATH, { user_id: id, code })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ]);
    const winner = answers.find(({ status }) => status === 201)?.body.user_id;
    const { body } = await client.get(`/api/v1/referrals/resolve?referral_code=${code}`);
    expect(body.user_id).toBe(winner);
  });
});

describe('the default code', () => {
  test('moves to another, and the former one stays active', async () => {
    const member = await client.newMember();
    const { id } = await newCode({ user_id: member.id });
    const answer = await client.patch(`${PATH}/${id}`, { is_default: true });
    expect([answer.status, answer.body.is_default]).toEqual([200, true]);
    expect((await codesOf(member)).map((code) => [code.id === id, code.is_default, code.status])).toEqual([
      [false, false, 'active'],
      [true, true, 'active'],
    ]);
    const again = await client.patch(`${PATH}/${id}`, { is_default: true });
    expect(again.body).toEqual(answer.body);
  });

  test('cannot be retired or given up; another has to take its place first', async () => {
    const member = await client.newMember();
    const [first] = await codesOf(member);
    for (const body of [{ status: 'retired' }, { is_default: false }, { status: 'retired', is_default: true }]) {
      expectRefusal(await client.patch(`${PATH}/${first?.id}`, body), 409, 'STATE_CONFLICT');
    }
    await newCode({ user_id: member.id, is_default: true });
    expect((await client.patch(`${PATH}/${first?.id}`, { status: 'retired' })).body).toMatchObject({
      status: 'retired',
      is_default: false,
    });
  });

  test('is exactly one after many moves at once', async () => {
    const member = await client.newMember();
    const codes = await Promise.all(Array.from({ length: 8 }, () => newCode({ user_id: member.id })));
    const moves = [
      ...codes.map(({ id }) => client.patch(`${PATH}/${id}`, { is_default: true })),
      ...codes.map(() => client.post(PATH, { user_id: member.id, is_default: true })),
    ];
    for (const { status } of await Promise.all(moves)) expect([200, 201]).toContain(status);
    expect(await defaultsOf(member)).toHaveLength(1);
  });

  test('is exactly one, and active, when one becomes it while it is retired', async () => {
    for (let i = 0; i < 5; i++) {
      const member = await client.newMember();
      const { id } = await newCode({ user_id: member.id });
      const statuses = await Promise.all([
        client.patch(`${PATH}/${id}`, { is_default: true }),
        client.patch(`${PATH}/${id}`, { status: 'retired' }),
      ]);
      expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      expect((await defaultsOf(member)).map(({ status }) => status)).toEqual(['active']);
    }
  });
});

describe('a retired code', () => {
  let member: MemberBody;
  let code: CodeBody;
  beforeAll(async () => {
    member = await client.newMember();
    code = await newCode({ user_id: member.id, code: freshCode() });
    expect((await client.patch(`${PATH}/${code.id}`, { status: 'retired' })).status).toBe(200);
  });

  test('stays that: it can be retired again, and neither return nor become the default', async () => {
    expect((await client.patch(`${PATH}/${code.id}`, { status: 'retired' })).status).toBe(200);
    for (const body of [{ status: 'active' }, { is_default: true }, { status: 'active', is_default: true }]) {
      expectRefusal(await client.patch(`${PATH}/${code.id}`, body), 409, 'STATE_CONFLICT');
    }
    expect((await client.get(`${PATH}/${code.id}`)).body.status).toBe('retired');
  });

  test('sponsors nobody', async () => {
    const body = { email: `${crypto.randomUUID()}@shop.example`, referral_code: code.code };
    expectRefusal(await client.post('/api/v1/users', body), 400, 'VALIDATION_ERROR', ['referral_code']);
  });

  test('attributes no lead and no purchase', async () => {
    const lead = await client.post('/api/v1/leads/capture', {
      email: `${crypto.randomUUID()}@shop.example`,
      referral_code: code.code,
    });
    expect([lead.status, lead.body.referrer_user_id]).toEqual([201, null]);
    const sale = await client.post('/api/v1/events/purchase', {
      ...client.purchaseBody({ customer: { external_id: crypto.randomUUID() } }),
      attribution: { referral_code: code.code },
    });
    expect(sale.body.attribution?.user_id ?? null).not.toBe(member.id);
  });

  test('while another code of the member does all three', async () => {
    const { code: good } = await newCode({ user_id: member.id, code: freshCode() });
    const child = await client.newMember({ referral_code: good.toLowerCase() });
    expect(child.parent_id).toBe(member.id);
    const body = { email: `${crypto.randomUUID()}@shop.example`, referral_code: good.toLowerCase() };
    expect((await client.post('/api/v1/leads/capture', body)).body.referrer_user_id).toBe(member.id);
    const sale = await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { referral_code: good } }));
    expect(sale.body.attribution.user_id).toBe(member.id);
  });
});

describe('a change', () => {
  test.each([
    ['nothing', {}],
    ['another status', { status: 'deleted' }],
    ['the code itself', { code: 'OTHER' }],
    ['null', { status: null }],
  ])('of %s is refused', async (_what, body) => {
    const [code] = await codesOf(await client.newMember());
    expectRefusal(await client.patch(`${PATH}/${code?.id}`, body), 400, 'VALIDATION_ERROR');
  });

  test('that says what is so changes nothing', async () => {
    const [code] = await codesOf(await client.newMember());
    const { body } = await client.patch(`${PATH}/${code?.id}`, { status: 'active', is_default: true });
    expect(body).toEqual(code);
  });

  test('of nobody’s, another tenant’s and the other environment’s code is one and the same 404', async () => {
    const codes = [
      (await codesOf(await stranger.newMember(), stranger))[0],
      (await codesOf(await sandbox.newMember(), sandbox))[0],
    ];
    for (const method of ['get', 'patch'] as const) {
      const answers = await Promise.all(
        [...codes.map((code) => code?.id), crypto.randomUUID()].map((id) =>
          method === 'get' ? client.get(`${PATH}/${id}`) : client.patch(`${PATH}/${id}`, { status: 'retired' }),
        ),
      );
      for (const answer of answers) expectRefusal(answer, 404, 'NOT_FOUND');
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
  });
});

describe('the list', () => {
  test('has pages, filters, and nothing of anybody else', async () => {
    const by = apiClient(app, (await app.newTenant()).liveKey);
    const member = await by.newMember();
    await by.newMember();
    const made: string[] = [];
    for (let i = 0; i < 4; i++) made.push((await newCode({ user_id: member.id }, by)).id);
    await by.patch(`${PATH}/${made[1]}`, { status: 'retired' });
    const filter = `user_id=${member.id}&status=active&limit=2`;
    const first = (await by.get(`${PATH}?${filter}`)).body;
    const second = (await by.get(`${PATH}?${filter}&cursor=${first.next_cursor}`)).body;
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
    expect([...first.data, ...second.data].slice(1).map(({ id }: CodeBody) => id)).toEqual([made[0], made[2], made[3]]);
    expect((await by.get(PATH)).body.data).toHaveLength(6);
    expect((await by.get(`${PATH}?status=retired`)).body.data.map(({ id }: CodeBody) => id)).toEqual([made[1]]);
    expectRefusal(await by.get(`${PATH}?limit=2&cursor=${first.next_cursor}`), 400, 'VALIDATION_ERROR', ['cursor']);
    expect((await client.get(`${PATH}?user_id=${member.id}`)).body.data).toEqual([]);
  });

  test('of a status that is none is refused', async () => {
    expectRefusal(await client.get(`${PATH}?status=deleted`), 400, 'VALIDATION_ERROR', ['status']);
  });
});

describe('with a member’s bearer token', () => {
  test('it makes, sees and changes its own', async () => {
    const [member, other] = [await client.newMember(), await client.newMember()];
    const headers = await bearer(member);
    const made = await client.post(PATH, { user_id: member.id, code: freshCode() }, headers);
    expect(made.status).toBe(201);
    expect((await client.get(`${PATH}/${made.body.id}`, headers)).body).toEqual(made.body);
    expect((await client.patch(`${PATH}/${made.body.id}`, { is_default: true }, headers)).status).toBe(200);
    const listed = (await client.get(PATH, headers)).body.data as CodeBody[];
    expect(new Set(listed.map((code) => code.user_id))).toEqual(new Set([member.id]));
    expect(listed).toHaveLength(2);
    expect(await codesOf(other)).toHaveLength(1);
  });

  test('another’s are not there, also those of its downline', async () => {
    const member = await client.newMember();
    const child = await client.newMember({ parent_id: member.id });
    const headers = await bearer(member);
    const [code] = await codesOf(child);
    expectRefusal(await client.post(PATH, { user_id: child.id }, headers), 403, 'FORBIDDEN');
    expectRefusal(await client.post(PATH, { user_id: crypto.randomUUID() }, headers), 403, 'FORBIDDEN');
    expectRefusal(await client.get(`${PATH}?user_id=${child.id}`, headers), 403, 'FORBIDDEN');
    expectRefusal(await client.get(`${PATH}/${code?.id}`, headers), 404, 'NOT_FOUND');
    expectRefusal(await client.patch(`${PATH}/${code?.id}`, { status: 'active' }, headers), 404, 'NOT_FOUND');
    expect((await codesOf(child)).map(({ updated_at: at }) => at)).toEqual([code?.updated_at]);
  });

  test('a cursor of the whole list is not one of its own', async () => {
    const member = await client.newMember();
    const { body } = await client.get(`${PATH}?limit=1`);
    const answer = await client.get(`${PATH}?limit=1&cursor=${body.next_cursor}`, await bearer(member));
    expectRefusal(answer, 400, 'VALIDATION_ERROR', ['cursor']);
  });
});
