/** Commission plans: the default of a new tenant, drafts, and published versions, which never change. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type ActingScope, actorRef } from '../../actor.ts';
import { canonicalJson } from '../../canonical-json.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { FieldEffect } from '../../http/held-back.ts';
import type { ActingContext, CallContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { GroupsOffers } from '../groups/groups-feature.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import { type GroupGround, groupsNamed, lintGroups, warnOfGroups } from './lint-groups.ts';
import { lintPlan, type PlanProblem, warnOfPlan } from './lint-plan.ts';
import { leadingPlan, type PlanCandidate } from './open/choose-plan.ts';
import { salesAsked } from './open/choose-rate.ts';
import { commissionsErrors } from './open/commissions-errors.ts';
import { type MinimumPayout, minimumPayout } from './open/minimum-payout.ts';
import { defaultPlanFor, type PlanDefinition, planDefinition } from './open/plan-definition.ts';
import { listVersionsInForce } from './plans-in-force-queries.ts';
import { listPlansWithCovers, type PlanInList } from './plans-list.ts';
import type {
  createCommissionPlan,
  lintCommissionPlan,
  listCommissionPlans,
  publishCommissionPlan,
  updateCommissionPlan,
} from './plans-operations.ts';
import {
  beginSalesSums,
  deleteUnpublishedPlan,
  ensurePlan,
  findPlan,
  insertPlan,
  insertPlanVersion,
  listPlanVersions,
  lockPlanToDelete,
  lockPlanToPublish,
  type PlanToPublish,
  readDefaultCurrency,
  type StoredPlan,
  type StoredPlanVersion,
  updatePlan,
} from './plans-queries.ts';

type Create = z.output<(typeof createCommissionPlan)['body'] & {}>;
type Lint = z.output<(typeof lintCommissionPlan)['body'] & {}>;
type List = z.output<(typeof listCommissionPlans)['query'] & {}>;
type Update = z.output<(typeof updateCommissionPlan)['body'] & {}>;
type Publish = z.output<(typeof publishCommissionPlan)['body'] & {}>;

export interface PlanVersion extends Omit<StoredPlanVersion, 'definition'> {
  definition: PlanDefinition;
}

export interface JudgedProblem extends PlanProblem {
  severity: 'error' | 'warning';
}

export interface PlanFindings {
  problems: JudgedProblem[];
  warnings: JudgedProblem[];
}

/** What was found is of the draft. */
export interface Plan extends Omit<StoredPlan, 'draft' | 'defaultCurrency'>, PlanFindings {
  draft: PlanDefinition | null;
  /** Newest first. */
  versions: PlanVersion[];
}

export interface PlanInForce extends PlanCandidate {
  name: string;
  version: number;
}

export interface PlansService {
  /** Gives a scope the default plan if it has none, inside the caller's transaction. */
  ensureDefaultPlan(db: Db, scope: Scope): Promise<void>;
  /** A published version's definition, checked. Versions never change, so each is checked once. */
  parse(versionId: string, definition: unknown): PlanDefinition;
  /** The least that is paid out in a currency, by the plan with the highest priority of those in force. Undefined: it has none. */
  readMinimumPayout(db: Db, scope: Scope, currency: string, at: Date): Promise<MinimumPayout | undefined>;
  /** The same of every currency. */
  readMinimumPayouts(db: Db, scope: Scope, at: Date): Promise<(currency: string) => MinimumPayout | undefined>;
  /** The version in force of each plan, at an instant. */
  listInForce(db: Db, scope: Scope, at: Date): Promise<PlanInForce[]>;
  isPlan(db: Db, scope: Scope, planId: string): Promise<boolean>;
  createPlan(context: ActingContext, input: Create): Promise<Plan>;
  listPlans(context: RequestContext, query: List): Promise<Page<PlanInList>>;
  /** NOT_FOUND. */
  readPlan(context: RequestContext, planId: string): Promise<Plan>;
  /** What a draft would show, with nothing stored. NOT_FOUND of a plan that it is said to be of. */
  lintDefinition(context: RequestContext, input: Lint): Promise<PlanFindings>;
  /** Changes the name or the draft, nothing that was published. NOT_FOUND, PLAN_CHANGED. */
  updatePlan(context: ActingContext, planId: string, input: Update): Promise<Plan>;
  /** NOT_FOUND; STATE_CONFLICT once it was published. Returns the id. */
  deletePlan(context: ActingContext, planId: string): Promise<string>;
  /** Makes the draft the next version. NOT_FOUND, STATE_CONFLICT without a draft, PLAN_CHANGED, PLAN_INVALID with the reasons. May wait. */
  publishPlan(context: CallContext, planId: string, input: Publish): Promise<PlanVersion>;
}

const judged = (severity: JudgedProblem['severity'], problems: readonly PlanProblem[]): JudgedProblem[] =>
  problems.map(({ rule, path, ...problem }) => ({ rule, severity, path, ...problem }));

