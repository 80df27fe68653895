/**
 * The rights of a caller: a scope allows an effect, whatever way leads to it.
 * Source: docs/specification/identity.md#rights.
 */
import { AppError } from '../errors.ts';
import type { Caller, Effect, KeyScope, Operation } from './operation.ts';

/** The scope that an operation needs, by its id. Throws where no such operation has one. */
export type ScopeOf = (operationId: string) => KeyScope;

/** Rights of people alone, which `*` on a key does not stand for. */
const BEYOND_ALL: readonly string[] = ['admin:staff', 'audit:kyc'] satisfies KeyScope[];

export function holdsRight({ rights }: Pick<Caller, 'rights'>, scope: string): boolean {
  return rights.includes(scope) || (rights.includes('*') && !BEYOND_ALL.includes(scope));
}

/** What somebody does not hold of scopes, of which `*` may be one. */
export function rightsLacking(holder: Pick<Caller, 'rights'>, scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !holdsRight(holder, scope));
}

/** Whether somebody holds what an operation needs, or what shows a part of it. */
export function mayCall(holder: Pick<Caller, 'rights'>, { scope, narrower }: Pick<Operation, 'scope' | 'narrower'>): boolean {
  if (scope === 'none' || scope === 'any' || holdsRight(holder, scope)) return true;
  return narrower !== undefined && holdsRight(holder, narrower.scope);
}

/** FORBIDDEN with the missing scope in words; `what` says what it is needed for, where that is not the operation itself. */
export function requireRight(caller: Pick<Caller, 'rights' | 'key'>, scope: Operation['scope'], what?: string): void {
  if (scope === 'none' || scope === 'any' || holdsRight(caller, scope)) return;
  const need = what === undefined ? '' : `, which ${what} needs`;
  throw new AppError('FORBIDDEN', `${caller.key ? 'The API key' : 'Your role'} lacks the scope ${scope}${need}`);
}

export function createScopeOf(operations: readonly Operation[]): ScopeOf {
  const scopes = new Map(operations.map(({ operationId, scope }) => [operationId, scope]));
  return (operationId) => {
    const scope = scopes.get(operationId);
    if (scope === undefined || scope === 'none' || scope === 'any') throw new Error(`no operation ${operationId} needs a scope`);
    return scope;
  };
}

/** The effects of a request that the request alone tells of. */
export function effectsOf({ effects = [] }: Operation, input: Parameters<Exclude<Effect['has'], string>>[0]): Effect[] {
  return effects.filter(({ has }) => typeof has === 'function' && has(input));
}
