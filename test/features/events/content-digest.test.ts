/**
 * What makes two purchases the same content (docs/specification/events.md#event-id): as sent, before defaults,
 * null like absent.
 */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createContentDigester, differingFields } from '../../../src/features/events/content-digest.ts';

const digester = createContentDigester(randomBytes(32));
const differ = (a: Record<string, unknown>, b: Record<string, unknown>) => {
  const forth = differingFields(digester.digest(a), digester.digest(b));
  expect(differingFields(digester.digest(b), digester.digest(a))).toEqual(forth);
  return forth;
};

const body = {
  external_event_id: 'order-1',
  amount_minor: 10_000n,
  currency: 'USD',
  customer: { external_id: 'c-1', email: 'ann@shop.example' },
  attribution: { user_id: 'u-1' },
  line_items: [
    { sku: 'a', amount_minor: 1n },
    { sku: 'b', amount_minor: 2n },
  ],
  metadata: { a: 1, b: { c: [1, 2], d: null } },
};

describe('the same content', () => {
  test.each<[label: string, other: Record<string, unknown>]>([
    ['the same', { ...body }],
    ['keys in another order', Object.fromEntries(Object.entries(body).toReversed())],
    ['nested keys in another order', { ...body, customer: { email: 'ann@shop.example', external_id: 'c-1' } }],
    ['metadata in another order, also deep down', { ...body, metadata: { b: { d: null, c: [1, 2] }, a: 1 } }],
    ['null for absent', { ...body, tax_minor: null, type: undefined }],
    [
      'nested null for absent',
      { ...body, customer: { ...body.customer, name: null }, attribution: { user_id: 'u-1', referral_code: undefined } },
    ],
  ])('%s', (_label, other) => expect(differ(body, other)).toEqual([]));

  test('an object of nothing but nulls is absent', () => {
    const { attribution: _attribution, ...without } = body;
    expect(differ(without, { ...without, attribution: { user_id: null, referral_code: null } })).toEqual([]);
    expect(differ(without, { ...without, attribution: {} })).toEqual([]);
    expect(differ(without, { ...without, attribution: null })).toEqual([]);
  });
});

describe('other content names what differs, sorted', () => {
  test.each<[label: string, other: Record<string, unknown>, named: string[]]>([
    ['an amount', { ...body, amount_minor: 10_001n }, ['amount_minor']],
    ['a field more', { ...body, tax_minor: 0n }, ['tax_minor']],
    ['a field less', { ...body, currency: null }, ['currency']],
    ['a nested field', { ...body, customer: { external_id: 'c-1', email: 'eve@shop.example' } }, ['customer.email']],
    ['a nested field more', { ...body, attribution: { user_id: 'u-1', referral_code: 'X' } }, ['attribution.referral_code']],
    ['a whole object', { ...body, attribution: undefined }, ['attribution.user_id']],
    ['the order of a list', { ...body, line_items: body.line_items.toReversed() }, ['line_items']],
    ['metadata as one field', { ...body, metadata: { ...body.metadata, a: 2 } }, ['metadata']],
    ['empty metadata for none', { ...body, metadata: {} }, ['metadata']],
    ['several', { ...body, currency: 'EUR', amount_minor: 1n }, ['amount_minor', 'currency']],
    ['a number for its text', { ...body, external_event_id: 1 }, ['external_event_id']],
  ])('%s', (_label, other, named) => expect(differ(body, other)).toEqual(named));

  test('a value moved to another field is noticed in both', () => {
    expect(differ({ a: 'x', b: 'y' }, { a: 'y', b: 'x' })).toEqual(['a', 'b']);
    expect(differ({ a: 'x' }, { b: 'x' })).toEqual(['a', 'b']);
  });

  test('numbers that are not the same number', () => {
    expect(differ({ metadata: { n: 1 } }, { metadata: { n: 1.5 } })).toEqual(['metadata']);
    expect(differ({ metadata: { n: 1 } }, { metadata: { n: '1' } })).toEqual(['metadata']);
    expect(differ({ metadata: { n: [] } }, { metadata: { n: {} } })).toEqual(['metadata']);
  });
});

describe('what is kept', () => {
  test('tells nothing of the content without the key', () => {
    const digests = digester.digest(body);
    expect(JSON.stringify(digests)).not.toMatch(/ann|shop|order-1|c-1/);
    expect(createContentDigester(randomBytes(32)).digest(body)).not.toEqual(digests);
  });

  test('is the same from one start of the service to the next', () => {
    const secret = randomBytes(32);
    expect(createContentDigester(secret).digest(body)).toEqual(createContentDigester(secret).digest(body));
  });

  test('does not show that two fields hold the same', () => {
    const { a, b } = digester.digest({ a: 'same', b: 'same' });
    expect(a).not.toBe(b);
  });
});
