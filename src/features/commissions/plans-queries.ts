/** Commission plans in SQL. */

import type { NamedActor } from '../../actor.ts';
import { takeLock } from '../../db/lock-classes.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { ownTenant, tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import { BEGIN_SALES_SUMS } from '../events/open/begin-sales-sql.ts';

const plan = tenantTable('commission_plan');
const planVersion = tenantTable('commission_plan_version');

const lockPlans = statement<unknown>('plans_lock', () => raw(`select ${takeLock('plans')}`));

const insertFirstPlan = statement<unknown, { name: string; definition: string }>('plans_insert_first', ({ name, definition }) =>
  raw(
    `with plan as (
     insert into commission_plan (tenant_id, environment, name)
     select :tenantId, :environment, :name where not exists (select from commission_plan where ${ofTenant('commission_plan')})
     returning id)
   insert into commission_plan_version (tenant_id, environment, plan_id, version, effective_from, definition, created_by)
   select :tenantId, :environment, plan.id, 1, '-infinity', :definition::jsonb, 'system' from plan`,
    { name, definition },
  ),
);

/** A plan in force for every sale that no later version claims, unless the scope has a plan already. */
export async function ensurePlan(db: Db, scope: Scope, name: string, definition: unknown): Promise<void> {
  await Promise.all([
    db.rows(lockPlans(scope)),
    db.rows(insertFirstPlan(scope, { name, definition: JSON.stringify(definition) })),
  ]);
}

const defaultCurrency = statement<{ default_currency: string }>('plans_default_currency', () =>
  ownTenant().select('default_currency'),
);

/** The tenant's. */
export async function readDefaultCurrency(db: Db, scope: Scope): Promise<string> {
  const row = await db.row(defaultCurrency(scope));
  if (!row) throw new Error('no such tenant');
  return row.default_currency;
}

/** A plan without its versions. */
export interface StoredPlan {
  id: string;
  name: string;
  /** As it was stored, unchecked. */
  draft: unknown;
  createdAt: Date;
  updatedAt: Date;
  /** The tenant's. */
  defaultCurrency: string;
}

interface PlanRow {
  id: string;
  name: string;
  draft: unknown;
  created_at: Date;
  updated_at: Date;
  default_currency: string;
}

function toPlan(row: PlanRow): StoredPlan {
  return {
    id: row.id,
    name: row.name,
    draft: row.draft,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    defaultCurrency: row.default_currency,
  };
}

export interface StoredPlanVersion {
  id: string;
  version: number;
  /** Null: from the beginning of time. */
  effectiveFrom: Date | null;
  effectiveTo: Date | null;
  publishedAt: Date;
  /** Who published it; null of those from before it was kept. */
  createdBy: NamedActor | null;
  definition: unknown;
}

interface VersionRow {
  id: string;
  version: number;
  effective_from: Date | null;
  effective_to: Date | null;
  published_at: Date;
  created_by: NamedActor | null;
  definition: unknown;
}

function toVersion(row: VersionRow): StoredPlanVersion {
  return {
    id: row.id,
    version: row.version,
    effectiveFrom: row.effective_from,
    effectiveTo: row.effective_to,
    publishedAt: row.published_at,
    createdBy: row.created_by,
    definition: row.definition,
  };
}

const insert = statement<PlanRow, { name: string; draft: string }>('plans_insert', ({ name, draft }) =>
  raw(
    `with fresh as (
     insert into commission_plan (tenant_id, environment, name, draft) values (:tenantId, :environment, :name, :draft::jsonb) returning *)
   select fresh.*, t.default_currency from fresh join tenant t on t.id = fresh.tenant_id`,
    { name, draft },
  ),
);

export async function insertPlan(db: Db, scope: Scope, name: string, draft: unknown): Promise<StoredPlan> {
  const row = await db.row(insert(scope, { name, draft: JSON.stringify(draft) }));
  if (!row) throw new Error('the insert of a plan returned no row');
  return toPlan(row);
}

const find = statement<PlanRow, { planId: string }>('plans_find', ({ planId }) =>
  plan('p').joinRaw('join tenant t on t.id = p.tenant_id').where('p.id', planId).select('p.*', 't.default_currency'),
);

export async function findPlan(db: Db, scope: Scope, planId: string): Promise<StoredPlan | undefined> {
  const row = await db.row(find(scope, { planId }));
  return row && toPlan(row);
}

