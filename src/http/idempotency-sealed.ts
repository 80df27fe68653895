/** Answers stored for Idempotency-Keys, which are sealed. */
import type { Sealed } from '../house/sealed.ts';

export const idempotencySealed: readonly Sealed[] = [{ kind: 'for a time', table: 'idempotency_key', column: 'answer' }];
