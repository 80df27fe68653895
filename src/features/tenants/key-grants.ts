/** What one key may give to another: never more than it has. Source: docs/specification/identity.md#keys-of-a-tenant. */
import type { Environment } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import { liesWithin } from '../../http/ip-ranges.ts';
import type { Caller } from '../../http/operation.ts';
import { rightsLacking } from '../../http/rights.ts';
import { type Preset, scopesOfPreset } from './key-presets.ts';

/** What a key may do, how often, and from where. */
export interface Reach {
  scopes: readonly string[];
  rateLimit: number | null;
  allowedIps: readonly string[] | null;
}

export interface Wish {
  scopes?: readonly string[] | null | undefined;
  preset?: Preset | null | undefined;
  rateLimit?: number | null | undefined;
  /** Undefined: those of the giver; null: none. */
  allowedIps?: readonly string[] | null | undefined;
}

export function reachOf({ rights, key }: Caller): Reach {
  return { scopes: rights, rateLimit: key?.rateLimit ?? null, allowedIps: key?.allowedIps ?? null };
}

export interface Granting {
  /** All scopes that a key may have. */
  scopes: readonly string[];
  /** The same with those of people. */
  allScopes: readonly string[];
  /** Requests per window of keys without a limit of their own. */
  rateLimits: Record<Environment, number>;
}

/** What a new key gets. FORBIDDEN beyond the giver's scopes or addresses, 400 beyond its rate limit. */
export function grantOf(giver: Reach, wish: Wish, environment: Environment, { scopes, rateLimits }: Granting): Reach {
  const highest = giver.rateLimit ?? rateLimits[environment];
  if (typeof wish.rateLimit === 'number' && wish.rateLimit > highest) {
    throw invalidField('rateLimit', `must be at most that of the calling key, ${highest}`);
  }
  const allowedIps = wish.allowedIps === undefined ? giver.allowedIps : wish.allowedIps;
  requireAddresses(giver, allowedIps);
  return { scopes: scopesFor(giver, wish, scopes), rateLimit: wish.rateLimit ?? giver.rateLimit, allowedIps };
}

function scopesFor(giver: Reach, { scopes, preset }: Wish, all: readonly string[]): string[] {
  const named = scopes ? [...new Set(scopes)] : preset ? scopesOfPreset(preset, all) : undefined;
  if (named) {
    requireScopes(giver, named, 'the new key would have');
    return named;
  }
  const backend = scopesOfPreset('backend', all);
  const lacking = rightsLacking({ rights: giver.scopes }, backend);
  if (lacking.length === backend.length) {
    throw new AppError(
      'FORBIDDEN',
      'The calling key has no scope of the preset backend; name `scopes` of its own, or use another key',
    );
  }
  return backend.filter((scope) => !lacking.includes(scope));
}

/** FORBIDDEN that names what the giver lacks; `whose` says whose the scopes are. */
export function requireScopes(giver: Reach, scopes: readonly string[], whose: string): void {
  const lacking = rightsLacking({ rights: giver.scopes }, scopes);
  if (lacking.length === 0) return;
  const names = lacking.length === 1 ? 'the scope' : 'the scopes';
  throw new AppError('FORBIDDEN', `The calling key lacks ${names} ${lacking.join(', ')}, which ${whose}`);
}

/** FORBIDDEN where a key could be used from where the giver cannot. */
export function requireAddresses(giver: Reach, allowedIps: readonly string[] | null): void {
  if (liesWithin(allowedIps, giver.allowedIps)) return;
  throw new AppError('FORBIDDEN', 'The calling key is bound to addresses, and the other key would be usable from more');
}