const versionColumns = `v.id, v.version, nullif(v.effective_from, '-infinity') as effective_from, v.effective_to, v.published_at,
  ${namedActor('v.created_by')} as created_by, v.definition`;

const listVersions = statement<VersionRow, { planId: string }>('plans_versions', ({ planId }) =>
  planVersion('v').where('v.plan_id', planId).orderBy('v.version', 'desc').select(raw(versionColumns)),
);

/** Newest first. */
export async function listPlanVersions(db: Db, scope: Scope, planId: string): Promise<StoredPlanVersion[]> {
  return (await db.rows(listVersions(scope, { planId }))).map(toVersion);
}

type InForceRow = Pick<VersionRow, 'id' | 'version' | 'effective_from' | 'definition'> & { plan_id: string; name: string };

const inForce = statement<InForceRow, { at: Date | null }>('plans_in_force', ({ at }) =>
  raw(
    `select v.id, v.plan_id, v.version, p.name, nullif(v.effective_from, '-infinity') as effective_from, v.definition
   from (select distinct on (x.plan_id) x.* from commission_plan_version x
         where ${ofTenant('x')} and x.effective_from <= coalesce(:at::timestamptz, scope_now(:tenantId, :environment))
         order by x.plan_id, x.effective_from desc, x.id desc) v
   join commission_plan p on ${ofTenant('p')} and p.id = v.plan_id
   where v.effective_to is null or v.effective_to > coalesce(:at::timestamptz, scope_now(:tenantId, :environment))`,
    { at },
  ),
);

/** The version in force of each plan, at an instant; null: by the scope's clock. */
export async function listVersionsInForce(
  db: Db,
  scope: Scope,
  at: Date | null,
): Promise<{ id: string; planId: string; name: string; version: number; effectiveFrom: Date | null; definition: unknown }[]> {
  const rows = await db.rows(inForce(scope, { at }));
  return rows.map((row) => ({
    id: row.id,
    planId: row.plan_id,
    name: row.name,
    version: row.version,
    effectiveFrom: row.effective_from,
    definition: row.definition,
  }));
}

export interface ListedPlan {
  id: string;
  name: string;
  hasDraft: boolean;
  latestVersion: number | null;
  createdAt: Date;
  updatedAt: Date;
}

const list = statement<ListedPlan, { afterId: string | null; count: number }>('plans_list', ({ afterId, count }) =>
  plan('p')
    .where(raw('(:afterId::uuid is null or p.id > :afterId)', { afterId }))
    .orderBy('p.id')
    .limit(count)
    .select({
      id: 'p.id',
      name: 'p.name',
      hasDraft: raw('p.draft is not null'),
      createdAt: 'p.created_at',
      updatedAt: 'p.updated_at',
      latestVersion: planVersion('v').whereRaw('v.plan_id = p.id').max('v.version'),
    }),
);

/** Plans in order of their ids, which is the order they were created in. */
export function listPlans(db: Db, scope: Scope, afterId: string | undefined, count: number): Promise<ListedPlan[]> {
  return db.rows(list(scope, { afterId: afterId ?? null, count }));
}

const update = statement<PlanRow, { planId: string; name: string | null; draft: string | null }>(
  'plans_update',
  ({ planId, name, draft }) =>
    raw(
      `update commission_plan p set name = coalesce(:name, p.name), draft = coalesce(:draft::jsonb, p.draft), updated_at = now()
   from tenant t
   where t.id = p.tenant_id and ${ofTenant('p')} and p.id = :planId
   returning p.*, t.default_currency`,
      { planId, name, draft },
    ),
);

export interface PlanChange {
  name: string | undefined;
  draft: unknown;
}

/** Undefined when there is no such plan. */
export async function updatePlan(db: Db, scope: Scope, planId: string, change: PlanChange): Promise<StoredPlan | undefined> {
  const draft = change.draft === undefined ? null : JSON.stringify(change.draft);
  const row = await db.row(update(scope, { planId, name: change.name ?? null, draft }));
  return row && toPlan(row);
}

/** What a publication is decided on. */
export interface PlanToPublish {
  draft: unknown;
  defaultCurrency: string;
  /** Whether `from` is before the scope's clock. */
  startsInPast: boolean;
  /** Whether `to` is not after the start. */
  endsBeforeStart: boolean;
  /** The newest of its versions. */
  version: number | null;
  /** Whether the settings ask for another pair of hands. */
  secondPair: boolean;
}

