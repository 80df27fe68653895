/** Changes of identity providers that wait for another pair of hands: docs/specification/identity.md#provider-changes. createAuthProvider updateAuthProvider */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { CHANGES, type ChangesShop, openChangesShop, SETTINGS } from '../pending-changes/changes-shop.ts';

const PROVIDERS = '/api/v1/admin/auth/providers';

let app: TestApp;
let shop: ChangesShop;
let usual: RequestListener;

beforeAll(async () => {
  app = await startTestApp();
  usual = app.issuer.server.handle;
});
beforeEach(async () => {
  shop = await openChangesShop(app);
});
afterEach(() => {
  app.issuer.server.handle = usual;
});
afterAll(() => app.close());

const bodyOf = (fields: object = {}) => ({
  providerId: `p-${randomUUID()}`,
  issuerUrl: app.issuer.issuerUrl,
  allowedAudiences: ['app'],
  ...fields,
});
const add = (fields: object = {}, client: ApiClient = shop.first) => client.post(PROVIDERS, bodyOf(fields));
const list = async () => (await shop.first.get(PROVIDERS)).body.data as Record<string, unknown>[];

interface Planted {
  id: string;
  providerId: string;
}

/** One that both pairs of hands agreed to. */
async function newProvider(fields: object = {}): Promise<Planted> {
  const answer = await add(fields);
  expect(answer.status, answer.text).toBe(202);
  const confirmed = await shop.confirm(answer.body.pendingChange.id);
  expect(confirmed.status, confirmed.text).toBe(200);
  return (await list()).at(-1) as unknown as Planted;
}
const change = ({ id }: Planted, body: object, client: ApiClient = shop.first) => client.patch(`${PROVIDERS}/${id}`, body);

/** Serves the discovery document and the keys as ever, with the keys at another address. */
function moveKeys(to: string): void {
  app.issuer.server.handle = (req, res) => {
    if (req.url?.endsWith('/openid-configuration') === true) {
      const { issuerUrl } = app.issuer;
      res
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ issuer: issuerUrl, jwks_uri: `${app.issuer.server.url}${to}` }));
      return;
    }
    if (req.url === to) req.url = '/jwks';
    usual(req, res);
  };
}