const NO_GROUND: GroupGround = { open: [], others: [] };
const NOTHING_FOUND: PlanFindings = { problems: [], warnings: [] };

const CACHE_MAX = 10_000;

interface Deps {
  frames: Frames;
  cursors: Cursors;
  holdBack: PendingChangesOffers['holdBack'];
  groups: Pick<GroupsOffers, 'findClosed' | 'listOpen'>;
}

export function createPlansService({ frames, cursors, holdBack, groups }: Deps): PlansService {
  const parsed = new Map<string, PlanDefinition>();

  function parse(versionId: string, definition: unknown): PlanDefinition {
    const known = parsed.get(versionId);
    if (known) return known;
    if (parsed.size >= CACHE_MAX) parsed.clear();
    const plan = planDefinition.parse(definition);
    parsed.set(versionId, plan);
    return plan;
  }

  const toVersion = (version: StoredPlanVersion): PlanVersion => ({
    ...version,
    definition: parse(version.id, version.definition),
  });

  async function toPlan(
    db: Db,
    scope: Scope,
    { draft: stored, defaultCurrency, ...plan }: StoredPlan,
    versions: StoredPlanVersion[],
  ): Promise<Plan> {
    const draft = stored === null ? null : planDefinition.parse(stored);
    const found = draft === null ? NOTHING_FOUND : await judge(db, scope, { planId: plan.id, draft, defaultCurrency });
    return { ...plan, draft, ...found, versions: versions.map(toVersion) };
  }

  async function judge(
    db: Db,
    scope: Scope,
    { planId, draft, defaultCurrency }: { planId: string | null; draft: PlanDefinition; defaultCurrency: string },
  ): Promise<PlanFindings> {
    const ground = await readGroupGround(db, scope, planId, draft);
    return {
      problems: judged('error', [...lintPlan(draft), ...lintGroups(draft, ground.open)]),
      warnings: judged('warning', [...warnOfPlan(draft, { defaultCurrency }), ...warnOfGroups(draft, ground)]),
    };
  }

  /** Nothing is read for a plan that names no groups. */
  async function readGroupGround(db: Db, scope: Scope, planId: string | null, draft: PlanDefinition): Promise<GroupGround> {
    if (groupsNamed(draft).length === 0) return NO_GROUND;
    const [open, inForce] = await Promise.all([groups.listOpen(db, scope), listVersionsInForce(db, scope, null)]);
    const others = inForce.filter((version) => version.planId !== planId);
    return { open, others: others.map((version) => parse(version.id, version.definition)) };
  }

  async function readMinimumPayouts(db: Db, scope: Scope, at: Date): Promise<(currency: string) => MinimumPayout | undefined> {
    const versions = await listVersionsInForce(db, scope, at);
    const leading = leadingPlan(versions.map((version) => ({ ...version, definition: parse(version.id, version.definition) })));
    return (currency) => minimumPayout(leading?.definition.minimumPayoutMinor, currency);
  }

  return {
    parse,

    async ensureDefaultPlan(db, scope) {
      await ensurePlan(db, scope, 'Default plan', defaultPlanFor(await readDefaultCurrency(db, scope)));
    },

    readMinimumPayout: async (db, scope, currency, at) => (await readMinimumPayouts(db, scope, at))(currency),

    readMinimumPayouts,

    async listInForce(db, scope, at) {
      const versions = await listVersionsInForce(db, scope, at);
      return versions.map((version) => ({ ...version, definition: parse(version.id, version.definition) }));
    },

    isPlan: async (db, scope, planId) => (await findPlan(db, scope, planId)) !== undefined,

    async createPlan({ scope, guard, shape }, { name, definition }) {
      return frames.write(
        scope,
        async (db) => {
          const plan = await insertPlan(db, scope, name, definition);
          await audit(db, scope, plan.id, 'created', {});
          return toPlan(db, scope, plan, []);
        },
        { guard, shape },
      );
    },

    async listPlans({ scope }, { limit, cursor }) {
      const identity = { scope, operationId: 'listCommissionPlans', filters: {} };
      const afterId = cursors.open(cursor, identity);
      const rows = await frames.read(scope, (db) => listPlansWithCovers(db, scope, afterId, limit + 1));
      return cursors.page(rows, limit, identity, (plan) => plan.id);
    },

    async readPlan({ scope }, planId) {
      return frames.read(scope, async (db) => {
        const [plan, versions] = await Promise.all([findPlan(db, scope, planId), listPlanVersions(db, scope, planId)]);
        if (!plan) throw unknownPlan();
        return toPlan(db, scope, plan, versions);
      });
    },

    async lintDefinition({ scope, guard, shape }, { definition, planId = null }) {
      return frames.write(
        scope,
        async (db) => {
          const plan = planId === null ? undefined : await findPlan(db, scope, planId);
          if (planId !== null && !plan) throw unknownPlan();
          const defaultCurrency = plan?.defaultCurrency ?? (await readDefaultCurrency(db, scope));
          return judge(db, scope, { planId, draft: definition, defaultCurrency });
        },
        { guard, shape, repeatable: true },
      );
    },

    async updatePlan({ scope, guard, shape }, planId, { name, definition, expectedUpdatedAt: asOf }) {
      return frames.write(
        scope,
        async (db) => {
          const [versions, plan] = await Promise.all([
            listPlanVersions(db, scope, planId),
            updatePlan(db, scope, planId, { name, draft: definition, asOf }),
          ]);
          if (!plan) throw asOf !== undefined && (await findPlan(db, scope, planId)) ? changedPlan() : unknownPlan();
          const fields = [...(name === undefined ? [] : ['name']), ...(definition === undefined ? [] : ['draft'])];
          await audit(db, scope, planId, 'updated', { fields });
          return toPlan(db, scope, plan, versions);
        },
        { guard, shape },
      );
    },

    async deletePlan({ scope, guard, shape }, planId) {
      return frames.write(
        scope,
        async (db) => {
          if (!(await lockPlanToDelete(db, scope, planId))) throw unknownPlan();
          if (!(await deleteUnpublishedPlan(db, scope, planId))) {
            throw new AppError('STATE_CONFLICT', 'A plan that was published stays');
          }
          await audit(db, scope, planId, 'deleted', {});
          return planId;
        },
        { guard, shape },
      );
    },

    async publishPlan(context, planId, input) {
      const { scope, guard, shape, confirming } = context;
      const asOf = input.expectedUpdatedAt ?? null;
      const period = { from: input.effectiveFrom ?? null, to: input.effectiveTo ?? null };
      return frames.write(
        scope,
        async (db) => {
          const plan = await lockPlanToPublish(db, scope, planId, { ...period, asOf });
          if (!plan) throw unknownPlan();
          const isOtherVersion = input.expectedVersion !== undefined && input.expectedVersion !== nextOf(plan);
          // What is confirmed goes by what the change was asked of: draft and version, and no name.
          if (!confirming && (!plan.isAsOf || isOtherVersion)) throw changedPlan();
          if (plan.draft === null) throw new AppError('STATE_CONFLICT', 'The plan has no draft to publish');
          if (plan.startsInPast) throw invalidField('effectiveFrom', 'must not be in the past');
          if (plan.endsBeforeStart) throw invalidField('effectiveTo', 'must be after the start');
          const definition = planDefinition.parse(plan.draft);
          const named = groupsNamed(definition);
          const closed = await groups.findClosed(db, scope, named);
          const open = named.filter((key) => !closed.has(key));
          const reasons = judged('error', [...lintPlan(definition), ...lintGroups(definition, open)]);
          if (reasons.length > 0)
            throw new AppError(commissionsErrors.PLAN_INVALID, 'The draft cannot be published', { details: { reasons } });
          const hands = await holdBack(db, context, effectsOfPublication(planId, plan, { ...period, definition }));
          const createdBy = actorRef(scope.provenance.actor);
          // Its sales are read from the events until the sums are there.
          if (salesAsked(definition).length > 0) await db.rows(beginSalesSums(scope));
          const published = await insertPlanVersion(db, scope, { ...period, planId, definition, createdBy });
          const { id: versionId, version, effectiveFrom, effectiveTo } = published;
          await audit(db, scope, planId, 'published', { versionId, version, effectiveFrom, effectiveTo, ...hands });
          return toVersion(published);
        },
        { guard, shape },
      );
    },
  };
}