export interface Period {
  /** Null: the scope's clock. */
  from: string | null;
  to: string | null;
}

const lockForPublication = statement<
  {
    draft: unknown;
    default_currency: string;
    starts_in_past: boolean;
    ends_before_start: boolean;
    version: number | null;
    second_pair: boolean;
  },
  { planId: string; from: string | null; to: string | null }
>('plans_lock_for_publication', ({ planId, from, to }) =>
  raw(
    `select p.draft, t.default_currency,
          coalesce(:from::timestamptz < scope_now(:tenantId, :environment), false) as starts_in_past,
          coalesce(:to::timestamptz <= coalesce(:from::timestamptz, scope_now(:tenantId, :environment)), false) as ends_before_start,
          (select max(v.version) from commission_plan_version v where ${ofTenant('v')} and v.plan_id = p.id) as version,
          coalesce((select s.plan_publish_second_pair from commission_settings s where ${ofTenant('s')}), false) as second_pair
   from commission_plan p join tenant t on t.id = p.tenant_id
   where ${ofTenant('p')} and p.id = :planId for update of p`,
    { planId, from, to },
  ),
);

/** Locks the plan, so that its versions get their numbers one after the other. */
export async function lockPlanToPublish(
  db: Db,
  scope: Scope,
  planId: string,
  { from, to }: Period,
): Promise<PlanToPublish | undefined> {
  const row = await db.row(lockForPublication(scope, { planId, from, to }));
  return (
    row && {
      draft: row.draft,
      defaultCurrency: row.default_currency,
      startsInPast: row.starts_in_past,
      endsBeforeStart: row.ends_before_start,
      version: row.version,
      secondPair: row.second_pair,
    }
  );
}

const insertVersion = statement<
  VersionRow,
  { planId: string; from: string | null; to: string | null; definition: string; createdBy: string }
>('plans_insert_version', ({ planId, from, to, definition, createdBy }) =>
  raw(
    `with v as (
     insert into commission_plan_version (tenant_id, environment, plan_id, version, effective_from, effective_to, definition, created_by)
     select :tenantId, :environment, :planId,
            1 + coalesce((select max(known.version) from commission_plan_version known
                          where ${ofTenant('known')} and known.plan_id = :planId), 0),
            coalesce(:from::timestamptz, scope_now(:tenantId, :environment)), :to, :definition::jsonb, :createdBy
     returning *)
   select ${versionColumns} from v`,
    { planId, from, to, definition, createdBy },
  ),
);

export interface NewPlanVersion extends Period {
  planId: string;
  definition: unknown;
  /** An `actorRef`. */
  createdBy: string;
}

/** Of a locked plan. */
export async function insertPlanVersion(db: Db, scope: Scope, version: NewPlanVersion): Promise<StoredPlanVersion> {
  const { planId, from, to, definition, createdBy } = version;
  const row = await db.row(insertVersion(scope, { planId, from, to, definition: JSON.stringify(definition), createdBy }));
  if (!row) throw new Error('the insert of a plan version returned no row');
  return toVersion(row);
}

const lockForDeletion = statement<{ id: string }, { planId: string }>('plans_lock_for_deletion', ({ planId }) =>
  plan().where({ id: planId }).select('id').forUpdate(),
);

/** Whether there is such a plan; nobody publishes it meanwhile. */
export async function lockPlanToDelete(db: Db, scope: Scope, planId: string): Promise<boolean> {
  return (await db.row(lockForDeletion(scope, { planId }))) !== undefined;
}

const deleteUnpublished = statement<{ id: string }, { planId: string }>('plans_delete', ({ planId }) =>
  plan('p').where('p.id', planId).whereNotExists(planVersion('v').whereRaw('v.plan_id = p.id')).delete('p.id'),
);

/** False when the plan was published once. */
export async function deleteUnpublishedPlan(db: Db, scope: Scope, planId: string): Promise<boolean> {
  return (await db.row(deleteUnpublished(scope, { planId }))) !== undefined;
}

/** Does nothing where the scope sums up its sales already. */
export const beginSalesSums = statement<unknown>('plans_begin_sales_sums', () => raw(BEGIN_SALES_SUMS));
