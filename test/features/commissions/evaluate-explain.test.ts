/** The independent evaluator agrees with the service on every document, and finds whatever is wrong in one. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commissionBase } from '../../../src/features/commissions/open/evaluate-plan.ts';
import { DEFAULT_PLAN, type PlanDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import { findDifferences } from '../../../tools/evaluate-explain.ts';
import type { ExplainDocument } from '../../../tools/explain-document.ts';
import { evaluate, people, type SaleOptions } from '../../support/money/evaluate-text.ts';
import { explainArbitrary, explainDocumentOf } from '../../support/money/explain-arbitrary.ts';

const TOOL = path.join(import.meta.dirname, '../../../tools/evaluate-explain.ts');

/** A sale of 10000 (USD 100.00) by the default plan with `change` over it. */
function documentOf(change: Partial<PlanDefinition>, upline: string, options: SaleOptions = {}): ExplainDocument {
  const plan = { ...DEFAULT_PLAN, ...change };
  const purchase = { amountMinor: options.base ?? 10_000n, taxMinor: 0n, shippingMinor: 0n, lineItems: [] };
  const sale = { plan, baseMinor: commissionBase(plan, purchase), currency: 'USD', upline: people(upline), buyerId: undefined };
  return explainDocumentOf({ ...sale, ...options }, purchase, evaluate(change, upline, options));
}

test('the tools are short and have nothing of the service in them', async () => {
  const text = await readFile(TOOL, 'utf8');
  const rates = await readFile(new URL('../../../tools/evaluate-rates.ts', import.meta.url), 'utf8');
  const conditions = await readFile(new URL('../../../tools/evaluate-conditions.ts', import.meta.url), 'utf8');
  const topUps = await readFile(new URL('../../../tools/evaluate-top-ups.ts', import.meta.url), 'utf8');
  expect([...topUps.matchAll(/from '([^']+)'/g)].map((match) => match[1])).toEqual([
    'node:fs',
    './evaluate-explain.ts',
    './explain-document.ts',
  ]);
  for (const tool of [text, rates, conditions, topUps]) expect(tool.split('\n').length - 1).toBeLessThanOrEqual(150);
  expect([...rates.matchAll(/from '([^']+)'/g)].map((match) => match[1])).toEqual([
    './evaluate-conditions.ts',
    './explain-document.ts',
  ]);
  expect([...conditions.matchAll(/from '([^']+)'/g)].map((match) => match[1])).toEqual(['./explain-document.ts']);
  const imports = [...text.matchAll(/from '([^']+)'/g)].map((match) => match[1]);
  expect(imports).toEqual(['node:fs', './evaluate-rates.ts', './evaluate-verdicts.ts', './explain-document.ts']);
  expect(await readFile(new URL('../../../tools/evaluate-verdicts.ts', import.meta.url), 'utf8')).not.toMatch(/^import/m);
});

test('10,000 random documents are right', () => {
  fc.assert(
    fc.property(explainArbitrary, (document) => {
      const differences = findDifferences(document);
      if (differences.length > 0) throw new Error(differences.join('\n'));
    }),
    { numRuns: 10_000 },
  );
});

