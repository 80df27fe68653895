/** What changes of settings do to safeguards, by what each field says of itself. Source: docs/specification/two-hands.md#directions. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../canonical-json.ts';
import type { AnyHands, Hands, SettingChange, SettingsDeclaration } from '../../house/settings.ts';
import type { Direction, FieldEffect } from '../../http/held-back.ts';

/** Fields that both environments share: what amounts are shown in and where days begin is no safeguard. */
const SHARED: AnyHands = { defaultCurrency: 'neutral', reportingTimeZone: 'neutral' };

/** Throws, as a fault of ours, on a field that says nothing of itself. */
export function effectsOf(declared: readonly SettingsDeclaration[], changes: readonly SettingChange[]): FieldEffect[] {
  const all: AnyHands = { ...SHARED, ...Object.fromEntries(declared.map(({ name, hands }) => [name, hands])) };
  return changes.map((change) => ({
    field: change.field,
    direction: directionOf(all, change),
    before: change.secret === true ? digestOf(change.from) : canonicalJson(change.from),
    shown: change.secret === true ? { from: stateOf(change.from), to: stateOf(change.to) } : { from: change.from, to: change.to },
  }));
}

function directionOf(all: AnyHands, { field, from, to }: SettingChange): Direction {
  const hands = field
    .split('.')
    .reduce<Hands | AnyHands | undefined>((found, name) => (typeof found === 'object' ? found[name] : undefined), all);
  if (hands === undefined || typeof hands === 'object')
    throw new Error(`the setting ${field} does not say what a change of it is`);
  return typeof hands === 'function' ? hands(from as never, to as never) : hands;
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

const stateOf = (value: unknown): { set: boolean } => ({ set: value !== null });
