/**
 * Tables whose rows belong to a tenant, for Knex. A builder of one has the tenant and the environment in its condition
 * from the start, adds them to what it inserts, to the columns of a conflict and to each join, and cannot be made to
 * forget them.
 */
import type { Knex } from 'knex';
import { knex, raw, SCOPE_PLACES } from './query.ts';
import type { TenantTables } from './tables.ts';
import { ofTenant, theTenant } from './tenant-condition.ts';

/**
 * What takes a parameter's place here, and only numbers or lists elsewhere. The type parameters are Knex's own, which
 * a merged interface has to repeat.
 */
declare module 'knex' {
  namespace Knex {
    // biome-ignore lint/suspicious/noExplicitAny: as Knex declares it
    interface QueryInterface<TRecord extends {} = any, TResult = any> {
      limit(limit: Knex.Raw): QueryBuilder<TRecord, TResult>;
      offset(offset: Knex.Raw): QueryBuilder<TRecord, TResult>;
    }
    // biome-ignore lint/suspicious/noExplicitAny: as Knex declares it
    interface WhereIn<TRecord extends {} = any, TResult = unknown[]> {
      // biome-ignore lint/style/useShorthandFunctionType: one overload more
      /** `column = any (values)`: one parameter for a list of any length. */ (
        columnName: string,
        values: Knex.Raw,
      ): QueryBuilder<TRecord, TResult>;
    }
  }
}

type Row = Readonly<Record<string, unknown>>;

/** What of Knex's builder is made otherwise here. */
interface Plain {
  table(name: string): unknown;
  where(condition: Knex.Raw): unknown;
  clearWhere(): unknown;
  insert(rows: unknown, ...rest: unknown[]): Knex.QueryBuilder;
  onConflict(columns?: unknown): unknown;
  update(...values: unknown[]): unknown;
  delete(...rest: unknown[]): unknown;
  join(table: unknown, ...on: unknown[]): Knex.QueryBuilder;
  limit(limit: unknown, ...rest: unknown[]): unknown;
  offset(offset: unknown, ...rest: unknown[]): unknown;
  whereIn(column: string, values: unknown): unknown;
  whereRaw(text: string, bindings: unknown[]): unknown;
}

const KEYS = ['tenant_id', 'environment'];

/**
 * A table of the scope's own rows: call it for a builder, with an alias where the query needs one. Columns of
 * conditions are those of the alias where they name none. Every table that is joined is a tenant's too, and its keys are
 * compared with this one's; `tenant` itself, which has none, is reached by `joinRaw`, and alone by `ownTenant`.
 */
export function tenantTable<Name extends keyof TenantTables>(
  name: Name,
): (alias?: string) => Knex.QueryBuilder<TenantTables[Name], TenantTables[Name][]> {
  return (alias = name) =>
    new TenantBuilder(name, alias) as unknown as Knex.QueryBuilder<TenantTables[Name], TenantTables[Name][]>;
}

/** The row of the scope's own tenant, which both environments share. */
export function ownTenant(): Knex.QueryBuilder {
  return knex('tenant').where(raw(theTenant('tenant')));
}

/**
 * What would leave the tenant's condition out, or reach rows past it. A condition behind an `or` at the top would stand
 * beside the tenant's: it goes into a group, `where((either) => void either.where(…).orWhere(…))`.
 */
const REFUSED =
  'or clear clearWhere clone from into table using updateFrom del crossJoin truncate upsert union unionAll intersect except';

const KnexBuilder = (knex.queryBuilder() as object).constructor as new (client: unknown) => Plain;

class TenantBuilder extends KnexBuilder {
  readonly #table: string;
  readonly #alias: string;
  #inserts = false;

  constructor(table: string, alias: string) {
    super((knex as unknown as { client: unknown }).client);
    this.#table = table;
    this.#alias = alias;
    super.table(alias === table ? table : `${table} as ${alias}`);
    this.where(raw(ofTenant(alias), SCOPE_PLACES));
  }

  override insert(rows: unknown, ...rest: unknown[]): Knex.QueryBuilder {
    // An insert has no condition; one that follows belongs to what a conflict does.
    super.clearWhere();
    this.#inserts = true;
    return super.insert(Array.isArray(rows) ? rows.map(withKeys) : withKeys(rows), ...rest);
  }

  override onConflict(columns?: unknown): unknown {
    if (columns === undefined) return super.onConflict();
    if (isRaw(columns)) return super.onConflict(columns);
    return super.onConflict([...KEYS, ...(Array.isArray(columns) ? columns : [columns])]);
  }

  override update(...values: unknown[]): unknown {
    if (this.#inserts) refuse('update', this.#table);
    const moved = KEYS.find((key) => key === values[0] || Object.hasOwn(Object(values[0]), key));
    if (moved !== undefined) throw new Error(`${this.#table}: a row stays with its ${moved}`);
    return super.update(...values);
  }

  override delete(...rest: unknown[]): unknown {
    if (this.#inserts) refuse('delete', this.#table);
    return super.delete(...rest);
  }

  /** All other joins come here too, with their kind set before. The keys are compared first, column with column. */
  override join(table: unknown, ...on: unknown[]): Knex.QueryBuilder {
    if ((this as unknown as { _joinFlag: string })._joinFlag === 'raw') return super.join(table, ...on);
    if (typeof table !== 'string') throw new Error('a join names its table, and an alias: lead as l');
    const other = table.split(/\s+as\s+/i).at(-1) as string;
    return super.join(table, (clause: Knex.JoinClause) => {
      for (const key of KEYS) clause.on(`${other}.${key}`, `${this.#alias}.${key}`);
      // A callback's conditions in brackets of their own: an `or` among them stays behind the keys.
      (clause.on as (...on: unknown[]) => unknown)(...on);
    });
  }

  override limit(limit: unknown, ...rest: unknown[]): unknown {
    return isRaw(limit) ? this.#put('limit', limit) : super.limit(limit, ...rest);
  }

  override offset(offset: unknown, ...rest: unknown[]): unknown {
    return isRaw(offset) ? this.#put('offset', offset) : super.offset(offset, ...rest);
  }

  override whereIn(column: string, values: unknown): unknown {
    return isRaw(values) ? this.whereRaw('?? = any (?)', [column, values]) : super.whereIn(column, values);
  }

  /** Knex takes a number only, and drops all else with a line in the log. */
  #put(what: 'limit' | 'offset', place: Knex.Raw): this {
    super[what](1);
    (this as unknown as { _single: Record<string, unknown> })._single[what] = place;
    return this;
  }

  static {
    for (const method of [
      ...REFUSED.split(' '),
      ...methodsOf(KnexBuilder.prototype).filter((name) => name.startsWith('orWhere')),
    ]) {
      Object.defineProperty(TenantBuilder.prototype, method, {
        get(this: TenantBuilder) {
          return refuse(method, this.#table);
        },
      });
    }
  }
}

function refuse(method: string, table: string): never {
  throw new Error(`${table}: ${method} could leave the tenant out`);
}

function methodsOf(prototype: object | null): string[] {
  return prototype === null
    ? []
    : [...Object.getOwnPropertyNames(prototype), ...methodsOf(Object.getPrototypeOf(prototype) as object | null)];
}

const isRaw = (value: unknown): value is Knex.Raw =>
  typeof value === 'object' && value !== null && (value as { isRawInstance?: boolean }).isRawInstance === true;

function withKeys(row: unknown): Row {
  return { ...(row as Row), tenant_id: SCOPE_PLACES.tenantId, environment: SCOPE_PLACES.environment };
}
