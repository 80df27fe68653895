/** Commission plans: the default of a new tenant, and reading published versions. */
import type { Db, Scope } from '../../db/frame.ts';
import { DEFAULT_PLAN, type PlanDefinition, planDefinition } from './plan-definition.ts';
import { ensurePlan } from './plans-queries.ts';

export interface PlansService {
  /** Gives a scope the default plan if it has none, inside the caller's transaction. */
  ensureDefaultPlan(db: Db, scope: Scope): Promise<void>;
  /** A published version's definition, checked. Versions never change, so each is checked once. */
  parse(versionId: string, definition: unknown): PlanDefinition;
}

const CACHE_MAX = 10_000;

export function createPlansService(): PlansService {
  const parsed = new Map<string, PlanDefinition>();
  return {
    ensureDefaultPlan: (db, scope) => ensurePlan(db, scope, 'Default plan', DEFAULT_PLAN),
    parse(versionId, definition) {
      const known = parsed.get(versionId);
      if (known) return known;
      if (parsed.size >= CACHE_MAX) parsed.clear();
      const plan = planDefinition.parse(definition);
      parsed.set(versionId, plan);
      return plan;
    },
  };
}
