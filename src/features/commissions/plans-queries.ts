/** Commission plans in SQL. */
import type { Db, Scope, WriteDb } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

const lockPlans = prepared<unknown, [string, string]>(
  'plans_lock',
  "select pg_advisory_xact_lock(hashtextextended($1 || ':' || $2, 2))",
);

const insertFirstPlan = prepared<unknown, [string, string, string, string]>(
  'plans_insert_first',
  `with plan as (
     insert into commission_plan (tenant_id, environment, name)
     select $1, $2, $3 where not exists (select from commission_plan where tenant_id = $1 and environment = $2)
     returning id)
   insert into commission_plan_version (tenant_id, environment, plan_id, version, effective_from, definition)
   select $1, $2, plan.id, 1, '-infinity', $4::jsonb from plan`,
);

/** A plan in force for every sale that no later version claims, unless the scope has a plan already. */
export async function ensurePlan(db: Db, scope: Scope, name: string, definition: unknown): Promise<void> {
  await Promise.all([
    db.rows(lockPlans(scope.tenantId, scope.environment)),
    db.rows(insertFirstPlan(scope.tenantId, scope.environment, name, JSON.stringify(definition))),
  ]);
}

const defaultCurrency = prepared<{ default_currency: string }, [string]>(
  'plans_default_currency',
  'select default_currency from tenant where id = $1',
);

/** The tenant's. */
export async function readDefaultCurrency(db: Db, scope: Scope): Promise<string> {
  const row = await db.row(defaultCurrency(scope.tenantId));
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
  definition: unknown;
}

interface VersionRow {
  id: string;
  version: number;
  effective_from: Date | null;
  effective_to: Date | null;
  published_at: Date;
  definition: unknown;
}

function toVersion(row: VersionRow): StoredPlanVersion {
  return {
    id: row.id,
    version: row.version,
    effectiveFrom: row.effective_from,
    effectiveTo: row.effective_to,
    publishedAt: row.published_at,
    definition: row.definition,
  };
}

const insert = prepared<PlanRow, [string, string, string, string]>(
  'plans_insert',
  `with fresh as (
     insert into commission_plan (tenant_id, environment, name, draft) values ($1, $2, $3, $4::jsonb) returning *)
   select fresh.*, t.default_currency from fresh join tenant t on t.id = fresh.tenant_id`,
);

/** The frame's last statement. */
export async function insertPlan(db: WriteDb, scope: Scope, name: string, draft: unknown): Promise<StoredPlan> {
  const row = await db.lastRow(insert(scope.tenantId, scope.environment, name, JSON.stringify(draft)));
  if (!row) throw new Error('the insert of a plan returned no row');
  return toPlan(row);
}

const find = prepared<PlanRow, [string, string, string]>(
  'plans_find',
  `select p.*, t.default_currency from commission_plan p join tenant t on t.id = p.tenant_id
   where p.tenant_id = $1 and p.environment = $2 and p.id = $3`,
);

export async function findPlan(db: Db, scope: Scope, planId: string): Promise<StoredPlan | undefined> {
  const row = await db.row(find(scope.tenantId, scope.environment, planId));
  return row && toPlan(row);
}

const versionColumns = `v.id, v.version, nullif(v.effective_from, '-infinity') as effective_from, v.effective_to, v.published_at, v.definition`;

const listVersions = prepared<VersionRow, [string, string, string]>(
  'plans_versions',
  `select ${versionColumns} from commission_plan_version v
   where v.tenant_id = $1 and v.environment = $2 and v.plan_id = $3 order by v.version desc`,
);

/** Newest first. */
export async function listPlanVersions(db: Db, scope: Scope, planId: string): Promise<StoredPlanVersion[]> {
  return (await db.rows(listVersions(scope.tenantId, scope.environment, planId))).map(toVersion);
}

const inForce = prepared<
  Pick<VersionRow, 'id' | 'effective_from' | 'definition'> & { plan_id: string },
  [string, string, at: Date]
>(
  'plans_in_force',
  `select v.id, v.plan_id, nullif(v.effective_from, '-infinity') as effective_from, v.definition
   from (select distinct on (x.plan_id) x.* from commission_plan_version x
         where x.tenant_id = $1 and x.environment = $2 and x.effective_from <= $3
         order by x.plan_id, x.effective_from desc, x.id desc) v
   where v.effective_to is null or v.effective_to > $3`,
);

