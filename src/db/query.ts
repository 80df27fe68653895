/**
 * Statements by Knex. A query is built once, when its module loads, and becomes the text of a named, prepared statement;
 * a call gives the values and builds nothing. What a parameter's value will be is not known then, so a place is put into
 * the query instead:
 *
 *     const lead = tenantTable('lead');
 *     const find = statement<LeadRow, { id: string }>('leads_find', ({ id }) => lead().where({ id }).select('*'));
 *     await db.row(find(scope, { id }));
 *
 * `tenantTable` (tenant-table.ts) adds the tenant and the environment. SQL that Knex cannot say, or would hide, is
 * `raw` text with `:id` for a parameter; docs/decisions/0026-queries-through-knex.md says when.
 */
import knexFactory, { type Knex } from 'knex';
import pg from 'pg';
import { numberParameters } from './named-parameters.ts';
import type { Scope } from './scope.ts';
import { prepared, replanned as replannedText, type Statement } from './statement.ts';

/** Knex without a connection: it only builds SQL. Tables of tenants are reached by `tenantTable`. */
export const knex: Knex = knexFactory({ client: 'pg' });

/** What stands in a query for a value that each call gives. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeOf = (name: string): Knex.Raw => knex.raw('?', [new Place(name) as unknown as Knex.Value]);

/** The tenant and the environment of the frame's scope. */
export const SCOPE_PLACES = { tenantId: placeOf('tenantId'), environment: placeOf('environment') };

export type Places<Parameters> = { readonly [Name in keyof Parameters]-?: Knex.Raw };
/** The places of a list: a filter that a call leaves out has none. */
export type GivenPlaces<Parameters> = {
  readonly [Name in keyof Parameters]-?: undefined extends Parameters[Name] ? Knex.Raw | undefined : Knex.Raw;
};
type Query = Knex.QueryBuilder | Knex.Raw;

/** What a statement that has no parameters is called with: nothing. */
type Given<Parameters> = [keyof Parameters] extends [never] ? [] : [parameters: Readonly<Parameters>];
/** Runnable in a scope, with its parameters. What a caller gives beside them is not sent. */
export type Scoped<Row, Parameters = object> = (scope: Scope, ...given: Given<Parameters>) => Statement<Row>;
type Values = Readonly<Record<string, unknown>>;

/**
 * SQL as text, with `:name` for each of `places`. The tenant and the environment, `:tenantId` and `:environment`, need
 * not be given. Constants may be put into the text by the template; what a caller sends must not.
 */
export function raw(text: string, places: Readonly<Record<string, Knex.Raw>> = {}): Knex.Raw {
  // Without a prototype: `:constructor` is no name of it.
  return knex.raw(text, Object.assign(Object.create(null) as Record<string, Knex.Raw>, places));
}

/**
 * Declares a prepared statement on the rows of one scope. The server parses and plans it once a connection; the name
 * must be unique in the program. Throws, when the module loads, on a place that does not arrive in the text, a name of
 * the text without a place, and a constant that cannot be written into SQL.
 */
export function statement<Row, Parameters extends object = object>(
  name: string,
  build: (places: Places<Scope & Parameters>) => Query,
): Scoped<Row, Parameters> {
  const { text, names } = compile(name, build, SCOPED);
  return sending(prepared<Row, unknown[]>(name, text), names);
}

/** The same for what belongs to no tenant, or is looked up before the tenant is known. It can have no `tenantTable`. */
export function unscopedStatement<Row, Parameters extends object = object>(
  name: string,
  build: (places: Places<Parameters>) => Query,
): (...given: Given<Parameters>) => Statement<Row> {
  const { text, names } = compile(name, build, UNSCOPED);
  const send = prepared<Row, unknown[]>(name, text);
  return (...given) => send(...valuesOf(names, given[0]));
}

/**
 * A statement that is planned anew each time, for what it is asked for: where one plan for all tenants would be ruinous
 * for some. Costs the planning, a millisecond or so.
 */
