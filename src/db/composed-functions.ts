/**
 * Functions whose text is made of the features' parts: which scopes have something due, and the erasure of a SANDBOX.
 * A feature adds its own part and copies nobody else's. `migrate` installs the functions behind the migrations; what
 * older migrations say of them is replaced at the end of every run.
 */

/** Rows that wait for a sweep and are all due. An index begins with (tenant_id, environment). */
export interface WaitingRows {
  table: string;
  /** Which rows wait, in SQL; none: all. A partial index has the same condition. */
  where?: string;
}

/**
 * Rows that are due at a time. Two indexes tell, with `where` as their condition if there is one:
 * (tenant_id, environment, at) for one scope, and ((at at time zone 'UTC')) for all scopes together. The second is on
 * an expression, so that no other statement is planned with it: given one on the bare column, the planner took it for
 * the rows of one scope, and read those of all.
 */
export interface TimedRows extends WaitingRows {
  /** A timestamptz made of the row's columns. */
  at: string;
  /** `scope`: the time that money goes by, which a SANDBOX may move. `database`: the real one, in SANDBOX too. */
  clock: 'scope' | 'database';
  /** A row is due so long after `at`. Default: at once. */
  after?: string;
  /** In place of `after`: rows that are kept so many days where the sweep that asks says nothing else. */
  keptDays?: number;
  /** The column behind tenant and environment in the first index, where it is not `at` but in the same order. */
  orderedBy?: string;
}

/** Scopes that no single table names: a select of tenant_id and environment. A migration lets svc_auth read its tables. */
export interface SelectedScopes {
  select: string;
}

export type DuePart = WaitingRows | TimedRows | SelectedScopes;

/** What the functions must know of one feature. */
export interface FunctionParts {
  name: string;
  /** Every table that this feature alone writes. The erasure of a SANDBOX deletes its rows. */
  tables?: readonly string[];
  /** Those of them that the erasure leaves alone. */
  kept?: readonly string[];
  /** Statements that the erasure runs before it deletes; they name `erased_tenant` and 'SANDBOX'. */
  beforeErasure?: readonly string[];
  /** What is due, by the name of the sweep. */
  due?: Readonly<Record<string, readonly DuePart[]>>;
}

/**
 * So many rows of a queue are read in the order in which they fell due, at about 1 µs each. When there are more, the scopes
 * that have rows in it are looked through instead, at about 8 µs each: a million rows that are due cost no more than these.
 */
const ROWS_READ = 20_000;

/** The rows are counted by table: what POST /sandbox/reset tells. */
const COUNTED = { events: 'event', members: 'member' } as const;

/**
 * Names the scopes with something due, by sweep. The setting app.kept_days has the days that the
 * caller's sweeps keep rows, where the deployment says another number than the feature. Every worker asks every second, so the cost must not grow with tenants
 * or rows that have nothing due. In plpgsql a connection plans each statement once, not at every call. The settings
 * keep the plans to the indexes above, also those that were made while a table was empty.
 */
export function composeDueScopes(features: readonly FunctionParts[]): string {
  const statements = features.flatMap(({ name, due = {} }) =>
    Object.entries(due).map(([sweep, rows]) =>
      [`  -- ${name}: ${sweep}`, ...rows.map((part) => dueStatements(sweep, part))].join('\n'),
    ),
  );
  return `create or replace function due_scopes() returns table (sweep text, tenant_id uuid, environment text)
  language plpgsql stable security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  kept_days constant jsonb := nullif(current_setting('app.kept_days', true), '');
  clocks_moved constant boolean := exists (select from sandbox_clock);
begin
${statements.join('\n')}
end $$`;
}

function dueStatements(sweep: string, part: DuePart): string {
  if ('select' in part) {
    return `  return query select '${sweep}', selected.tenant_id, selected.environment from (${part.select}) selected;`;
  }
  const delayed = { ...part, delay: delayOf(sweep, part) };
  const rows = dueByRealClock(sweep, delayed);
  return 'at' in delayed && delayed.clock === 'scope' ? `${rows}\n${dueByMovedClocks(sweep, delayed)}` : rows;
}

/** SQL of the interval between a row's time and when it is due. */
type Delayed<Part> = Part & { delay: string | undefined };

function delayOf(sweep: string, part: WaitingRows | TimedRows): string | undefined {
  if (!('at' in part)) return undefined;
  if (part.keptDays !== undefined) return `make_interval(days => coalesce((kept_days ->> '${sweep}')::int, ${part.keptDays}))`;
  return part.after && `interval '${part.after}'`;
}

