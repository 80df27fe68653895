/** What a database error means to the caller. */

import { describe, expect, test } from 'vitest';
import { fromDatabaseError, isLockTimeout, violates } from '../../src/db/constraints.ts';
import { AppError } from '../../src/errors.ts';
import { house } from '../../src/features.ts';
import { constraintsOf } from '../../src/house/house.ts';

const constraints = constraintsOf(house);

const databaseError = (code: string, constraint?: string) =>
  Object.assign(new Error('detail of the database'), { code, ...(constraint === undefined ? {} : { constraint }) });

describe('fromDatabaseError', () => {
  test.each([
    ['member_email_key', 409, 'EMAIL_EXISTS'],
    ['member_external_id_key', 409, 'EXTERNAL_ID_EXISTS'],
  ])('a violation of %s is %i %s', (constraint, status, code) => {
    const cause = databaseError('23505', constraint);
    expect(fromDatabaseError(cause, constraints)).toMatchObject({ status, code, cause });
  });

  test.each([
    '53100',
    '53200',
    '53300',
    '55P03',
    '57014',
    '25P03',
    '42P05',
    '26000',
    '57P01',
    '57P03',
    '08006',
    '08003',
    'ECONNREFUSED',
    'ECONNRESET',
  ])('%s is 503 SERVICE_UNAVAILABLE with Retry-After', (code) => {
    const error = fromDatabaseError(databaseError(code), constraints);
    expect(error).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
    expect(error?.retryAfterSeconds).toBeGreaterThanOrEqual(1);
  });

  test('the message is ours and says nothing of the database’s', () => {
    for (const error of [databaseError('23505', 'member_email_key'), databaseError('57P01')]) {
      expect(fromDatabaseError(error, constraints)?.message).not.toContain('detail of the database');
    }
  });

  test.each([
    ['an unknown constraint', databaseError('23505', 'some_key')],
    ['a broken check', databaseError('23514', 'member_email_check')],
    ['broken SQL', databaseError('42601')],
    ['an ordinary error', new Error('x')],
    ['an AppError', new AppError('NOT_FOUND', 'x')],
    ['no error', 'x'],
    ['nothing', undefined],
  ])('%s is a fault of ours: undefined', (_label, error) => {
    expect(fromDatabaseError(error, constraints)).toBeUndefined();
  });
});

test('violates goes by the name of the constraint', () => {
  expect(violates(databaseError('23505', 'a_key'), 'a_key')).toBe(true);
  expect(violates(databaseError('23505', 'b_key'), 'a_key')).toBe(false);
  expect(violates(new Error('a_key'), 'a_key')).toBe(false);
});

test('isLockTimeout is 55P03 alone', () => {
  expect(isLockTimeout(databaseError('55P03'))).toBe(true);
  expect(isLockTimeout(databaseError('57014'))).toBe(false);
  expect(isLockTimeout(undefined)).toBe(false);
});
