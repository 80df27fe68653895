/** The operations of settings, whose description has a place for the part of each feature. */
import { settingsOperations } from '../../tenants/settings-operations.ts';

// The parts stand in the service's own description, by which a call is validated and answered.
export const { getSettings, updateSettings } = settingsOperations([]);

/** All parts, by name. */
export type Settings = Readonly<Record<string, unknown>>;

/** Of `payments.payvendor.baseUrl` the value. */
export function valueAt(settings: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? (at as Settings)[name] : undefined), settings);
}

/** The body that sets these fields and leaves the others as they are. */
export function patchOf(changes: readonly { path: string; value: unknown }[]): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const { path, value } of changes) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = patch;
    for (const name of names) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return patch;
}

/** Each field of a document with its path, a list as one field; of what has `set` or `count` the thing itself. */
export function leavesOf(settings: unknown, path = ''): string[] {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return [path];
  const names = Object.keys(settings);
  if (names.length === 1 && (names[0] === 'set' || names[0] === 'count')) return [path];
  if (ONE_FIELD.has(path)) return [path];
  return names.flatMap((name) => leavesOf((settings as Settings)[name], path === '' ? name : `${path}.${name}`));
}

/** Maps by currency, whose names are values. */
const ONE_FIELD = new Set(['commissions.manualLimitMinor', 'commissions.manualSecondPairMinor']);
