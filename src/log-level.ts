/** At which level a failure is logged. `error` calls an operator, so nothing that a tenant can cause may have it (docs/operations.md#log-levels). */
import { AppError } from './errors.ts';

/**
 * `warn` for what the service answers with a code of its own: a tenant's settings, a vendor's refusal, an outage that
 * passes. `error` for what nobody has foreseen.
 */
export function levelOf(error: unknown): 'warn' | 'error' {
  return error instanceof AppError && error.status !== 500 ? 'warn' : 'error';
}
