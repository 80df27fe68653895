/**
 * Whatever way an effect is reached, the weaker right never does more: each way is refused exactly when the effect's own
 * operation is, or its own scope is missing, and a refusal leaves nothing behind.
 * Source: docs/specification/identity.md#rights.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { house } from '../../src/features.ts';
import { scopesOf } from '../../src/house/house.ts';
import { createScopeOf, type ScopeOf } from '../../src/http/rights.ts';
import { apiClient } from '../support/app/api-client.ts';
import type { CallAnswer } from '../support/app/http-call.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { digestEffects, EFFECTS, type Ground, send, type Way, workOff } from '../support/rights/effects.ts';

const ALL = scopesOf(house);

let app: TestApp;
let ground: Ground;
let scopeOf: ScopeOf;
const keys = new Map<string, string>();

beforeAll(async () => {
  app = await startTestApp();
  const tenant = await app.newTenant();
  const strong = apiClient(app, tenant.liveKey);
  const { id: memberId } = await strong.newMember();
  ground = { app, tenant, strong, memberId };
  scopeOf = createScopeOf(app.composition.app.operations);
});
afterAll(() => app.close());

async function keyWith(scopes: readonly string[], environment: 'LIVE' | 'SANDBOX' = 'LIVE'): Promise<string> {
  const name = [environment, ...scopes].join(' ');
  const known = keys.get(name);
  if (known !== undefined) return known;
  const { apiKey } = await app.tenants.createKey({ tenantId: ground.tenant.tenantId, environment, scopes: [...scopes] });
  keys.set(name, apiKey);
  return apiKey;
}

/** What a key needs for a way: the way's own scope and those of the effects it has. */
const needsOf = ({ operationId, has }: Way): string[] => [...new Set([operationId, ...has].map(scopeOf))];

const statusOf = (way: Way, answer: CallAnswer): number => way.statusOf?.(answer) ?? answer.status;

/** Keys that lack something: each scope alone, and everything but one of those that are needed. */
function weakSets(needs: readonly string[]): string[][] {
  const alone = ALL.map((scope) => [scope]).filter((set) => !needs.every((need) => set.includes(need)));
  return [...alone, ...needs.map((missing) => ALL.filter((scope) => scope !== missing))];
}

const CASES = EFFECTS.flatMap(({ name, ways }) => ways.map((way) => ({ effect: name, way, title: `${name}: ${way.name}` })));

describe.each(CASES)('$title', ({ way }) => {
  test('is refused to each key that lacks a right, which is named, and does nothing', async () => {
    const needs = needsOf(way);
    const attempt = await way.prepare(ground);
    const before = await digestEffects(ground);
    for (const scopes of weakSets(needs)) {
      const answer = await send(ground, await keyWith(scopes, way.environment), attempt);
      const missing = needs.filter((need) => !scopes.includes(need));
      expect([statusOf(way, answer), scopes.length], `${scopes.slice(0, 3).join(' ')}: ${answer.text}`).toEqual([
        403,
        scopes.length,
      ]);
      expect(answer.text).toContain('"FORBIDDEN"');
      expect(
        missing.some((scope) => answer.text.includes(`the scope ${scope}`)),
        answer.text,
      ).toBe(true);
    }
    await workOff(ground, way);
    expect(await digestEffects(ground)).toBe(before);
  });

  test('is open to a key with just these rights, and has the effect', async () => {
    const attempt = await way.prepare(ground);
    const before = await digestEffects(ground);
    const answer = await send(ground, await keyWith(needsOf(way), way.environment), attempt);
    if (way.environment === 'SANDBOX') expect(answer.text).not.toContain('FORBIDDEN');
    else expect(statusOf(way, answer), answer.text).toBeLessThan(300);
    await workOff(ground, way);
    if (way.idle === undefined) expect(await digestEffects(ground)).not.toBe(before);
  });
});

test('every effect that an operation declares is tried by a way', () => {
  const tried = EFFECTS.flatMap(({ ways }) =>
    ways.flatMap(({ operationId, has }) => has.map((effect) => `${operationId} ${effect}`)),
  );
  const declared = app.composition.app.operations.flatMap(({ operationId, effects = [] }) =>
    effects.map((effect) => `${operationId} ${effect.operationId}`),
  );
  expect(declared.filter((pair) => !tried.includes(pair))).toEqual([]);
});

/** Of whoever sends again what somebody with more rights has sent, with the same Idempotency-Key. */
describe('a stored answer', () => {
  const direct = EFFECTS.flatMap(({ name, ways }) => ways.slice(0, 1).map((way) => ({ title: name, way }))).filter(
    ({ way }) => way.idle === undefined,
  );

  test.each(direct)('of $title is not for a key without the right', async ({ way }) => {
    const headers = { 'idempotency-key': randomUUID() };
    const attempt = await way.prepare(ground);
    const first = await ground.strong.post(attempt.target, attempt.body as object, headers);
    expect(first.status, first.text).toBeLessThan(300);
    const before = await digestEffects(ground);
    const lacking = ALL.filter((scope) => !needsOf(way).includes(scope));
    const again = await apiClient(app, await keyWith(lacking)).post(attempt.target, attempt.body as object, headers);
    expect([again.status, again.body.code, again.headers['idempotent-replayed']]).toEqual([403, 'FORBIDDEN', undefined]);
    expect(await digestEffects(ground)).toBe(before);
  });

  test('of the creation of a key gives its secret to nobody else', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { name: 'with every right' };
    const first = await ground.strong.post('/api/v1/admin/api-keys', body, headers);
    expect(first.status, first.text).toBe(201);
    const weak = apiClient(app, await keyWith(['admin:keys']));
    const again = await weak.post('/api/v1/admin/api-keys', body, headers);
    expect(again.text).not.toContain(first.body.apiKey);
  });
});