/** Where the settings ask for another pair of hands, what is confirmed is the draft that was seen, and the next version. */
function effectsOfPublication(
  planId: string,
  plan: PlanToPublish,
  wanted: { from: string | null; to: string | null; definition: PlanDefinition },
): FieldEffect[] {
  const { draft, version, secondPair } = plan;
  if (!secondPair) return [];
  const { from: effectiveFrom, to: effectiveTo, definition } = wanted;
  return [
    {
      field: `commissionPlans.${planId}`,
      direction: 'weakens',
      before: createHash('sha256')
        .update(canonicalJson([version, draft]))
        .digest('hex'),
      shown: {
        from: version === null ? null : { version },
        to: { version: nextOf(plan), effectiveFrom, effectiveTo, definition },
      },
    },
  ];
}

const nextOf = ({ version }: Pick<PlanToPublish, 'version'>): number => (version ?? 0) + 1;

/** Without the name, which is free text. */
function audit(
  db: Db,
  scope: ActingScope,
  planId: string,
  deed: 'created' | 'updated' | 'deleted' | 'published',
  details: Record<string, unknown>,
): Promise<void> {
  const action = `commission_plan.${deed}`;
  return recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'commission_plan', objectId: planId, details });
}

function changedPlan(): AppError {
  return new AppError(commissionsErrors.PLAN_CHANGED, 'The plan was changed meanwhile');
}

function unknownPlan(): AppError {
  return new AppError('NOT_FOUND', 'No such plan');
}
