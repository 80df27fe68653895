/**
 * Whose deliveries are taken, and that all others are told the same
 * (docs/specification/webhooks.md#kyc-signature, docs/specification/reliability.md#w-5).
 */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../../support/app/raw-http.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { signDelivery, type VendorDelivery } from '../../support/kyc/fake-kyc-events.ts';
import { type FakeKycVendor, startFakeKycVendor } from '../../support/kyc/fake-kyc-vendor.ts';
import { deliver, type KycSide, noTenant, openKycSide, type PlantedRecord } from '../../support/kyc/kyc-deliveries.ts';
import { plantKycSettings } from '../../support/kyc/kyc-settings.ts';

let vendor: FakeKycVendor;
let app: TestApp;
let live: KycSide;
let sandbox: KycSide;
let record: PlantedRecord;
let good: VendorDelivery;

beforeAll(async () => {
  vendor = await startFakeKycVendor();
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: vendor.host });
  live = await openKycSide(app, vendor);
  sandbox = await openKycSide(app, vendor, { environment: 'SANDBOX', tenant: live.tenant });
  record = await live.newRecord();
  good = live.event(record, 'applicantPending');
});
afterAll(async () => {
  await app.close();
  vendor.close();
});

const REFUSED = { error: 'The signature is missing or wrong', code: 'INVALID_SIGNATURE' };

/** All rows of either environment that a delivery could leave. */
const traces = () =>
  app.database.asSuperuser(
    `select (select count(*)::int from kyc_event) as events, (select count(*)::int from audit_log) as entries,
            (select count(*)::int from kyc_record where status <> 'not_started') as moved`,
  );

async function expectRefused(delivery: { body: Buffer; headers: Record<string, string> }, tenantId = live.scope.tenantId) {
  const before = await traces();
  const answer = await deliver(app.baseUrl, tenantId, delivery);
  expect([answer.status, answer.json, answer.headers.get('x-environment')]).toEqual([401, REFUSED, 'LIVE']);
  expect(await traces()).toEqual(before);
}

const changed = (headers: Record<string, string | undefined>, body: Buffer = good.body) => ({
  body,
  headers: Object.fromEntries(
    Object.entries({ ...good.headers, ...headers }).filter((pair): pair is [string, string] => pair[1] !== undefined),
  ),
});
const digest = () => good.headers['x-payload-digest'];

describe('refused, all with one answer', () => {
  test.each<[string, () => { body: Buffer; headers: Record<string, string> }]>([
    ['one byte more', () => changed({}, Buffer.concat([good.body, Buffer.from(' ')]))],
    ['one byte other', () => changed({}, Buffer.from(good.body.toString().replace('individual', 'individuam')))],
    ['the same JSON, written anew', () => changed({}, Buffer.from(JSON.stringify(JSON.parse(good.body.toString()), null, 1)))],
    ['an empty body', () => changed({}, Buffer.alloc(0))],
    ['no digest', () => changed({ 'x-payload-digest': undefined })],
    ['an empty digest', () => changed({ 'x-payload-digest': '' })],
    ['the digest twice in one header', () => changed({ 'x-payload-digest': `${digest()}, ${digest()}` })],
    ['base64', () => changed({ 'x-payload-digest': Buffer.from(digest(), 'hex').toString('base64') })],
    ['half of it', () => changed({ 'x-payload-digest': digest().slice(0, 32) })],
    ['another algorithm on the label', () => changed({ 'x-payload-digest-alg': 'HMAC_SHA512_HEX' })],
    ['an unknown algorithm', () => changed({ 'x-payload-digest-alg': 'HMAC_MD5_HEX' })],
    ['an empty algorithm', () => changed({ 'x-payload-digest-alg': '' })],
    ['SHA-1, which nobody has allowed', () => signDelivery(good.body, { secret: live.secret, alg: 'HMAC_SHA1_HEX' })],
    ["another tenant's secret", () => signDelivery(good.body, { secret: vendor.account.webhookSecret })],
    ['no secret', () => signDelivery(good.body, { secret: '' })],
    ["the vendor's API key", () => signDelivery(good.body, { secret: vendor.account.secretKey })],
  ])('%s', async (_name, make) => {
    await expectRefused(make());
  });

  test('a tenant that does not exist, one without settings, another one', async () => {
    await expectRefused(good, noTenant());
    await expectRefused(good, (await app.newTenant()).tenantId);
    await expectRefused(good, (await openKycSide(app, vendor)).scope.tenantId);
  });

  test('the digest in two headers', async () => {
    const path = `/api/v1/webhooks/kyc/kycvendor?tenant_id=${live.scope.tenantId}`;
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: svc',
      'Connection: close',
      `Content-Length: ${good.body.length}`,
      `x-payload-digest: ${digest()}`,
      `x-payload-digest: ${digest()}`,
    ];
    const { status, body } = await sendRaw(app.baseUrl, `${head.join('\r\n')}\r\n\r\n`, good.body);
    expect([status, JSON.parse(body)]).toEqual([401, REFUSED]);
  });
});

