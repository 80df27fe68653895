/** Schemas that the operations of payouts share. */
import { z } from 'zod';
import { isCountry } from './payout-methods.ts';

export const countryAlpha2 = z
  .string()
  .refine(isCountry, 'must be an upper-case ISO 3166-1 alpha-2 country code')
  .meta({ override: { type: 'string', minLength: 2, maxLength: 2, pattern: '^[A-Z]{2}$' }, description: 'ISO 3166-1 alpha-2' });

const MAX_FIELDS = 20;

/** More than any method asks for: what is too much is named field by field. */
export const bankAccount = z
  .record(z.string().min(1).max(64), z.string().max(200, 'must have at most 200 characters'))
  .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `must have at most ${MAX_FIELDS} fields`);