export function replanned<Row, Parameters extends object = object>(
  build: (places: Places<Scope & Parameters>) => Query,
): Scoped<Row, Parameters> {
  const { text, names } = compile('replanned', build, SCOPED);
  return sending(replannedText<Row, unknown[]>(text), names);
}

/** Texts that a list keeps. No list of today has so many combinations of filters. */
const MOST_TEXTS = 256;

/**
 * A list with filters that a call may leave out: what is undefined has no place, and the query is built without it. Each
 * combination of filters is built once and its text kept, of a bounded number; it is planned for what each call asks.
 */
export function listStatement<Row, Parameters extends object>(
  name: string,
  build: (places: GivenPlaces<Scope & Parameters>) => Query,
): Scoped<Row, Parameters> {
  const texts = new Map<string, Scoped<Row, Parameters>>();
  const textFor = (given: ReadonlySet<string>): Scoped<Row, Parameters> => {
    const key = [...given].toSorted().join(' ');
    const kept = texts.get(key);
    if (kept) return kept;
    const { text, names } = compile(name, build as (places: Places<Scope & Parameters>) => Query, SCOPED, given);
    const made = sending<Row, Parameters>(replannedText<Row, unknown[]>(text), names);
    for (const oldest of texts.keys()) {
      if (texts.size < MOST_TEXTS) break;
      texts.delete(oldest);
    }
    texts.set(key, made);
    return made;
  };
  return (scope, ...given) => {
    const known = Object.entries(given[0] ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    return textFor(new Set(known))(scope, ...given);
  };
}

/** The names that every text of a scope may use. */
const SCOPED: ReadonlySet<string> = new Set(['tenantId', 'environment']);
const UNSCOPED: ReadonlySet<string> = new Set();

function compile<Parameters>(
  statement: string,
  build: (places: Places<Parameters>) => Query,
  implied: ReadonlySet<string>,
  given?: ReadonlySet<string>,
): { text: string; names: readonly string[] } {
  const asked = new Set<string>();
  const places = new Proxy(
    {},
    {
      get(_target, name): Knex.Raw | undefined {
        if (typeof name !== 'string' || (given && !given.has(name))) return undefined;
        asked.add(name);
        return placeOf(name);
      },
    },
  ) as Places<Parameters>;
  const text = withNames(statement, build(places));
  const { text: numbered, names } = numberParameters(statement, text, new Set([...implied, ...asked]));
  const lost = [...asked].filter((name) => !names.includes(name));
  if (lost.length > 0) throw new Error(`the statement ${statement} does not use ${lost.join(', ')}`);
  return { text: numbered, names };
}

/** The text of a query with `:name` for each place, and its constants written out. */
function withNames(statement: string, query: Query): string {
  const { sql, bindings } = query.toSQL();
  const refuseMark = (): never => {
    throw new Error(`the statement ${statement} has a ? that is no parameter: write it as \\\\?`);
  };
  let next = 0;
  const text = sql.replace(/\\?\?/g, (mark: string) => {
    if (mark === '\\?') return '?';
    if (next === bindings.length) refuseMark();
    const binding: unknown = bindings[next++];
    return binding instanceof Place ? `:${binding.name}` : written(statement, binding);
  });
  if (next !== bindings.length) refuseMark();
  return text;
}

function written(statement: string, constant: unknown): string {
  if (typeof constant === 'string') return pg.escapeLiteral(constant);
  if (typeof constant === 'number' || typeof constant === 'bigint' || typeof constant === 'boolean') return String(constant);
  if (constant === null) return 'null';
  throw new Error(`the statement ${statement} has a constant that cannot be written: ${JSON.stringify(constant)}`);
}

function sending<Row, Parameters>(
  send: (...values: unknown[]) => Statement<Row>,
  names: readonly string[],
): Scoped<Row, Parameters> {
  const ofScope = names.filter((name): name is keyof Scope => SCOPED.has(name));
  const own = names.filter((name) => !SCOPED.has(name));
  return (scope, ...given) => send(...ofScope.map((name) => scope[name]), ...valuesOf(own, given[0]));
}

function valuesOf(names: readonly string[], given: object | undefined): unknown[] {
  return given === undefined ? [] : names.map((name) => (given as Values)[name]);
}
