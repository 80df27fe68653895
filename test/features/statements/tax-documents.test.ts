/**
 * Tax documents: docs/specification/payouts.md#tax-documents. Payouts here are planted with the journals that
 * a payout run posts.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auth } from '../../../src/features.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { type CommissionBody, newUpline } from '../../support/money/model-upline.ts';
import { payOut, returnPayout } from '../../support/money/pay-out.ts';
import { pdfText } from '../../support/money/pdf-text.ts';
import { plantMovements } from './plant-movements.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function newShop(options: { currency?: string; timeZone?: string } = {}, memberFields: object = {}) {
  const tenant: TestTenant = await app.newTenant(options);
  const client: ApiClient = apiClient(app, tenant.liveKey);
  const [member] = (await newUpline(client, 'D')) as [MemberBody];
  const path = `/api/v1/members/${member.id}/tax-documents`;
  await client.patch(`/api/v1/members/${member.id}/profile`, memberFields);
  return {
    tenant,
    client,
    member,
    path,
    /** A sale that pays the member a tenth, as many times over as there are digits to see. */
    async sell(fields: object = {}): Promise<string> {
      const body = client.purchaseBody({ currency: options.currency ?? 'USD', attribution: { user_id: member.id }, ...fields });
      const answer = await client.post('/api/v1/events/purchase', body);
      expect(answer.status, answer.text).toBe(201);
      return (answer.body.commissions as CommissionBody[])[0]?.id ?? '';
    },
    list: async (query = '') => (await client.get(path + query)).body as { data: object[]; timeZone: string },
    isAvailable: async (year: number) =>
      (await client.get(`/api/v1/members/${member.id}/tax-summary/${year}`)).body.taxDocumentsAvailable as boolean,
    csv: async (year: number, query = '') => (await client.get(`${path}/${year}/csv${query}`)).text.split('\r\n'),
  };
}