/** One look tells that nothing is due: not by "exists", for which the planner drops the order that keeps it to one index. */
function dueByRealClock(sweep: string, part: Delayed<WaitingRows | TimedRows>): string {
  const timed = 'at' in part ? part : undefined;
  const order = timed ? `(${timed.at}) at time zone 'UTC'` : 'tenant_id, environment';
  const isDue = timed && `${order} <= (${before('now()', timed)}) at time zone 'UTC'`;
  const inOrder = `from ${part.table}${where([part.where, isDue])} order by ${order}`;
  const isFoundDue = timed && `due_at <= ${before('now()', timed)}`;
  const ofOthers =
    timed?.clock === 'scope'
      ? 'not exists (select from sandbox_clock c where c.tenant_id = due.tenant_id and c.environment = due.environment)'
      : undefined;
  return `  if (select true ${inOrder} limit 1) then
    return query
    with recursive oldest as materialized (
      select tenant_id, environment ${inOrder} limit ${ROWS_READ}),
    found as (${firstOfEachScope(part, `(select count(*) from oldest) = ${ROWS_READ}`)})
    select '${sweep}', due.tenant_id, due.environment
    from (
      select distinct tenant_id, environment from oldest where (select count(*) from oldest) < ${ROWS_READ}
      union all
      select tenant_id, environment from found${where([isFoundDue])}) due${where([ofOthers])};
  end if;`;
}

/** The reading of a clock is what scope_now() answers; calling it for each row would take longer than all else. */
function dueByMovedClocks(sweep: string, part: Delayed<TimedRows>): string {
  const { table, at, orderedBy = at } = part;
  const ofScope = 'w.tenant_id = c.tenant_id and w.environment = c.environment';
  return `  if clocks_moved then
    return query
    select '${sweep}', c.tenant_id, c.environment
    from sandbox_clock c
    cross join lateral (
      select ${at} as due_at from ${table} w${where([ofScope, part.where, `${at} is not null`])} order by ${orderedBy} limit 1) first
    where first.due_at <= ${before('coalesce(c.frozen_at, now() + c.ahead)', part)};
  end if;`;
}

/**
 * A recursive query named `found`: of each scope the row that is due first. Each step begins behind the scope before, so
 * that the index is read at one place a scope.
 */
function firstOfEachScope(part: WaitingRows | TimedRows, onlyIf: string): string {
  const timed = 'at' in part ? part : undefined;
  const columns = `tenant_id, environment${timed ? `, ${timed.at} as due_at` : ''}`;
  const order = `tenant_id, environment${timed ? `, ${timed.orderedBy ?? timed.at}` : ''}`;
  const first = (condition: string): string =>
    `select ${columns} from ${part.table}${where([condition, part.where, timed && `${timed.at} is not null`])} order by ${order} limit 1`;
  return `
      (${first(onlyIf)})
      union all
      select next.* from found cross join lateral (
        ${first('(tenant_id, environment) > (found.tenant_id, found.environment)')}) next`;
}

const before = (instant: string, { delay }: Delayed<unknown>): string => (delay ? `${instant} - ${delay}` : instant);

function where(conditions: readonly (string | undefined)[]): string {
  const given = conditions.filter((condition) => condition !== undefined).map((condition) => `(${condition})`);
  return given.length > 0 ? ` where ${given.join(' and ')}` : '';
}

/**
 * Deletes all that is the frame's SANDBOX's, but for what is kept. One statement deletes everything: foreign keys are
 * checked at its end, so no feature has to know which others name its rows.
 */
export function composeEraseSandbox(features: readonly FunctionParts[]): string {
  const erased = listErasedTables(features);
  const counted: string[] = Object.values(COUNTED);
  const deletions = erased.map(
    (table) =>
      `erased_${table} as (delete from ${table} where tenant_id = erased_tenant and environment = 'SANDBOX'${counted.includes(table) ? ' returning 1' : ''})`,
  );
  const counts = counted.map((table) => {
    if (!erased.includes(table)) throw new Error(`the erasure of a SANDBOX counts the rows of ${table}, which no feature has`);
    return `(select count(*) from erased_${table})`;
  });
  const first = features.flatMap(({ beforeErasure = [] }) => beforeErasure.map((statement) => `  ${statement};\n`));
  return `create or replace function erase_sandbox() returns table (${Object.keys(COUNTED)
    .map((name) => `${name} bigint`)
    .join(', ')})
  language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  erased_tenant constant uuid := nullif(current_setting('app.tenant_id', true), '');
begin
  if erased_tenant is null or coalesce(current_setting('app.environment', true), '') <> 'SANDBOX' then
    raise exception 'only a SANDBOX can be erased' using errcode = 'insufficient_privilege';
  end if;
${first.join('')}  with
  ${deletions.join(',\n  ')}
  select ${counts.join(', ')} into ${Object.keys(COUNTED).join(', ')};
  return next;
end $$`;
}

export function listErasedTables(features: readonly FunctionParts[]): string[] {
  return features.flatMap(({ tables = [], kept = [] }) => tables.filter((table) => !kept.includes(table)));
}
