/** Parts of the sender: the body it makes, and whose frames run at once. */
import { expect, test } from 'vitest';
import { eventBody, eventBodyText } from '../../../src/features/webhooks/open/event-body.ts';
import { createSlots } from '../../../src/features/webhooks/sending/slots.ts';

const EVENT = {
  id: '019acd5e-0000-7000-8000-000000000001',
  type: 'member.created',
  sequence: 7n,
  occurredAt: new Date('2026-01-01T00:00:00Z'),
  environment: 'LIVE',
  objectId: 'one',
  objectVersion: 9n,
  actor: 'api_key:1',
  isExample: false,
} as const;

test.each([
  [{ name: 'Ada "ä"', n: [1, null, { '}': '\n' }] }, []],
  [{ b: 1, a: 2 }, ['metadata']],
  [null, ['data']],
])('a body with its data as text is the same, byte for byte: %j', (data, leftOut) => {
  const text = eventBodyText({ ...EVENT, leftOut, dataText: JSON.stringify(data) });
  expect(text).toBe(JSON.stringify(eventBody({ ...EVENT, leftOut, data })));
});

test('a tenant has one slot at a time, and passes over nobody who could run', async () => {
  const slots = createSlots(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (tenant: string, name: string): Promise<void> =>
    slots.run(tenant, () => {
      begun.push(name);
      return new Promise<void>((end) => void ends.set(name, end));
    });
  const all = [begin('a', 'a1'), begin('a', 'a2'), begin('b', 'b1'), begin('c', 'c1')];
  const settle = () => new Promise<void>((done) => void setImmediate(done));
  await settle();
  expect(begun).toEqual(['a1', 'b1']);
  ends.get('b1')?.();
  await settle();
  expect(begun).toEqual(['a1', 'b1', 'c1']);
  ends.get('a1')?.();
  await settle();
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  ends.get('c1')?.();
  ends.get('a2')?.();
  await Promise.all(all);
});
