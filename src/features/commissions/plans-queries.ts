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

/** Whether nothing was changed since then, as far as answers tell instants apart; null: that is not asked. */
const isAsOf = `(:asOf::timestamptz is null or date_trunc('milliseconds', p.updated_at) = date_trunc('milliseconds', :asOf::timestamptz))`;

/** No two changes have the same instant in answers. */
const update = statement<PlanRow, { planId: string; name: string | null; draft: string | null; asOf: string | null }>(
  'plans_update',
  ({ planId, name, draft, asOf }) =>
    raw(
      `update commission_plan p set name = coalesce(:name, p.name), draft = coalesce(:draft::jsonb, p.draft),
     updated_at = greatest(now(), p.updated_at + interval '1 millisecond')
   from tenant t
   where t.id = p.tenant_id and ${ofTenant('p')} and p.id = :planId and ${isAsOf}
   returning p.*, t.default_currency`,
      { planId, name, draft, asOf },
    ),
);

export interface PlanChange {
  name: string | undefined;
  draft: unknown;
  /** Only where it was changed last at this instant. */
  asOf: string | undefined;
}

/** Undefined when there is no such plan, or none as of then. */
export async function updatePlan(db: Db, scope: Scope, planId: string, change: PlanChange): Promise<StoredPlan | undefined> {
  const draft = change.draft === undefined ? null : JSON.stringify(change.draft);
  const row = await db.row(update(scope, { planId, name: change.name ?? null, draft, asOf: change.asOf ?? null }));
  return row && toPlan(row);
}

/** What a publication is decided on. */
export interface PlanToPublish {
  draft: unknown;
  defaultCurrency: string;
  /** Whether nothing was changed since the instant that is asked about. */
  isAsOf: boolean;
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

interface Asked extends Period {
  asOf: string | null;
}

const lockForPublication = statement<
  {
    draft: unknown;
    default_currency: string;
    is_as_of: boolean;
    starts_in_past: boolean;
    ends_before_start: boolean;
    second_pair: boolean;
  },
  Asked & { planId: string }
>('plans_lock_for_publication', ({ planId, from, to, asOf }) =>
  raw(
    `select p.draft, t.default_currency, ${isAsOf} as is_as_of,
          coalesce(:from::timestamptz < scope_now(:tenantId, :environment), false) as starts_in_past,
          coalesce(:to::timestamptz <= coalesce(:from::timestamptz, scope_now(:tenantId, :environment)), false) as ends_before_start,
          coalesce((select s.plan_publish_second_pair from commission_settings s where ${ofTenant('s')}), false) as second_pair
   from commission_plan p join tenant t on t.id = p.tenant_id
   where ${ofTenant('p')} and p.id = :planId for update of p`,
    { planId, from, to, asOf },
  ),
);

/** Apart from the lock: who waited for it must see a version that was published meanwhile. */
const latestVersion = statement<{ version: number | null }, { planId: string }>('plans_latest_version', ({ planId }) =>
  planVersion('v').where('v.plan_id', planId).max({ version: 'v.version' }),
);

/** Locks the plan, so that its versions get their numbers one after the other. */
export async function lockPlanToPublish(db: Db, scope: Scope, planId: string, asked: Asked): Promise<PlanToPublish | undefined> {
  const [row, latest] = await Promise.all([
    db.row(lockForPublication(scope, { planId, ...asked })),
    db.row(latestVersion(scope, { planId })),
  ]);
  return (
    row && {
      draft: row.draft,
      defaultCurrency: row.default_currency,
      isAsOf: row.is_as_of,
      startsInPast: row.starts_in_past,
      endsBeforeStart: row.ends_before_start,
      version: latest?.version ?? null,
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