describe('a new provider', () => {
  test('is a new way in: it waits, whatever it is trusted with, and is there once another root confirms it', async () => {
    const answer = await add({ providerId: 'main' });
    expect(answer.status, answer.text).toBe(202);
    const { id, fields } = answer.body.pendingChange;
    expect(fields).toEqual([
      {
        field: 'authProviders.main',
        direction: 'weakens',
        from: null,
        to: {
          issuerUrl: app.issuer.issuerUrl,
          jwksUri: expect.stringMatching(/^https:/),
          allowedAudiences: ['app'],
          autoCreateUsers: true,
          trustEmail: false,
          acceptUnverifiedEmail: false,
        },
      },
    ]);
    expect(await list()).toEqual([]);
    expectRefusal(await shop.confirm(id, shop.first), 403, 'SECOND_PERSON_REQUIRED');
    const { client: weak } = await shop.newRoot(['admin:settings']);
    expectRefusal(await shop.confirm(id, weak), 403, 'FORBIDDEN');
    const { client: just } = await shop.newRoot(['admin:auth']);
    expect((await shop.confirm(id, just)).body).toMatchObject({ id, status: 'confirmed' });
    expect(await list()).toMatchObject([{ providerId: 'main', trustEmail: false }]);
    const [entry] = await app.database.asSuperuser<{ details: object }>(
      "select details from audit_log where tenant_id = $1 and action = 'auth_provider.created'",
      [shop.tenant.tenantId],
    );
    expect(entry?.details).toEqual({
      providerId: 'main',
      weakens: ['authProviders.main'],
      pendingChangeId: id,
      proposedBy: expect.stringMatching(/^api_key:/),
    });
  });

  test('is refused at once where it could not be used, or its name is taken', async () => {
    app.issuer.server.handle = (_req, res) => res.writeHead(404).end();
    expect(await add()).toMatchObject({ status: 502, body: { code: 'PROVIDER_CONFIGURATION' } });
    app.issuer.server.handle = usual;
    const { providerId } = await newProvider();
    expectRefusal(await add({ providerId }), 409, 'STATE_CONFLICT');
    expect((await shop.first.get(`${CHANGES}?status=open`)).body.data).toEqual([]);
  });

  test('waits once for each name', async () => {
    expect((await add({ providerId: 'main' })).status).toBe(202);
    expectRefusal(await add({ providerId: 'main', trustEmail: true }, shop.second), 409, 'CHANGE_PENDING');
    expect((await add({ providerId: 'other' })).status).toBe(202);
  });

  test('is checked again when it is confirmed, and must have its keys where they were seen', async () => {
    const { id } = (await add()).body.pendingChange;
    moveKeys('/elsewhere');
    expectRefusal(await shop.confirm(id), 409, 'STATE_CONFLICT');
    app.issuer.server.handle = (_req, res) => res.writeHead(404).end();
    expect(await shop.confirm(id)).toMatchObject({ status: 502, body: { code: 'PROVIDER_CONFIGURATION' } });
    expect(await list()).toEqual([]);
    app.issuer.server.handle = usual;
    expect((await shop.confirm(id)).status).toBe(200);
  });

  test('is confirmed once by two at once', async () => {
    const { id } = (await add()).body.pendingChange;
    const answers = await Promise.all([shop.confirm(id), shop.confirm(id)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await list()).toHaveLength(1);
  });
});

describe('a change of a provider', () => {
  test.each([
    [{ trustEmail: true }],
    [{ acceptUnverifiedEmail: true }],
    [{ autoCreateUsers: true }],
    [{ allowedAudiences: ['app', 'more'] }],
    [{ allowedAudiences: ['other'] }],
    [{ trustEmail: true, allowedAudiences: ['app'] }],
  ])('to %j waits whole', async (body) => {
    const provider = await newProvider({ autoCreateUsers: false, allowedAudiences: ['app', 'web'] });
    const before = await list();
    const answer = await change(provider, body);
    expect(answer.status, answer.text).toBe(202);
    expect(await list()).toEqual(before);
    const { id } = answer.body.pendingChange;
    expectRefusal(await shop.confirm(id, shop.first), 403, 'SECOND_PERSON_REQUIRED');
    expect((await shop.confirm(id)).status).toBe(200);
    expect(await list()).toMatchObject([body]);
  });

  test.each([
    [{ trustEmail: false }],
    [{ acceptUnverifiedEmail: false }],
    [{ autoCreateUsers: false }],
    [{ allowedAudiences: ['app'] }],
    [{ trustEmail: true, allowedAudiences: ['web', 'app'].toSorted() }],
    [{ jwksUri: null }],
  ])('to %j, which takes away or leaves, takes effect at once', async (body) => {
    const loose = { trustEmail: true, acceptUnverifiedEmail: true, allowedAudiences: ['app', 'web'] };
    const provider = await newProvider(loose);
    const answer = await change(provider, body);
    expect(answer.status, answer.text).toBe(200);
  });

  test('of where its keys are waits, and is stale when they have moved again', async () => {
    const provider = await newProvider();
    moveKeys('/elsewhere');
    const answer = await change(provider, { jwksUri: null });
    expect(answer.status, answer.text).toBe(202);
    const { id, fields } = answer.body.pendingChange;
    expect(fields).toMatchObject([{ field: `authProviders.${provider.providerId}.jwksUri`, direction: 'weakens' }]);
    moveKeys('/third');
    expectRefusal(await shop.confirm(id), 409, 'STATE_CONFLICT');
    moveKeys('/elsewhere');
    expect((await shop.confirm(id)).status).toBe(200);
    expect(await list()).toMatchObject([{ jwksUri: `${app.issuer.server.url}/elsewhere` }]);
  });

  test('that tightens ends the one that waits, and so does deleting the provider', async () => {
    const provider = await newProvider({ allowedAudiences: ['app', 'web'] });
    const ask = async (body: object) => (await change(provider, body)).body.pendingChange.id as string;
    const statusOf = async (id: string) => (await shop.first.get(`${CHANGES}/${id}`)).body.status;
    const wider = await ask({ allowedAudiences: ['app', 'web', 'more'] });
    expectRefusal(await change(provider, { allowedAudiences: ['third'] }), 409, 'CHANGE_PENDING');
    expect((await change(provider, { allowedAudiences: ['app'] }, shop.second)).status).toBe(200);
    expect(await statusOf(wider)).toBe('cancelled');
    const trusted = await ask({ trustEmail: true });
    const gone = await app.http.delete(`${PROVIDERS}/${provider.id}`).set('x-tenant-api-key', shop.tenant.liveKey);
    expect(gone.status).toBe(200);
    expect(await statusOf(trusted)).toBe('cancelled');
    expectRefusal(await shop.confirm(trusted), 409, 'STATE_CONFLICT');
  });
});

describe('no provider waits', () => {
  test('in a SANDBOX', async () => {
    const sandbox = apiClient(app, shop.tenant.sandboxKey);
    expect((await sandbox.patch(SETTINGS, { payments: { dualControl: true } })).status).toBe(200);
    const answer = await add({}, sandbox);
    expect(answer.status).toBe(201);
    expect((await change(answer.body, { trustEmail: true }, sandbox)).status).toBe(200);
  });

  test('without dual control; what weakens is in the log', async () => {
    const other = await openChangesShop(app, { dualControl: false });
    const answer = await add({ providerId: 'main' }, other.first);
    expect(answer.status).toBe(201);
    expect((await change(answer.body, { trustEmail: true, autoCreateUsers: false }, other.first)).status).toBe(200);
    const entries = await app.database.asSuperuser<{ details: object }>(
      "select details from audit_log where tenant_id = $1 and action ~ '^auth_provider' order by id",
      [other.tenant.tenantId],
    );
    expect(entries.map(({ details }) => details)).toEqual([
      { providerId: 'main', weakens: ['authProviders.main'] },
      {
        fields: ['autoCreateUsers', 'trustEmail'],
        weakens: ['authProviders.main.trustEmail'],
        tightens: ['authProviders.main.autoCreateUsers'],
      },
    ]);
  });
});
