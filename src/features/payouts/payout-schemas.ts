/** Schemas that the operations of payouts share. */
import { z } from 'zod';

/** The order of a list of payouts: a field, from the least on; with a hyphen from the greatest on. */
export const PAYOUT_SORTS = ['createdAt', '-createdAt', 'amount', '-amount'] as const;
export type PayoutSort = (typeof PAYOUT_SORTS)[number];

/** The same of members that a run could not pay. */
export const BLOCKED_SORTS = ['amount', '-amount'] as const;
export type BlockedSort = (typeof BLOCKED_SORTS)[number];

const MAX_FIELDS = 20;

/** More than any method asks for: what is too much is named field by field. */
export const bankAccount = z
  .record(z.string().min(1).max(64), z.string().max(200, 'must have at most 200 characters'))
  .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `must have at most ${MAX_FIELDS} fields`);
