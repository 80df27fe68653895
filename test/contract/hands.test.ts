/**
 * What operations and settings do to the safeguards of dual control: each says so itself, and what can weaken one waits.
 * Source: docs/specification/two-hands.md#directions.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { house } from '../../src/features.ts';
import { settingsOf } from '../../src/house/house.ts';
import type { AnyHands, Hands } from '../../src/house/settings.ts';
import type { Operation } from '../../src/http/operation.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

/** Rights over money, and over who may do what. */
const GUARDED = /^(any$|admin:|payouts:|commissions:|plans:|members:|rates:|accounts:|identity:)/;

/** Where each operation that can weaken a safeguard is tried: it waits there. */
const TRIED: Record<string, string> = {
  updateSettings: 'features/pending-changes/waiting.test.ts',
  createAuthProvider: 'features/auth/waiting-providers.test.ts',
  updateAuthProvider: 'features/auth/waiting-providers.test.ts',
  createExchangeRate: 'features/exchange-rates/waiting-rates.test.ts',
  createRateOverride: 'features/rates/rate-hands.test.ts',
  publishCommissionPlan: 'features/commissions/waiting-plans.test.ts',
  recordManualCommission: 'features/events/manual-limits.test.ts',
  inviteStaff: 'features/staff/waiting-people.test.ts',
  updateStaffMember: 'features/staff/waiting-people.test.ts',
};

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const guarded = (): Operation[] =>
  app.composition.app.operations.filter(
    ({ method, scope, writesNothing }) => method !== 'get' && writesNothing === undefined && GUARDED.test(scope),
  );
const canWeaken = ({ hands }: Operation): boolean => hands === 'weakens' || hands === 'by value';

describe('operations', () => {
  test('that write by a right over money or rights say what they do to safeguards', () => {
    const silent = guarded().filter(({ hands }) => hands === undefined);
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('that can weaken one answer 202, know a change that is in the way, and are tried; no others do', () => {
    const { operations } = app.composition.app;
    const facts = operations.map((operation) => ({
      id: operation.operationId,
      can: canWeaken(operation),
      waits: operation.success.some(({ status }, n) => status === 202 && n > 0),
      refuses: operation.errors.some((kind) => typeof kind !== 'string' && kind.code === 'CHANGE_PENDING'),
      tried: operation.operationId in TRIED,
    }));
    expect(facts.filter(({ can, waits, refuses, tried }) => can !== waits || can !== refuses || can !== tried)).toEqual([]);
    for (const [operationId, file] of Object.entries(TRIED)) {
      const text = readFileSync(path.join(import.meta.dirname, '..', file), 'utf8');
      expect(text, `${file} does not see ${operationId} wait`).toMatch(
        new RegExp(`\\b(${operationId}|SETTINGS)\\b[^]*\\b202\\b`),
      );
    }
  });

  test('are not declared where nothing guards them', () => {
    const declared = app.composition.app.operations.filter(({ hands }) => hands !== undefined);
    expect(declared.filter(({ method, writesNothing }) => method === 'get' || writesNothing !== undefined)).toEqual([]);
  });
});

/** The schema of a field, whatever it is wrapped in. */
function within(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return within(schema.unwrap() as z.ZodType);
  return schema;
}

function fieldsOf(schema: z.ZodType, at: string[]): string[][] {
  const inner = within(schema);
  if (!(inner instanceof z.ZodObject)) return [at];
  return Object.entries(inner.shape).flatMap(([name, field]) => fieldsOf(field as z.ZodType, [...at, name]));
}

const handsAt = (hands: AnyHands, at: string[]): Hands | AnyHands | undefined =>
  at.reduce<Hands | AnyHands | undefined>((found, name) => (typeof found === 'object' ? found[name] : undefined), hands);

function declaredIn(hands: AnyHands, at: string[] = []): string[] {
  return Object.entries(hands).flatMap(([name, one]) =>
    typeof one === 'object' ? declaredIn(one, [...at, name]) : [[...at, name].join('.')],
  );
}

test('there are settings', () => {
  expect(settingsOf(house).length).toBeGreaterThan(3);
});

describe.each(settingsOf(house))('each setting of $name', ({ patch, hands }) => {
  test('says what a change of it is, and nothing else does', () => {
    const fields = fieldsOf(patch, []);
    const silent = fields.filter((at) => {
      const found = handsAt(hands, at);
      return found === undefined || typeof found === 'object';
    });
    expect(silent.map((at) => at.join('.'))).toEqual([]);
    expect(declaredIn(hands).toSorted()).toEqual(fields.map((at) => at.join('.')).toSorted());
  });
});
