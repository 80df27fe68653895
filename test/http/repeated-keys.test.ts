/** Keys that stand twice in an object are refused by name (docs/specification/conventions.md#wire). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRepeatedKeys } from '../../src/http/repeated-keys.ts';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';

const namesIn = (json: string) => findRepeatedKeys(json).map(({ field }) => field);

describe('a key is found', () => {
  test.each<[json: string, names: string[]]>([
    ['{"a":1,"a":1}', ['a']],
    ['{"a":1,"b":2,"a":1,"a":3}', ['a']],
    ['{"a":1,"\\u0061":1}', ['a']],
    ['{"\\u0061":1,"\\u0061" : 1}', ['a']],
    ['{"/":1,"\\/":1}', ['/']],
    ['{"é":1,"\\u00e9":1}', ['é']],
    ['{"a":{"b":[0,{"c":1,"c":2}]}}', ['a.b[1].c']],
    ['[{"a":1},{"a":1,"a":2}]', ['[1].a']],
    ['{"a":{"x":1,"x":1},"a":{"y":[[],{"z":{},"z":[]}]}}', ['a.x', 'a', 'a.y[1].z']],
    ['{"":1,"":1}', ['']],
    [' {\n"a" :\t1 , "a":[ ] } ', ['a']],
    ['{"a":"\\\\","a":"\\""}', ['a']],
    [`{"${'k'.repeat(200)}":1,"${'k'.repeat(200)}":1}`, [`${'k'.repeat(100)}…`]],
  ])('%s', (json, names) => expect(namesIn(json)).toEqual(names));
});

describe('no key is found', () => {
  test.each([
    '{}',
    '[]',
    '1',
    '"a"',
    '{"a":1,"A":1}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a"}',
    '{"a":["a","a","a"],"b":["a"]}',
    '{"a":"\\",\\"a\\":1","b":":"}',
    '{"a":"{","b":"[","c":"},{"}',
    '{"e\\u0301":1,"é":1}',
    '{"a":[{},[],{"b":[]}],"b":{}}',
  ])('%s', (json) => expect(namesIn(json)).toEqual([]));
});

test('twenty are named at most', () => {
  const members = Array.from({ length: 50 }, (_none, index) => `"k${index}":1,"k${index}":2`);
  expect(namesIn(`{${members.join(',')}}`)).toHaveLength(20);
});

test('the texts that a writer knows to have a key twice are those that are found, and no others', () => {
  // A small generator of its own: the same sequence at every run.
  let seed = 7;
  const draw = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;
  const space = () => pick(['', '', ' ', '\n\t']);
  const spell = (key: string) =>
    `"${Array.from(key)
      .map((sign) => (draw(4) === 0 ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}` : sign))
      .join('')}"`;
  const scalars = ['1', 'null', 'true', '"a"', '"{"', '":"', '"\\""', '"\\\\"', '-1.5e3', '"a,b"', '""'];
  /** A value, and whether an object in it has a key twice. */
  const value = (depth: number): [text: string, repeats: boolean] => {
    const sort = depth > 4 ? 0 : draw(4);
    if (sort < 2) return [pick(scalars), false];
    const parts = Array.from({ length: draw(5) }, () => value(depth + 1));
    const inside = parts.some(([, repeats]) => repeats);
    if (sort === 2) return [`[${parts.map(([text]) => `${space()}${text}${space()}`).join(',')}]`, inside];
    const keys = parts.map(() => pick(['a', 'b', 'c', 'd', 'aa', ':', '{', 'x,y', 'é', '1']));
    const members = parts.map(([text], index) => `${space()}${spell(keys[index] as string)}${space()}:${space()}${text}`);
    return [`{${members.join(',')}}`, inside || new Set(keys).size < keys.length];
  };
  const verdicts = new Map<boolean, number>();
  for (let i = 0; i < 3_000; i++) {
    const [text, repeats] = value(0);
    JSON.parse(text);
    expect(findRepeatedKeys(text).length > 0, text).toBe(repeats);
    verdicts.set(repeats, (verdicts.get(repeats) ?? 0) + 1);
  }
  expect(Math.min(verdicts.get(true) ?? 0, verdicts.get(false) ?? 0)).toBeGreaterThan(100);
});

describe('a request', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let client: ApiClient;

  beforeAll(async () => {
    app = await startTestApp();
    tenant = await app.newTenant();
    client = apiClient(app, tenant.liveKey);
  });
  afterAll(() => app.close());

  const send = (method: 'post' | 'patch', path: string, body: string) =>
    app.http[method](path).set({ 'x-tenant-api-key': tenant.liveKey, 'content-type': 'application/json' }).send(body);
  const faultsOf = (answer: { status: number; body: { code: string; details: { fields: unknown } } }) => {
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    return answer.body.details.fields;
  };
  const twice = (field: string) => [{ field, message: 'stands more than once in its object' }];

  test('with a key twice makes nothing, though each alone would be good', async () => {
    const answer = await send('post', '/api/v1/users', '{"email":"a@twice.example","email":"b@twice.example"}');
    expect(faultsOf(answer)).toEqual(twice('email'));
    expect((await client.get('/api/v1/users')).body.data).toEqual([]);
    expect((await send('post', '/api/v1/users', '{"email":"a@twice.example"}')).status).toBe(201);
  });

  test('of a change, of a batch and without a key of the API is refused like any other', async () => {
    const member = await client.newMember();
    expect(faultsOf(await send('patch', `/api/v1/users/${member.id}`, '{"name":"A","n\\u0061me":"B"}'))).toEqual(twice('name'));
    const batch = '{"events":[{"external_event_id":"1"},{"metadata":{"x":{"y":1,"y":2}}}]}';
    expect(faultsOf(await send('post', '/api/v1/events/batch', batch))).toEqual(twice('events[1].metadata.x.y'));
    const exchange = app.http
      .post('/api/v1/auth/exchange')
      .set({ 'x-tenant-id': tenant.tenantId, 'content-type': 'application/json' });
    expect(faultsOf(await exchange.send('{"provider":"a","token":"a.b.c","token":"a.b.c"}'))).toEqual(twice('token'));
  });

  test('with colons, brackets and quotes in its texts is not taken for one', async () => {
    const body = { email: 'colon@twice.example', name: 'a":"b","a":1,{"a":1}\\' };
    const answer = await send('post', '/api/v1/users', JSON.stringify(body));
    expect([answer.status, answer.body.name]).toEqual([201, body.name]);
  });

  test('that is not JSON is told so, also with a key twice', async () => {
    expect(faultsOf(await send('post', '/api/v1/users', '{"a":1,"a":1'))).toEqual([
      { field: '', message: expect.stringContaining('not valid JSON') },
    ]);
  });
});
