/**
 * zod's issues as `details.fields` (docs/specification/conventions.md#errors): each fault under the name its
 * sender gave the field.
 */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { recordPurchase } from '../../src/features/events/purchases/purchase-operations.ts';
import { captureLead } from '../../src/features/leads/leads-operations.ts';
import { updateUser } from '../../src/features/users/users-operations.ts';
import { inPlainWords, toFieldFaults } from '../../src/http/field-faults.ts';

function faultsOf(schema: z.ZodType | undefined, value: unknown) {
  const parsed = schema?.safeParse(value, inPlainWords);
  if (!parsed || parsed.success) throw new Error('expected a schema that refuses the value');
  return toFieldFaults(parsed.error);
}

const purchase = { external_event_id: 'e', amount_minor: 100, currency: 'USD', customer: { external_id: 'c' } };

test('a missing field is required', () => {
  expect(faultsOf(captureLead.body, {})).toEqual([{ field: 'email', message: 'is required' }]);
  expect(faultsOf(recordPurchase.body, { ...purchase, customer: {} })).toEqual([
    { field: 'customer.external_id', message: 'is required' },
  ]);
});

test('a missing body is named as such', () => {
  expect(faultsOf(captureLead.body, undefined)).toEqual([{ field: 'body', message: 'is required' }]);
  expect(faultsOf(captureLead.body, [])[0]?.field).toBe('body');
});

test.each([
  ['text for a number', { amount_minor: '100' }, 'amount_minor'],
  ['a number for text', { external_event_id: 5 }, 'external_event_id'],
  ['an array for an object', { customer: [] }, 'customer'],
  ['an object for an array', { line_items: {} }, 'line_items'],
])('a field of another type is not called missing: %s', (_label, change, field) => {
  const faults = faultsOf(recordPurchase.body, { ...purchase, ...change });
  expect(faults.map((fault) => fault.field)).toEqual([field]);
  expect(faults[0]?.message).not.toBe('is required');
});

test('an unknown field is named itself, wherever it is', () => {
  expect(faultsOf(recordPurchase.body, { ...purchase, price: 1, customer: { external_id: 'c', phone: '1', vip: true } })).toEqual(
    expect.arrayContaining([
      { field: 'price', message: 'is not a known field' },
      { field: 'customer.phone', message: 'is not a known field' },
      { field: 'customer.vip', message: 'is not a known field' },
    ]),
  );
});

test('list positions are in brackets', () => {
  const body = {
    ...purchase,
    line_items: [
      { sku: 'a', amount_minor: 1 },
      { sku: '', amount_minor: 1 },
    ],
  };
  expect(faultsOf(recordPurchase.body, body)[0]?.field).toBe('line_items[1].sku');
  expect(faultsOf(z.array(z.array(z.string())), [['a'], ['b', 1]])[0]?.field).toBe('[1][1]');
});

test('a rule over the whole body is named by its field, or body', () => {
  expect(faultsOf(recordPurchase.body, { ...purchase, tax_minor: 99, shipping_minor: 2 })).toEqual([
    { field: 'amount_minor', message: 'must cover tax_minor and shipping_minor' },
  ]);
  expect(faultsOf(updateUser.body, {}).map((fault) => fault.field)).toEqual(['body']);
});

test('several fields at once are all named', () => {
  const faults = faultsOf(recordPurchase.body, { ...purchase, currency: 'qqq', customer: { external_id: 'c', email: 'x' } });
  expect(faults.map((fault) => fault.field).toSorted()).toEqual(['currency', 'customer.email']);
});

test('one entry a field, whatever number of its rules it breaks', () => {
  for (const change of [{ external_event_id: '' }, { amount_minor: -1 }, { amount_minor: -0.5 }]) {
    const fields = faultsOf(recordPurchase.body, { ...purchase, ...change }).map((fault) => fault.field);
    expect(fields).toEqual([Object.keys(change)[0]]);
  }
});