const bytesOf = async (path: string, key: string): Promise<Buffer> => {
  const answer = await fetch(app.baseUrl + path, { headers: { 'x-tenant-api-key': key } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};

test('a member who was never paid has none', async () => {
  const { list, client, path, isAvailable, sell } = await newShop({ timeZone: 'Asia/Kathmandu' });
  await sell();
  expect(await list()).toEqual({ data: [], timeZone: 'Asia/Kathmandu' });
  for (const file of ['pdf', 'csv']) expectRefusal(await client.get(`${path}/2025/${file}`), 404, 'NOT_FOUND');
  expect(await isAvailable(2025)).toBe(false);
});

describe('the years', () => {
  test('are those of payouts by the tenant’s zone, final once they are over', async () => {
    const { list, sell, isAvailable, csv } = await newShop({ timeZone: 'Pacific/Auckland' });
    const [first, second] = [await sell(), await sell()];
    // New Year in Auckland is 11:00 UTC of the day before.
    await payOut(app, [first], '2024-12-31T10:59:59.999Z');
    await payOut(app, [second], '2024-12-31T11:00:00Z');
    const row = { currency: 'USD', totalPaidMinor: 1_000, transactionCount: 1 };
    expect((await list()).data).toEqual([
      { ...row, year: 2025, status: 'final' },
      { ...row, year: 2024, status: 'final' },
    ]);
    expect([await isAvailable(2023), await isAvailable(2024), await isAvailable(2025)]).toEqual([false, true, true]);
    expect((await csv(2024))[1]).toMatch(/^2024-12-31,paid,10\.00,USD,/);
    expect((await csv(2025))[1]).toMatch(/^2025-01-01,paid,10\.00,USD,/);
  });

  test('one that is not over is preliminary, and not announced in the summary', async () => {
    const { list, sell, isAvailable } = await newShop();
    await payOut(app, [await sell()]);
    const year = new Date().getUTCFullYear();
    expect((await list()).data).toMatchObject([{ year, status: 'preliminary', totalPaidMinor: 1_000 }]);
    expect(await isAvailable(year)).toBe(false);
  });

  test('what came back is taken off on the day it did', async () => {
    const { list, sell, csv } = await newShop();
    const line = await sell();
    await payOut(app, [line], '2023-12-31T12:00:00Z');
    await returnPayout(app, [line], '2024-01-02T12:00:00Z');
    expect((await list()).data).toMatchObject([
      { year: 2024, totalPaidMinor: -1_000, transactionCount: 0 },
      { year: 2023, totalPaidMinor: 1_000, transactionCount: 1 },
    ]);
    expect(await csv(2024)).toEqual([
      'date,type,amount,currency,payoutId,reference,occurredAt',
      expect.stringMatching(/^2024-01-02,returned,-10\.00,USD,[-0-9a-f]{36},,2024-01-02T12:00:00\.000Z$/),
      '',
    ]);
  });

  test('each currency has its own', async () => {
    const { list, sell, csv, client, path } = await newShop();
    await payOut(app, [await sell()], '2024-05-01T00:00:00Z');
    await payOut(app, [await sell({ currency: 'JPY', amount_minor: 12_345 })], '2024-06-01T00:00:00Z');
    expect((await list()).data).toMatchObject([
      { year: 2024, currency: 'JPY', totalPaidMinor: 1_235 },
      { year: 2024, currency: 'USD', totalPaidMinor: 1_000 },
    ]);
    expect((await list('?currency=JPY')).data).toHaveLength(1);
    expect((await csv(2024, '?currency=JPY'))[1]).toContain(',1235,JPY,');
    expectRefusal(await client.get(`${path}/2024/csv?currency=EUR`), 404, 'NOT_FOUND');
  });
});

describe('the files', () => {
  test('the PDF shows what the member was paid, and its bytes stay the same while nothing changes', async () => {
    const { member, path, sell, tenant } = await newShop({}, { givenName: 'Ödön', surname: 'Győry' });
    const [first, second, third] = [await sell(), await sell({ amount_minor: 123_456 }), await sell()];
    await payOut(app, [first, second], '2024-02-10T00:00:00Z');
    await payOut(app, [third], '2024-11-10T00:00:00Z');
    const bytes = await bytesOf(`${path}/2024/pdf`, tenant.liveKey);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await bytesOf(`${path}/2024/pdf`, tenant.liveKey)).toEqual(bytes);
    const text = pdfText(bytes);
    for (const shown of ['Payments in 2024', 'Ödön Gyory', member.id, member.email, '133.46', '143.46', 'Final', 'December']) {
      expect(text).toContain(shown);
    }
    await payOut(app, [await sell()], '2024-12-10T00:00:00Z');
    const after = await bytesOf(`${path}/2024/pdf`, tenant.liveKey);
    expect(after.equals(bytes)).toBe(false);
    expect(pdfText(after)).toContain('153.46');
  });

  test('a name in other letters is left out of the PDF, and nothing else is', async () => {
    const { member, path, sell, tenant } = await newShop({}, { givenName: '太郎', surname: '山田' });
    await payOut(app, [await sell()], '2024-02-10T00:00:00Z');
    const text = pdfText(await bytesOf(`${path}/2024/pdf`, tenant.liveKey));
    expect(text).toContain('not in Latin letters');
    expect(text).toContain(member.id);
  });

  test('are to be saved under a name of ours', async () => {
    const { client, path, sell } = await newShop();
    await payOut(app, [await sell()], '2024-02-10T00:00:00Z');
    const [pdf, csv] = [await client.get(`${path}/2024/pdf`), await client.get(`${path}/2024/csv`)];
    expect(pdf.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="payments-2024.pdf"',
      'x-content-type-options': 'nosniff',
    });
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="payments-2024.csv"',
    });
  });

  test('a year of more payouts than a page has them all, once', async () => {
    const { tenant, member, csv, list } = await newShop();
    await plantMovements(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, member.id, 520, '2024-02-10T00:00:00Z');
    const rows = (await csv(2024)).slice(1, -1);
    expect(rows).toHaveLength(1_040);
    expect(new Set(rows.map((row) => row.split(',')[1]))).toEqual(new Set(['paid', 'returned']));
    expect((await list()).data).toMatchObject([{ totalPaidMinor: 0, transactionCount: 520 }]);
  });
});

describe('refused', () => {
  test('are other tenants, the other environment, and members who are not there, alike', async () => {
    const [mine, other] = [await newShop(), await newShop()];
    await payOut(app, [await mine.sell()], '2024-02-10T00:00:00Z');
    const sandbox = apiClient(app, mine.tenant.sandboxKey);
    for (const path of ['', '/2024/pdf', '/2024/csv']) {
      expectRefusal(await other.client.get(mine.path + path), 404, 'USER_NOT_FOUND');
      expectRefusal(await sandbox.get(mine.path + path), 404, 'USER_NOT_FOUND');
    }
  });

  test('is another member’s document for a member’s token; its own is not', async () => {
    const { client, member, path, sell, tenant } = await newShop();
    await payOut(app, [await sell()], '2024-02-10T00:00:00Z');
    const sibling = await client.newMember();
    const tokenOf = async (id: string) => {
      const session = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, id);
      return { authorization: `Bearer ${session.accessToken}` };
    };
    await app.composition.offer(auth).signingKeys.signer();
    expect((await client.get(`${path}/2024/pdf`, await tokenOf(member.id))).status).toBe(200);
    expectRefusal(await client.get(`${path}/2024/pdf`, await tokenOf(sibling.id)), 403, 'FORBIDDEN');
  });

  test.each([
    ['/1969/pdf', 'year'],
    ['/10000/csv', 'year'],
    ['/2024/pdf?currency=qqq', 'currency'],
    ['?currency=XXX', 'currency'],
  ])('%s', async (rest, field) => {
    const { client, path } = await newShop();
    expectRefusal(await client.get(path + rest), 400, 'VALIDATION_ERROR', [field]);
  });
});
