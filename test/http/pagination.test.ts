/**
 * Cursors: opaque, and good only for the list, filters, tenant and environment they were made in
 * (docs/specification/conventions.md#lists).
 */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AppError } from '../../src/errors.ts';
import { createCursors, type ListIdentity } from '../../src/http/pagination.ts';

const secret = randomBytes(32);
const cursors = createCursors(secret);
const list: ListIdentity = {
  scope: { tenantId: '01900000-0000-7000-8000-000000000001', environment: 'LIVE' },
  operationId: 'listUsers',
  filters: { tier: 'SENIOR', isActive: undefined },
};
const idOf = (row: { id: string }) => row.id;
const rows = ['a', 'b', 'c', 'd'].map((letter) => ({ id: `0190-${letter}` }));

function cursorOf(of: ListIdentity = list): string {
  const { nextCursor } = cursors.page(rows, 2, of, idOf);
  if (nextCursor === null) throw new Error('expected a next page');
  return nextCursor;
}

function refusal(cursor: string, of: ListIdentity = list): AppError | undefined {
  try {
    cursors.open(cursor, of);
    return undefined;
  } catch (error) {
    return error as AppError;
  }
}

test('a page is cut to its limit and continues after its last row', () => {
  expect(cursors.page(rows, 2, list, idOf).rows).toEqual(rows.slice(0, 2));
  expect(cursors.open(cursorOf(), list)).toBe('0190-b');
  expect(cursors.open(undefined, list)).toBeUndefined();
});

test('the last page has no cursor', () => {
  expect(cursors.page(rows, 4, list, idOf)).toEqual({ rows, nextCursor: null });
  expect(cursors.page([], 4, list, idOf)).toEqual({ rows: [], nextCursor: null });
});

test('a cursor fits a query string as it is', () => {
  expect(cursorOf()).toMatch(/^[A-Za-z0-9_-]+$/);
});

test('any altered, cut or longer cursor is a 400 on `cursor`', () => {
  const bytes = Buffer.from(cursorOf(), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes);
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(refusal(altered.toString('base64url'))?.code).toBe('VALIDATION_ERROR');
    expect(refusal(bytes.subarray(0, at).toString('base64url'))?.code).toBe('VALIDATION_ERROR');
  }
  for (const cursor of ['', 'x', Buffer.concat([bytes, Buffer.from('x')]).toString('base64url'), 'ключ', '{"id":1}']) {
    expect(refusal(cursor)?.details).toMatchObject({ fields: [{ field: 'cursor' }] });
  }
});

test.each<[label: string, other: ListIdentity]>([
  ['tenant', { ...list, scope: { ...list.scope, tenantId: '01900000-0000-7000-8000-000000000002' } }],
  ['environment', { ...list, scope: { ...list.scope, environment: 'SANDBOX' } }],
  ['list', { ...list, operationId: 'listLeads' }],
  ['filter', { ...list, filters: { tier: 'MANAGER', isActive: undefined } }],
  ['added filter', { ...list, filters: { tier: 'SENIOR', isActive: false } }],
  ['dropped filter', { ...list, filters: {} }],
])('is refused with another %s', (_label, other) => {
  expect(refusal(cursorOf(), other)?.code).toBe('VALIDATION_ERROR');
  expect(refusal(cursorOf(other), list)?.code).toBe('VALIDATION_ERROR');
});

test('is refused by a service with another secret', () => {
  const [cursor, stranger] = [cursorOf(), createCursors(randomBytes(32))];
  expect(() => stranger.open(cursor, list)).toThrow();
  expect(createCursors(secret).open(cursor, list)).toBe('0190-b');
});