test('a compressed body is not read: the digest is over what was sent', async () => {
  const zipped = gzipSync(good.body);
  const delivery = signDelivery(zipped, { secret: live.secret });
  const answer = await live.send({ body: zipped, headers: { ...delivery.headers, 'content-encoding': 'gzip' } });
  expect([answer.status, (answer.json as { code: string }).code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test('the address must name a tenant, and nothing else', async () => {
  const post = (query: string) =>
    fetch(`${app.baseUrl}/api/v1/webhooks/kyc/kycvendor${query}`, {
      method: 'POST',
      headers: good.headers,
      body: new Uint8Array(good.body),
    }).then((answer) => answer.status);
  const { tenantId } = live.scope;
  for (const query of ['', '?tenant_id=', '?tenant_id=acme', `?tenant_id=${tenantId}&tenant_id=${tenantId}`]) {
    expect(await post(query)).toBe(400);
  }
  expect(await post(`?tenant_id=${tenantId}&environment=sandbox`)).toBe(400);
});

describe('taken', () => {
  test('in upper-case hex, without the algorithm, as another media type', async () => {
    for (const headers of [
      { 'x-payload-digest': digest().toUpperCase() },
      { 'x-payload-digest-alg': undefined },
      { 'content-type': 'text/plain' },
    ]) {
      expect((await live.send(changed(headers))).status).toBe(200);
    }
    expect((await live.send(live.event(record, 'applicantTagsChanged', { extra: { a: 1 } }))).status).toBe(200);
  });

  test('by SHA-512, and by SHA-1 where the tenant says so', async () => {
    const tagged = live.event(record, 'applicantTagsChanged').body;
    expect((await live.send(signDelivery(tagged, { secret: live.secret, alg: 'HMAC_SHA512_HEX' }))).status).toBe(200);
    const old = await openKycSide(app, vendor);
    await plantKycSettings(app, old.scope, { webhookSecret: 'old', allowedDigestAlgs: ['HMAC_SHA1_HEX'] });
    const body = old.event(await old.newRecord(), 'applicantPending').body;
    expect((await old.send(signDelivery(body, { secret: 'old', alg: 'HMAC_SHA1_HEX' }))).status).toBe(200);
    expect((await old.send(signDelivery(body, { secret: 'old' }))).status).toBe(401);
  });

  test('by the previous secret too, while it is kept', async () => {
    const side = await openKycSide(app, vendor);
    const body = () => side.event({ ...record }, 'applicantTagsChanged').body;
    await plantKycSettings(app, side.scope, { webhookSecret: 'new', previousWebhookSecret: side.secret });
    for (const secret of ['new', side.secret]) expect((await side.send(signDelivery(body(), { secret }))).status).toBe(200);
    await plantKycSettings(app, side.scope, { webhookSecret: 'new' });
    expect((await side.send(signDelivery(body(), { secret: side.secret }))).status).toBe(401);
  });

  test.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a mode we do not know', '{"type":"applicantPending","sandboxMode":1}'],
  ])('but %s, however well signed, is a 400', async (_name, text) => {
    const before = await traces();
    const answer = await live.send(signDelivery(Buffer.from(text), { secret: live.secret }));
    expect([answer.status, (answer.json as { code: string }).code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(await traces()).toEqual(before);
  });
});

describe('environments', () => {
  const modeOf = (side: KycSide, sandboxMode: boolean | string | null) =>
    side.event({ memberId: record.memberId, recordId: '', applicantId: 'x' }, 'applicantTagsChanged', { sandboxMode });

  test('the secret tells, and the event must agree', async () => {
    await expectRefused(modeOf(live, true));
    await expectRefused(modeOf(live, 'true'));
    await expectRefused(modeOf(sandbox, false));
    await expectRefused(modeOf(sandbox, 'false'));
    for (const [side, mode] of [
      [live, 'false'],
      [live, null],
      [sandbox, true],
      [sandbox, 'true'],
      [sandbox, null],
    ] as const) {
      const answer = await side.send(modeOf(side, mode));
      expect([answer.status, answer.headers.get('x-environment')]).toEqual([200, side.scope.environment]);
    }
  });

  test("a SANDBOX's event about a member of LIVE finds nobody", async () => {
    await sandbox.send(sandbox.event(record, 'applicantReviewed', { reviewStatus: 'completed' }));
    expect((await sandbox.kept()).at(-1)).toBe('applicantReviewed unmatched');
  });

  test('with one secret in both the event tells; when it does not, it is LIVE', async () => {
    const one = await openKycSide(app, vendor);
    await plantKycSettings(app, { ...one.scope, environment: 'SANDBOX' }, { webhookSecret: one.secret });
    const ranIn = async (mode: boolean | null) => (await one.send(modeOf(one, mode))).headers.get('x-environment');
    expect([await ranIn(true), await ranIn(false), await ranIn(null)]).toEqual(['SANDBOX', 'LIVE', 'LIVE']);
  });

  test("another client of the vendor's is refused where the tenant has named its own", async () => {
    const side = await openKycSide(app, vendor);
    await plantKycSettings(app, side.scope, { webhookSecret: side.secret, clientId: 'acme' });
    const of = (clientId: string | null) => side.event(record, 'applicantTagsChanged', { extra: { clientId } });
    await expectRefused(of('other'), side.scope.tenantId);
    expect((await side.send(of('acme'))).status).toBe(200);
    expect((await side.send(of(null))).status).toBe(200);
  });
});