describe('an amount that is off by one is found, wherever it is', () => {
  const AMOUNTS = ['rounded_minor', 'after_ceiling_minor', 'capped_minor', 'source_amount_minor', 'amount_minor'] as const;
  const withShares = explainArbitrary.filter(({ outcomes }) => outcomes.some(({ shares }) => shares.length > 0));

  test.each([...AMOUNTS, 'paid_level', 'rate_bps', 'multiplier_milli'] as const)('%s', (field) => {
    fc.assert(
      fc.property(withShares, fc.nat(), fc.constantFrom(1, -1), (document, pick, by) => {
        const shares = document.outcomes.flatMap((outcome) => outcome.shares);
        const share = shares[pick % shares.length];
        if (!share) throw new Error('no share');
        share[field] += by;
        expect(findDifferences(document)).not.toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('the breakage, the base and the exact fraction', () => {
    fc.assert(
      fc.property(withShares, (document) => {
        const wrong = (change: (copy: ExplainDocument) => void): string[] => {
          const copy = structuredClone(document);
          change(copy);
          return findDifferences(copy);
        };
        expect(wrong((copy) => copy.breakage_minor++)).toHaveLength(1);
        expect(wrong((copy) => copy.inputs.base_minor++)).toHaveLength(1);
        expect(
          wrong((copy) => {
            const exact = copy.outcomes.flatMap(({ shares }) => shares)[0]?.exact;
            if (exact) exact.numerator = `${BigInt(exact.numerator) + 1n}`;
          }),
        ).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });
});

describe('other faults are found', () => {
  const wrong = (document: ExplainDocument, change: (copy: ExplainDocument) => void): string => {
    expect(findDifferences(document)).toEqual([]);
    const copy = structuredClone(document);
    change(copy);
    return findDifferences(copy).join('\n');
  };
  const compressed = documentOf({}, 'D o D D');

  test('a candidate that was skipped over', () => {
    expect(wrong(compressed, ({ outcomes }) => outcomes.splice(1, 1))).toContain('outcomes.1.user_id');
    expect(wrong(compressed, ({ outcomes }) => outcomes.pop())).toContain('outcomes.3');
  });
  test('a candidate who was not to be considered', () => {
    const full = documentOf({ levels: [{ level: 1, rateBps: 1000 }] }, 'D D');
    expect(full.outcomes).toHaveLength(1);
    const stranger = { user_id: 'm2', level: 2, outcome: 'not_paid', reason: 'INACTIVE', shares: [] } as const;
    expect(wrong(full, ({ outcomes }) => outcomes.push({ ...stranger, shares: [] }))).toContain('outcomes.1');
  });
  test('an input that was changed afterwards', () => {
    expect(wrong(compressed, ({ inputs }) => Object.assign(inputs.upline[1] ?? {}, { is_active: true }))).toContain('INACTIVE');
    expect(wrong(compressed, ({ inputs }) => Object.assign(inputs.upline[0] ?? {}, { tier: 'BARON' }))).not.toBe('');
    expect(wrong(compressed, (copy) => Object.assign(copy.inputs, { buyer_user_id: 'm3' }))).toContain('outcomes.2');
    expect(wrong(compressed, (copy) => Object.assign(copy.inputs, { block: 'RECURRING_MONTHS' }))).not.toBe('');
    expect(wrong(compressed, (copy) => Object.assign(copy.inputs, { tax_minor: 1 }))).toContain('base_minor');
    expect(wrong(compressed, (copy) => Object.assign(copy.inputs, { customer_room_minor: 1_000 }))).not.toBe('');
    expect(wrong(compressed, ({ inputs }) => inputs.member_rooms.push({ user_id: 'm3', room_minor: 499 }))).toContain(
      'member_period',
    );
  });
  test('a plan that was changed afterwards', () => {
    const change = (fields: object) => wrong(compressed, ({ plan }) => Object.assign(plan?.definition ?? {}, fields));
    expect(change({ compression: 'none' })).not.toBe('');
    expect(change({ levels: [{ level: 1, rateBps: 999 }, ...DEFAULT_PLAN.levels.slice(1)] })).toContain('rate_bps');
    expect(change({ caps: { perEventPayoutBps: 1_799 } })).toContain('after_ceiling_minor');
    expect(change({ tierRules: { ...DEFAULT_PLAN.tierRules, DIRECTOR: { maxDepth: 2 } } })).toContain('TIER_DEPTH');
    expect(change({ qualification: { minActiveDirects: 1 } })).toContain('ACTIVE_DIRECTS');
  });
  test('a step of a ladder, where refunds took more than was sold and that counts as nothing', () => {
    const steps = [
      { from: {}, rateBps: 50 },
      { from: { USD: 0 }, rateBps: 100 },
    ];
    const ladder = {
      id: 'sums',
      measure: 'base',
      ownPurchases: false,
      period: 'month',
      settle: 'next_sale',
      settleAfterDays: 10,
      steps,
    };
    const change = { levels: [{ level: 1, ladder: 'sums' }], ladders: [ladder] } as Partial<PlanDefinition>;
    const upline = people('D').map((member) => ({ ...member, ladderSums: { sums: -1n } }));
    const refunded = documentOf(change, '', { upline });
    expect(refunded.outcomes[0]?.shares[0]).toMatchObject({ rate_bps: 100, chosen: { ladder: { step: 1, sum: '-1' } } });
    expect(wrong(refunded, ({ outcomes }) => Object.assign(outcomes[0]?.shares[0] ?? {}, { rate_bps: 50 }))).toContain(
      'rate_bps',
    );
  });
  test('a rate of exchange that was changed, taken from elsewhere or lost', () => {
    const upline = people('D D').map((member) => ({ ...member, payCurrency: 'JPY' }));
    const rates = new Map([['JPY', { id: 'r1', numerator: 1495n, denominator: 1000n }]]);
    const converted = documentOf({ fx: { payCurrency: 'member', rateAt: 'occurred_at' } }, '', { upline, rates });
    expect(converted.outcomes[1]?.shares[0]).toMatchObject({ amount_minor: 748, currency: 'JPY', exchange_rate_id: 'r1' });
    expect(wrong(converted, ({ inputs }) => Object.assign(inputs.rates[0] ?? {}, { numerator: 1494 }))).toContain('amount_minor');
    expect(wrong(converted, ({ inputs }) => Object.assign(inputs.rates[0] ?? {}, { id: 'r2' }))).toContain('exchange_rate_id');
    expect(wrong(converted, ({ inputs }) => inputs.rates.pop())).toContain('no rate to JPY');
  });
  test('a reason that is not the reason', () => {
    expect(wrong(compressed, ({ outcomes }) => Object.assign(outcomes[1] ?? {}, { reason: 'TIER_DEPTH' }))).toBe(
      '.outcomes.1.reason: "TIER_DEPTH" should be "INACTIVE"',
    );
    expect(wrong(compressed, ({ outcomes }) => Object.assign(outcomes[0] ?? {}, { outcome: 'not_paid' }))).not.toBe('');
  });
  test('payment without a plan', () => {
    const none: ExplainDocument = { ...compressed, plan: null };
    expect(findDifferences(none)).toEqual(['without a plan nothing is paid']);
    expect(findDifferences({ ...none, outcomes: [] })).toEqual([]);
    expect(findDifferences({ ...none, outcomes: [], breakage_minor: 1 })).toHaveLength(1);
  });
  test('but a reduced fraction is the same fraction', () => {
    const copy = structuredClone(compressed);
    for (const share of copy.outcomes.flatMap(({ shares }) => shares)) {
      share.exact = { numerator: `${BigInt(share.exact.numerator) / 10_000_000n}`, denominator: '1' };
    }
    expect(findDifferences(copy)).toEqual([]);
  });
});

test('a document whose plan was published before the model grew', () => {
  const document = documentOf({}, 'D o D D');
  const { mode, base, levels, tierRules, compression } = DEFAULT_PLAN;
  const old = { mode, base, levels, tierRules, compression };
  expect(findDifferences({ ...document, plan: { version_id: 'v', version: 1, definition: old } })).toEqual([]);
});

test('as a command: ok, or the differences and exit code 1', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'explain-'));
  const run = async (document: ExplainDocument) => {
    const file = path.join(folder, 'document.json');
    await writeFile(file, JSON.stringify(document));
    return promisify(execFile)(process.execPath, [TOOL, file]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
    );
  };
  try {
    const document = documentOf({ compression: 'roll_up' }, 'O d S');
    expect(await run(document)).toEqual({ code: 0, stdout: 'ok\n' });
    const line = document.outcomes[2]?.shares[0];
    if (line) line.amount_minor -= 1;
    expect(await run(document)).toEqual({ code: 1, stdout: '.outcomes.2.shares.0.amount_minor: 499 should be 500\n' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
