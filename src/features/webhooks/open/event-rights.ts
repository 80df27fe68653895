/** Who may see the object of an event. Source: docs/specification/webhooks.md#rights. */
import type { HouseParts } from '../../../house/feature.ts';
import { holdsRight } from '../../../http/rights.ts';
import { matchesType } from './event-types.ts';

/** The scope that reads the object of a type; `*` of a type that no feature declares any more. */
export type ScopeOfType = (type: string) => string;

/** To be asked once all features are open. */
export function createScopeOfType({ events, scopeOf }: Pick<HouseParts, 'events' | 'scopeOf'>): ScopeOfType {
  return (type) => {
    const declared = events.get(type);
    if (!declared) return '*';
    return 'schema' in declared ? declared.scope : scopeOf(declared.shows);
  };
}

/** Types that the patterns stand for, of those that there are, and whose objects these rights do not read. */
export function hiddenTypes(
  types: Iterable<string>,
  patterns: readonly string[],
  rights: readonly string[],
  scopeOfType: ScopeOfType,
): string[] {
  return [...types].filter((type) => matchesType(patterns, type) && !holdsRight({ rights }, scopeOfType(type)));
}