/** Of each plan the version in force at `at`. */
export async function listVersionsInForce(
  db: Db,
  scope: Scope,
  at: Date,
): Promise<{ id: string; planId: string; effectiveFrom: Date | null; definition: unknown }[]> {
  const rows = await db.rows(inForce(scope.tenantId, scope.environment, at));
  return rows.map((row) => ({
    id: row.id,
    planId: row.plan_id,
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

const list = prepared<ListedPlan, [string, string, string | null, number]>(
  'plans_list',
  `select p.id, p.name, p.draft is not null as "hasDraft", p.created_at as "createdAt", p.updated_at as "updatedAt",
          (select max(v.version) from commission_plan_version v
           where v.tenant_id = $1 and v.environment = $2 and v.plan_id = p.id) as "latestVersion"
   from commission_plan p
   where p.tenant_id = $1 and p.environment = $2 and ($3::uuid is null or p.id > $3)
   order by p.id limit $4`,
);

/** Plans in order of their ids, which is the order they were created in. */
export function listPlans(db: Db, scope: Scope, afterId: string | undefined, count: number): Promise<ListedPlan[]> {
  return db.rows(list(scope.tenantId, scope.environment, afterId ?? null, count));
}

const update = prepared<PlanRow, [string, string, string, string | null, string | null]>(
  'plans_update',
  `update commission_plan p set name = coalesce($4, p.name), draft = coalesce($5::jsonb, p.draft), updated_at = now()
   from tenant t
   where t.id = p.tenant_id and p.tenant_id = $1 and p.environment = $2 and p.id = $3
   returning p.*, t.default_currency`,
);

export interface PlanChange {
  name: string | undefined;
  draft: unknown;
}

/** Undefined when there is no such plan. The frame's last statement. */
export async function updatePlan(db: WriteDb, scope: Scope, planId: string, change: PlanChange): Promise<StoredPlan | undefined> {
  const draft = change.draft === undefined ? null : JSON.stringify(change.draft);
  const row = await db.lastRow(update(scope.tenantId, scope.environment, planId, change.name ?? null, draft));
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
}

export interface Period {
  /** Null: the scope's clock. */
  from: string | null;
  to: string | null;
}

const lockForPublication = prepared<
  { draft: unknown; default_currency: string; starts_in_past: boolean; ends_before_start: boolean },
  [string, string, string, string | null, string | null]
>(
  'plans_lock_for_publication',
  `select p.draft, t.default_currency,
          coalesce($4::timestamptz < scope_now($1, $2), false) as starts_in_past,
          coalesce($5::timestamptz <= coalesce($4::timestamptz, scope_now($1, $2)), false) as ends_before_start
   from commission_plan p join tenant t on t.id = p.tenant_id
   where p.tenant_id = $1 and p.environment = $2 and p.id = $3 for update of p`,
);

/** Locks the plan, so that its versions get their numbers one after the other. */
export async function lockPlanToPublish(
  db: Db,
  scope: Scope,
  planId: string,
  { from, to }: Period,
): Promise<PlanToPublish | undefined> {
  const row = await db.row(lockForPublication(scope.tenantId, scope.environment, planId, from, to));
  return (
    row && {
      draft: row.draft,
      defaultCurrency: row.default_currency,
      startsInPast: row.starts_in_past,
      endsBeforeStart: row.ends_before_start,
    }
  );
}

const insertVersion = prepared<VersionRow, [string, string, string, string | null, string | null, string, string]>(
  'plans_insert_version',
  `with v as (
     insert into commission_plan_version (tenant_id, environment, plan_id, version, effective_from, effective_to, definition, published_by)
     select $1, $2, $3,
            1 + coalesce((select max(known.version) from commission_plan_version known
                          where known.tenant_id = $1 and known.environment = $2 and known.plan_id = $3), 0),
            coalesce($4::timestamptz, scope_now($1, $2)), $5, $6::jsonb, $7
     returning *)
   select ${versionColumns} from v`,
);

export interface NewPlanVersion extends Period {
  planId: string;
  definition: unknown;
  keyId: string;
}

/** The frame's last statement; the plan is locked. */
export async function insertPlanVersion(db: WriteDb, scope: Scope, version: NewPlanVersion): Promise<StoredPlanVersion> {
  const { planId, from, to, definition, keyId } = version;
  const row = await db.lastRow(
    insertVersion(scope.tenantId, scope.environment, planId, from, to, JSON.stringify(definition), keyId),
  );
  if (!row) throw new Error('the insert of a plan version returned no row');
  return toVersion(row);
}

const lockForDeletion = prepared<{ id: string }, [string, string, string]>(
  'plans_lock_for_deletion',
  'select p.id from commission_plan p where p.tenant_id = $1 and p.environment = $2 and p.id = $3 for update',
);

/** Whether there is such a plan; nobody publishes it meanwhile. */
export async function lockPlanToDelete(db: Db, scope: Scope, planId: string): Promise<boolean> {
  return (await db.row(lockForDeletion(scope.tenantId, scope.environment, planId))) !== undefined;
}

const deleteUnpublished = prepared<{ id: string }, [string, string, string]>(
  'plans_delete',
  `delete from commission_plan p
   where p.tenant_id = $1 and p.environment = $2 and p.id = $3
     and not exists (select from commission_plan_version v
                     where v.tenant_id = $1 and v.environment = $2 and v.plan_id = p.id)
   returning p.id`,
);

/** False when the plan was published once. The frame's last statement. */
export async function deleteUnpublishedPlan(db: WriteDb, scope: Scope, planId: string): Promise<boolean> {
  return (await db.lastRow(deleteUnpublished(scope.tenantId, scope.environment, planId))) !== undefined;
}
