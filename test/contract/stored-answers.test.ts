/**
 * Whose a stored answer is: of every operation that takes an Idempotency-Key, repeats by the same family of keys, by
 * another, by a key that lacks the right, and by a member. Source: docs/specification/conventions.md#stored-answers.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hashApiKey } from '../../src/http/authenticate.ts';
import { type Operation, takesIdempotencyKey } from '../../src/http/operation.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { plantSession } from '../support/identity/sessions.ts';
import { sideOf, worldOf } from '../support/matrix/matrix-rows.ts';
import { plantWorld, type Side, type World } from '../support/matrix/matrix-world.ts';
import { keyedRows, operationOf, ownRequest, sendOwn } from '../support/matrix/send-own.ts';
import { answerFields } from '../support/openapi/answer-fields.ts';

let world: World;

beforeAll(async () => {
  world = await plantWorld(await startTestApp());
});
afterAll(() => world.app.close());

/** A key of the side; with `family` one that the side's key might have been rolled to. */
async function newKey({ app }: World, side: Side, options: { scopes?: string[]; family?: true } = {}): Promise<string> {
  const { tenantId, environment } = side;
  const { keyId, apiKey } = await app.tenants.createKey({ tenantId, environment, scopes: options.scopes });
  if (options.family) {
    await app.database.asSuperuser('update api_key set family_id = (select id from api_key where hash = $2) where id = $1', [
      keyId,
      hashApiKey(app.config.secrets.apiKeyPepper, side.key),
    ]);
  }
  return apiKey;
}

const BY_ANY_KEY = ['saveView', 'deleteSavedView'];

describe.each(keyedRows)('%s', (operationId, row) => {
  test('is answered again to whose request it was, and to nobody else', async () => {
    const operation = operationOf(world, operationId);
    if (!takesIdempotencyKey(operation)) return;
    const ground = await worldOf(row, world);
    const side = sideOf(row, ground);
    const request = await ownRequest(row, ground);
    const key = randomUUID();
    const as = (apiKey: string, more: Record<string, string> = {}) =>
      sendOwn(ground, operation, request, { 'x-tenant-api-key': apiKey, 'idempotency-key': key, ...more });
    const first = await as(side.key);
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([row.status, null]);

    const { secrets = [] } = operation;
    const nothing = Object.fromEntries(secrets.map((field) => [field, null]));
    const again = await as(await newKey(ground, side, { family: true }));
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([first.status, 'true']);
    expect(again.json).toEqual({ ...(first.json as object), ...nothing });

    const others = await as(await newKey(ground, side));
    expect([others.status, others.headers.get('idempotent-replayed')]).toEqual([422, null]);
    expect(others.json).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });

    const scope = operation.scope === 'users:read' ? 'leads:read' : 'users:read';
    const lacking = await as(await newKey(ground, side, { scopes: [scope], family: true }));
    // What every key may do takes no scope, and the family's key hears the stored answer.
    if (!BY_ANY_KEY.includes(operationId)) expect([lacking.status, lacking.json]).toMatchObject([403, { code: 'FORBIDDEN' }]);

    const { accessToken } = await plantSession(ground.app, side, side.root.id);
    const members = await as(side.key, { authorization: `Bearer ${accessToken}` });
    // A member that may do this did not ask before: the request is another's.
    expect(members.status).toBe(operation.member ? memberStatus(request.path, side) : operationId === 'resetSandbox' ? 401 : 403);
    expect(members.headers.get('idempotent-replayed')).toBeNull();
  });
});

/** 403 where the path is of another member. */
function memberStatus(path: Record<string, string> | undefined, side: Side): number {
  return path?.['userId'] === undefined || path['userId'] === side.root.id ? 422 : 403;
}

describe('a secret in an answer', () => {
  const SECRET = /(secret|token|apikey|password)$|^(url|uploadUrl)$/i;

  /** Not secrets, though their names say so. */
  const PUBLIC: Record<string, string> = {
    'createWebhookEndpoint url': 'the address that the tenant gave, which every read shows',
    'updateWebhookEndpoint url': 'the same',
    'rotateWebhookSecret url': 'the same',
    'createReferralLink url': 'the address that a member hands out',
    'updateReferralLink url': 'the same',
    'updateStaffMember hasPassword': 'whether there is one',
    'removeStaffMember hasPassword': 'the same',
    'updateOwnAccount hasPassword': 'the same',
    'updateSettings kyc.kycvendor.appToken': 'its last four characters',
    'updateSettings kyc.kycvendor.webhookSecret': 'the same',
    'updateSettings kyc.kycvendor.previousWebhookSecret': 'the same',
    'updateSettings staffProvider.clientSecret': 'the same',
  };

  test('is declared, or the operation takes no Idempotency-Key', () => {
    const { operations } = world.app.composition.app;
    const undeclared = operations
      .filter(takesIdempotencyKey)
      .flatMap((operation) => answerFields(operation).map((field): [Operation, string] => [operation, field]))
      .filter(([{ secrets = [] }, field]) => SECRET.test(field.split('.').at(-1) ?? '') && !secrets.includes(field))
      .map(([{ operationId }, field]) => `${operationId} ${field}`);
    expect(undeclared).toEqual(Object.keys(PUBLIC));
  });

  test('is a field that may be null', () => {
    for (const operation of world.app.composition.app.operations) {
      for (const field of operation.secrets ?? []) {
        const schema = operation.response instanceof z.ZodObject ? operation.response.shape[field] : undefined;
        expect(schema?.safeParse(null).success, `${operation.operationId} ${field}`).toBe(true);
      }
    }
  });
});
