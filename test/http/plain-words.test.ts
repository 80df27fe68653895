/**
 * What a beginner is told of a request that is refused, and that what was sent is not shown back to it
 * (docs/specification/conventions.md#plain-faults).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findJsonFault } from '../../src/http/json-fault.ts';
import { nearName } from '../../src/http/near-name.ts';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';

interface Refusal {
  error: string;
  code: string;
  details?: { fields?: { field: string; message: string }[] };
}

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

const faultsOf = (answer: { status: number; body: Refusal }) => {
  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  return Object.fromEntries((answer.body.details?.fields ?? []).map(({ field, message }) => [field, message]));
};
const purchase = {
  external_event_id: 'e-1',
  amount_minor: 100,
  currency: 'USD',
  customer: { external_id: 'c-1' },
};
const buy = (change: object) => client.post('/api/v1/events/purchase', { ...purchase, ...change });

describe('a name that is not known', () => {
  test.each([
    ['externalEventId', 'external_event_id'],
    ['EXTERNAL-EVENT-ID', 'external_event_id'],
    ['ammount_minor', 'amount_minor'],
    ['curency', 'currency'],
    ['cutsomer', 'customer'],
    ['amount', 'amount_minor'],
    ['referral_code', 'attribution.referral_code'],
    ['email', 'customer.email'],
  ])('of a snake_case body: %s', async (field, meant) => {
    expect(faultsOf(await buy({ [field]: 1 }))[field]).toBe(`is not a known field; did you mean ${meant}?`);
  });

  test.each([
    ['given_name', 'givenName'],
    ['country_code', 'countryCode'],
    ['surnmae', 'surname'],
  ])('of a camelCase body: %s', async (field, meant) => {
    const { id } = await client.newMember();
    const answer = await client.patch(`/api/v1/members/${id}/profile`, { [field]: 'x' });
    expect(faultsOf(answer)[field]).toBe(`is not a known field; did you mean ${meant}?`);
  });

  test.each([
    ['amount', 'amountMinor'],
    ['referralCode', 'attribution.referralCode'],
  ])('of a camelCase body, shortened or in the wrong place: %s', async (field, meant) => {
    const answer = await client.post('/api/v1/commission-plans/quote', { amountMinor: 1, currency: 'USD', [field]: 1 });
    expect(faultsOf(answer)[field]).toBe(`is not a known field; did you mean ${meant}?`);
  });

  test('inside an object, in a list and in a batch', async () => {
    expect(faultsOf(await buy({ customer: { externalId: 'c-1' } }))).toEqual({
      'customer.external_id': 'is required',
      'customer.externalId': 'is not a known field; did you mean external_id?',
    });
    const lines = [{ SKU: 'a', sku: 'a', amount_minor: 1 }];
    expect(faultsOf(await buy({ line_items: lines }))).toEqual({
      'line_items[0].SKU': 'is not a known field; did you mean sku?',
    });
    const batch = await client.post('/api/v1/events/batch', {
      events: [{ type: 'purchase', kind: 'purchase', ...purchase, amountMinor: 1 }],
    });
    expect(batch.text).toContain('did you mean amount_minor?');
  });

  test('of a query, with parameters and without', async () => {
    expect(faultsOf(await client.get('/api/v1/commissions?user_id=1'))).toEqual({
      user_id: 'is not a known parameter; did you mean userId?',
    });
    expect(faultsOf(await client.get('/api/v1/leads?Limit=5'))).toEqual({
      Limit: 'is not a known parameter; did you mean limit?',
    });
    expect(faultsOf(await client.get('/api/v1/members/me?verbose=1'))).toEqual({ verbose: 'is not a known parameter' });
  });

  test('that is like no other is only named', async () => {
    expect(faultsOf(await buy({ price: 1, foo: 1, '': 1 }))).toEqual({
      price: 'is not a known field',
      foo: 'is not a known field',
      '': 'is not a known field',
    });
  });

  test('is shown back in part where it is long, and a hundred at most are', async () => {
    const long = `currency${'y'.repeat(20_000)}`;
    const answer = await buy({ [long]: 1 });
    expect(answer.text.length).toBeLessThan(1_000);
    expect(faultsOf(answer)).toEqual({ [`${long.slice(0, 100)}…`]: 'is not a known field' });
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`<script>${n}`, 1]));
    expect((await buy(many)).body.details.fields).toHaveLength(100);
  });
});

describe('a value', () => {
  test.each([
    [{ amount_minor: '100' }, 'amount_minor', 'must be an integer, not a string'],
    [{ amount_minor: null }, 'amount_minor', 'must be an integer, not null'],
    [{ amount_minor: 1.5 }, 'amount_minor', 'must be a whole number of minor units, as 1050 for 10.50'],
    [{ external_event_id: 5 }, 'external_event_id', 'must be a string, not a number'],
    [{ external_event_id: true }, 'external_event_id', 'must be a string, not a boolean'],
    [{ customer: [] }, 'customer', 'must be an object, not an array'],
    [{ line_items: {} }, 'line_items', 'must be an array, not an object'],
    [{ currency: 'ZZZ' }, 'currency', 'is not a known currency; send an ISO 4217 code such as EUR or USD'],
  ])('%j', async (change, field, message) => {
    expect(faultsOf(await buy(change))).toEqual({ [field]: message });
  });

  test('of a list of values names them, and the one that was meant', async () => {
    const body = { email: 'a@tier.example', membership_tier: 'director' };
    const tiers = 'must be one of ORDINARY, SENIOR, MANAGER, DIRECTOR';
    expect(faultsOf(await client.post('/api/v1/users', body))).toEqual({
      membership_tier: `${tiers}; did you mean DIRECTOR?`,
    });
    expect(faultsOf(await client.post('/api/v1/users', { ...body, membership_tier: 7 }))).toEqual({ membership_tier: tiers });
    const answer = await client.post('/api/v1/users', { ...body, membership_tier: '<b>GOLD</b>' });
    expect(faultsOf(answer)).toEqual({ membership_tier: tiers });
    expect(answer.text).not.toContain('GOLD');
    const wrong = await client.post('/api/v1/users', { email: 'a@tier.example', is_active: 'yes' });
    expect(faultsOf(wrong)).toEqual({ is_active: 'must be true or false, not a string' });
  });

  test('that chooses between forms names them, and is required', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    const send = (body: object) => sandbox.post('/api/v1/sandbox/vendor-events', body);
    expect(faultsOf(await send({ kind: 'kcy' }))['kind']).toMatch(/^must be one of kyc, .*; did you mean|^must be one of kyc, /);
    expect(faultsOf(await send({}))).toEqual({ kind: 'is required' });
  });
});

describe('a body that is not JSON', () => {
  const send = (body: string) =>
    app.http
      .post('/api/v1/events/purchase')
      .set('x-tenant-api-key', tenant.liveKey)
      .set('content-type', 'application/json')
      .send(body);

  test('is answered with the place, and without the text', async () => {
    const answer = await send('{\n  "amount_minor": 1,\n  "note": secret-of-mine\n}');
    expect(answer.body.details.fields).toEqual([
      {
        field: '',
        message: 'the body is not valid JSON at line 3, column 11: a value is expected; texts stand in double quotes',
      },
    ]);
    expect(answer.text).not.toContain('secret-of-mine');
  });

  test('that is JSON and no object is told so', async () => {
    expect((await send('"text"')).body.details.fields).toEqual([{ field: '', message: 'the body must be a JSON object' }]);
    expect((await send('[]')).body.details.fields).toEqual([{ field: 'body', message: 'must be an object, not an array' }]);
  });

  test.each([
    ['{"a":1,}', 1, 8, 'there is a comma before }'],
    ['[1,\n2,\n]', 3, 1, 'there is a comma before ]'],
    ["{'a':1}", 1, 2, 'a name in double quotes is expected'],
    ['{a:1}', 1, 2, 'a name in double quotes is expected'],
    ['{"a" 1}', 1, 6, 'a colon is expected'],
    ['{"a":1 "b":2}', 1, 8, 'a comma or } is expected'],
    ['{"a":[1 2]}', 1, 9, 'a comma or ] is expected'],
    ['{"a":"b', 1, 8, 'the text ends too early'],
    ['{"a":', 1, 6, 'the text ends too early'],
    ['{"a":01}', 1, 7, 'a comma or } is expected'],
    ['{"a":NaN}', 1, 6, 'a value is expected; texts stand in double quotes'],
    ['{"a":"x\ny"}', 1, 8, 'line breaks and control characters in a text are written as escapes'],
    ['{"a":"\\q"}', 1, 7, 'there is no such escape'],
    ['{"a":"\\u12"}', 1, 7, 'there is no such escape'],
    ['{} {}', 1, 4, 'nothing may follow the end of the JSON text'],
    ['', 1, 1, 'the text ends too early'],
  ])('%j', (text, line, column, what) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(findJsonFault(text)).toEqual({ line, column, what });
  });

  test.each(['{}', '[]', ' {"a":[1,-0.5e+3,"\\u00e9\\n",true,false,null,{"":{}}]}\r\n', '"x"', '0'])(
    '%j has no fault',
    (text) => {
      expect(findJsonFault(text)).toBeUndefined();
      JSON.parse(text);
    },
  );

  test('every beginning and every text with one sign changed is judged as the parser judges it', () => {
    const whole = '{"a":[1,-2.5e3,{"b":"c\\n\\u00e9"}],"d":null,"e":true}';
    const signs = ['', '"', ',', ':', '{', '}', '[', ']', '\\', ' ', '0', 'x', '\n', '-', '.'];
    const parses = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    for (let at = 0; at < whole.length; at++) {
      for (const sign of signs) {
        const text = whole.slice(0, at) + sign + whole.slice(at + 1);
        expect([text, findJsonFault(text) === undefined]).toEqual([text, parses(text)]);
      }
      expect(findJsonFault(whole.slice(0, at))).toBeDefined();
    }
  });
});

describe('a key in the wrong place', () => {
  const get = (headers: Record<string, string>, path = '/api/v1/users') => app.http.get(path).set(headers);

  test.each([
    ['authorization', (key: string) => `Bearer ${key}`],
    ['authorization', (key: string) => key],
    ['x-api-key', (key: string) => key],
    ['api-key', () => 'another'],
    ['x-shop-credentials', (key: string) => key],
    ['x-tenant-key', (key: string) => `Bearer ${key}`],
  ])('as %s', async (header, valueIn) => {
    const answers = [tenant.liveKey, `svc_live_${'a'.repeat(43)}`].map((key) => get({ [header]: valueIn(key) }));
    const [good, unknown] = await Promise.all(answers);
    expect([good?.status, good?.body.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(good?.body.error.toLowerCase()).toContain(header);
    expect(good?.body.error).toContain('x-tenant-api-key');
    expect(good?.text).toBe(unknown?.text);
    expect(good?.text).not.toContain('svc_');
  });

  test('in the address', async () => {
    const answer = await get({}, `/api/v1/users?api_key=${tenant.liveKey}`);
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(answer.body.error).toContain('in the address');
    expect(answer.text).not.toContain('svc_');
  });

  test('with a word before it, and beside the key as if it were a token', async () => {
    const worded = await get({ 'x-tenant-api-key': `Bearer ${tenant.liveKey}` });
    expect([worded.status, worded.body.code]).toEqual([401, 'INVALID_API_KEY']);
    expect(worded.body.error).toContain('the key alone');
    const twice = await get({ 'x-tenant-api-key': tenant.liveKey, authorization: `Bearer ${tenant.liveKey}` });
    expect([twice.status, twice.body.code]).toEqual([401, 'INVALID_TOKEN']);
    expect(twice.body.error).toContain('x-tenant-api-key');
    expect(worded.text + twice.text).not.toContain('svc_');
  });

  test("a member's token without a key, and nothing at all", async () => {
    const token = await get({ authorization: 'Bearer abc.def.ghi' });
    expect(token.body.error).toContain('beside the key');
    expect((await get({})).body).toEqual({ error: 'The x-tenant-api-key header is missing', code: 'UNAUTHORIZED' });
  });
});

test.each([
  ['userid', ['userId', 'user'], 'userId'],
  ['teh_name', ['the_name'], 'the_name'],
  ['emial', ['email', 'name'], 'email'],
  ['nam', ['name'], undefined],
  ['phone', ['name', 'email'], undefined],
  ['amountminors', ['amount', 'amount_minor'], 'amount_minor'],
  ['e'.repeat(41), ['e'.repeat(41)], undefined],
  ['___', ['_'], undefined],
])('near to %j among %j is %j', (name, known, near) => {
  expect(nearName(name, known)).toBe(near);
});
