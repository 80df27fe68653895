/** Codes of currencies and countries: read in any case, answered in capitals (docs/specification/conventions.md#codes). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { byCurrency, currency } from '../../src/http/schemas.ts';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { expectRefusal } from '../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

let app: TestApp;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  client = apiClient(app, (await app.newTenant()).liveKey);
});
afterAll(() => app.close());

test('a code is of ASCII letters before it is in capitals', () => {
  expect(['usd', 'UsD', 'USD'].map((code) => currency.parse(code))).toEqual(['USD', 'USD', 'USD']);
  for (const code of ['ınr', 'İNR', 'ﬀp', 'us', 'usdd', 'xxx', ' usd', 'usd\n', ''])
    expect(currency.safeParse(code).success, code).toBe(false);
});

test('a map by currency has each once', () => {
  const amounts = byCurrency(z.int());
  expect(amounts.parse({ usd: 1, EUR: 2 })).toEqual({ USD: 1, EUR: 2 });
  const twice = amounts.safeParse({ usd: 1, USD: 1 });
  expect(twice.error?.issues.map(({ message }) => message)).toEqual(['must name a currency once']);
  for (const none of [null, 7, 'usd', [1], { qqq: 1 }]) expect(amounts.safeParse(none).success).toBe(false);
});

test('in bodies', async () => {
  const member = await client.newMember({ pay_currency: 'eur' });
  expect(member).toMatchObject({ pay_currency: 'EUR' });
  const profile = await client.patch(`/api/v1/members/${member.id}/profile`, {
    countryCode: 'deu',
    address: { countryCode: 'Fra' },
  });
  expect(profile.body).toMatchObject({ countryCode: 'DEU', address: { countryCode: 'FRA' } });
  expect((await client.patch('/api/v1/admin/settings', { defaultCurrency: 'jpy' })).body.defaultCurrency).toBe('JPY');
  const settings = { payments: { payvendor: { platformCountry: 'de', approvedRecipientCountries: ['fr', 'JP'] } } };
  const { payvendor } = (await client.patch('/api/v1/admin/settings', settings)).body.payments;
  expect(payvendor).toMatchObject({ platformCountry: 'DE', approvedRecipientCountries: ['FR', 'JP'] });
  const twice = { payments: { payvendor: { approvedRecipientCountries: ['fr', 'FR'] } } };
  expectRefusal(await client.patch('/api/v1/admin/settings', twice), 400, 'VALIDATION_ERROR');
});

test('in queries', async () => {
  const sale = client.purchaseBody({ currency: 'Chf' });
  const { body } = await client.post('/api/v1/events/purchase', sale);
  const of = async (code: string) =>
    (await client.get(`/api/v1/events?currency=${code}`)).body.data.map((event: { event_id: string }) => event.event_id);
  expect([await of('chf'), await of('CHF'), await of('usd')]).toEqual([[body.event_id], [body.event_id], []]);
  const methods = await client.get('/api/v1/payout-methods?country=de');
  expect(methods.body.country).toBe('DE');
});

test('a cursor goes on whatever the case', async () => {
  for (let i = 0; i < 2; i++) await client.post('/api/v1/events/purchase', client.purchaseBody({ currency: 'SEK' }));
  const { body } = await client.get('/api/v1/events?currency=sek&limit=1');
  expect((await client.get(`/api/v1/events?currency=SEK&limit=1&cursor=${body.next_cursor}`)).body.data).toHaveLength(1);
});

test('an event that is sent again in another case is the same event; a request with an Idempotency-Key is compared as it was sent', async () => {
  const sent = client.purchaseBody({ currency: 'usd' });
  const first = await client.post('/api/v1/events/purchase', sent);
  const again = await client.post('/api/v1/events/purchase', { ...sent, currency: 'USD' });
  expect([first.status, again.status, again.body.event_id]).toEqual([201, 200, first.body.event_id]);
  expect((await client.get(`/api/v1/events/${first.body.event_id}`)).body.currency).toBe('USD');
  const key = { 'idempotency-key': randomUUID() };
  const body = client.purchaseBody({ currency: 'usd' });
  expect((await client.post('/api/v1/events/purchase', body, key)).status).toBe(201);
  expectRefusal(await client.post('/api/v1/events/purchase', { ...body, currency: 'USD' }, key), 422, 'IDEMPOTENCY_KEY_REUSED');
});

test('the document allows any case where codes are read, and capitals where they are answered', async () => {
  const { paths, components } = (await app.http.get('/api/v1/openapi.json')).body;
  const { get } = paths['/api/v1/users'];
  const { UserCreate, Member, CurrencyCode, Currency } = components.schemas;
  expect(JSON.stringify(UserCreate.properties.pay_currency)).toContain('#/components/schemas/CurrencyCode');
  expect(CurrencyCode.pattern).toBe('^[A-Za-z]{3}$');
  expect(JSON.stringify(Member.properties.pay_currency)).toContain('#/components/schemas/Currency"');
  expect(Currency.pattern).toBe('^[A-Z]{3}$');
  expect(JSON.stringify(get)).not.toContain('[A-Z]{3}');
});
