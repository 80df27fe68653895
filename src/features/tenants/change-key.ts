/** What a change leaves of a key, and whether it may be made. Source: docs/specification/identity.md#keys-of-a-tenant. */
import { AppError } from '../../errors.ts';
import { createRangeCheck } from '../../http/ip-ranges.ts';
import { rightsLacking } from '../../http/rights.ts';
import type { ApiKey, KeyChange } from './api-keys-queries.ts';
import { type Reach, requireAddresses, requireScopes } from './key-grants.ts';

export interface KeyPatch {
  name?: string | null | undefined;
  scopes?: readonly string[] | undefined;
  allowedIps?: readonly string[] | null | undefined;
  disabled?: boolean | undefined;
}

interface Parties {
  caller: Reach;
  /** Its scopes are among the caller's. */
  target: ApiKey;
  /** Whether the caller came with the target itself. */
  isOwn: boolean;
  /** That the call came from. */
  address: string | null;
}

/** The key as it shall be, and the names of the fields that change. FORBIDDEN, STATE_CONFLICT. */
export function changeOf(parties: Parties, patch: KeyPatch): Omit<KeyChange, 'by'> & { fields: string[] } {
  const { caller, target, isOwn } = parties;
  if (target.status === 'revoked') throw new AppError('STATE_CONFLICT', 'The key is revoked; create another');
  const before = {
    name: target.name,
    scopes: target.scopes,
    allowedIps: target.allowedIps,
    disabled: target.disabledAt !== null,
  };
  const after = {
    name: patch.name === undefined ? before.name : patch.name,
    scopes: patch.scopes === undefined ? before.scopes : [...new Set(patch.scopes)],
    allowedIps: patch.allowedIps === undefined ? before.allowedIps : patch.allowedIps,
    disabled: patch.disabled ?? before.disabled,
  };
  const fields = (['name', 'scopes', 'allowedIps', 'disabled'] as const).filter(
    (field) => textOf(before[field]) !== textOf(after[field]),
  );
  const gained = rightsLacking({ rights: before.scopes }, after.scopes);
  requireScopes(caller, gained, 'the other key would have');
  const enabled = before.disabled && !after.disabled;
  // A key that can be used from elsewhere would else carry the caller's rights there.
  if (gained.length > 0 || enabled || fields.includes('allowedIps')) requireAddresses(caller, after.allowedIps);
  if (enabled && !wasDisabledByTenant(target)) {
    throw new AppError('STATE_CONFLICT', 'The operator of the service has disabled the key; create another');
  }
  if (isOwn) refuseLockingOut(parties, after);
  return { ...after, fields };
}

function wasDisabledByTenant({ disabledBy }: ApiKey): boolean {
  return disabledBy !== null && disabledBy !== 'operator';
}

/** Who shuts out the key in hand has most often named the wrong one, and may have no other to mend it with. */
function refuseLockingOut({ address }: Parties, after: { disabled: boolean; allowedIps: readonly string[] | null }): void {
  if (after.disabled) throw new AppError('STATE_CONFLICT', 'A key cannot disable itself; use another key');
  if (after.allowedIps !== null && !createRangeCheck(after.allowedIps)(address ?? undefined)) {
    throw new AppError('STATE_CONFLICT', 'The key would not be usable any more from the address of this call');
  }
}

/** Lists are sets: the order of scopes and ranges is of no account. */
function textOf(value: string | boolean | readonly string[] | null): string {
  return JSON.stringify(typeof value === 'object' && value !== null ? value.toSorted() : value);
}
