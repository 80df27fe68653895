/** The operations of keys whose description has a place for all scopes, and what their forms say. */
import type { FormValues } from '../../../pages/form-values.ts';
import { instantOf } from '../../../pages/instants.ts';
import { createApiKeyOperation, updateApiKeyOperation } from '../../tenants/api-keys-operations.ts';

// The scopes that there are stand in the service's own description, by which a call is validated.
export const createApiKey = createApiKeyOperation([]);
export const updateApiKey = updateApiKeyOperation([]);

/** What the key may: a preset by its name, everything, or what is ticked. */
export function scopesOf(form: FormValues): { preset: string } | { scopes: string[] } {
  const which = form.text('preset') ?? 'chosen';
  if (which === 'everything') return { scopes: ['*'] };
  return which === 'chosen' ? { scopes: form.list('scopes') } : { preset: which };
}

/** One range a line; none stands for anywhere. */
export function rangesOf(form: FormValues): string[] | null {
  const ranges = (form.text('allowedIps') ?? '').split(/[\s,]+/).filter((one) => one !== '');
  return ranges.length === 0 ? null : ranges;
}

export function expiryOf(form: FormValues, timeZone: string): string | undefined {
  return instantOf(timeZone, 'expiresAt', form.text('expiresAt'));
}
