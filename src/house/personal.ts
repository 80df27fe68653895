/**
 * What the features hold of a person: how each erases its share, and what of it each writes into the document of
 * everything that is held on a member. The profile feature erases and exports by the list of these.
 */
import type { z } from 'zod';
import type { ActingScope, Provenance } from '../actor.ts';
import { raw, type Scoped, statement } from '../db/query.ts';
import type { Db, Scope, WriteDb } from '../db/scope.ts';
import type { Statement } from '../db/statement.ts';
import { ofTenant } from '../db/tenant-condition.ts';

/** A person by id and addresses. */
export interface NamedPerson {
  memberId: string;
  email: string;
  /** In lower case, as it is compared. */
  emailNorm: string;
  /** It, and those that the member had and nobody has now, as they were typed and as they are compared. */
  emails: readonly string[];
  emailsNorm: readonly string[];
}

/** What a person has bought, by the ids of the events. */
export interface Sales {
  /** What the tenant called the customers that the person was. */
  customerExternalIds: readonly string[];
  /** Purchases whose customer or buyer is the person. */
  purchaseIds: readonly string[];
  /** They, and the refunds and chargebacks that took them back. */
  saleIds: readonly string[];
}

/** Whose data is erased. */
export interface Person extends NamedPerson, Sales {}

/** What the tenant owes a person, in one currency and status. */
export interface OwedSum {
  currency: string;
  status: string;
  amountMinor: bigint;
}

/** Keyed digests of who a person is, and of the given name and surname alone. */
export interface IdentityDigests {
  identity: Buffer;
  names: Buffer;
}

/** Given name, surname, birth date, ID number or country of a member have changed. */
export interface IdentityChange {
  memberId: string;
  by: Provenance;
  /** Names of the fields. */
  fields: readonly string[];
  now: IdentityDigests;
  /** A typing error is corrected, and what was verified stays so. The caller may do that. */
  keep: { reason: string } | undefined;
}

/** A feature's share. Whatever is in neither part stays: the books hold it by the member's id. */
export interface Personal {
  /**
   * The feature that knows sales has it: it erases its share ahead of all others, under a lock on the customers that the person is,
   * and returns what they have bought. Behind that lock no purchase of theirs is recorded: the others go by a list that stays
   * whole.
   */
  eraseSales?: (db: Db, scope: Scope, person: NamedPerson) => Promise<Sales>;
  /**
   * Runs ahead of the tree's lock and the member's, one feature after the other. It is for what takes long or waits for
   * others, and for what locks a row that others lock before they lock the member's.
   */
  eraseBefore?: (db: WriteDb, scope: ActingScope, person: Person) => Promise<void>;
  /**
   * What is owed to the person. It is read behind the locks, when nobody can credit the member; an erasure is refused
   * that does not say that this is known.
   */
  owed?: (scope: Scope, person: Person) => Statement<OwedSum>;
  /**
   * Statements ahead of all features' `erase`: they lock rows that others change, and tell of, under no lock but the row's. What
   * was told of them is committed then, and nothing more is told until the erasure is.
   */
  lock?: readonly ((scope: Scope, person: Person) => Statement<unknown>)[];
  /** Statements that are sent together under the tree's lock and the member's, which others wait for. */
  erase?: readonly ((scope: Scope, person: Person) => Statement<unknown>)[];
  /** Runs behind all that erases: tells tenants of what it has changed. */
  erased?: (db: WriteDb, scope: ActingScope, person: Person) => Promise<void>;
  exported?: readonly Exported[];
  /** Runs ahead of the member's lock when it is to be changed who a member is: for what locks a row that others lock before that. */
  lockIdentity?: (db: Db, scope: Scope, memberId: string) => Promise<unknown>;
  /** What follows for the feature when it has changed who a member is, in the same transaction. */
  identityChanged?: (db: WriteDb, scope: Scope, change: IdentityChange) => Promise<void>;
}

/** A field of the exported document. */
export type Exported = ExportedValue | ExportedList;

export interface ExportedValue {
  name: string;
  /** As the document describes it. */
  schema: z.ZodType;
  /** Its value as JSON, an SQL expression in the one statement that reads the member: `:tenantId` and `:environment` are its scope, `m` is its row. */
  json: string;
}

/** Of any length: read page by page. */
export interface ExportedList {
  name: string;
  schema: z.ZodType;
  list: ExportList;
}

export interface ListedRow {
  /** Its place in the list, after which the next page begins. */
  at: readonly string[];
  json: string;
}

export interface ExportPage {
  memberId: string;
  after: readonly string[];
  count: number;
}

export interface ExportList {
  start: readonly string[];
  page: Scoped<ListedRow, ExportPage>;
}

type Place = [column: string, type: string, lowest: string];

export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * A list by its columns. `order` has the columns of a row's place with their types; `from` ends with the conditions on
 * whose rows they are: `:tenantId` and `:environment` are the scope, `:memberId` is the member.
 */
export function exportList(name: string, order: readonly Place[], fields: Record<string, string>, from: string): ExportList {
  const columns = order.map(([column]) => column).join(', ');
  const after = order.map(([, type], index) => `(:after::text[])[${index + 1}]::${type}`).join(', ');
  return {
    start: order.map(([, , lowest]) => lowest),
    page: statement<ListedRow, ExportPage>(name, (places) =>
      raw(
        `select array[${order.map(([column]) => `${column}::text`).join(', ')}] as at, ${jsonOf(fields)}::text as json
         from ${from} and (${columns}) > (${after}) order by ${columns} limit :count`,
        { memberId: places.memberId, after: places.after, count: places.count },
      ),
    ),
  };
}

/** The order of rows that have an id. */
export function byId(alias: string): Place[] {
  return [[`${alias}.id`, 'uuid', LOWEST_ID]];
}

/** An instant as the API writes it. */
export function utc(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** A JSON object by the SQL of its fields. */
export function jsonOf(fields: Record<string, string>): string {
  return `json_build_object(${Object.entries(fields)
    .map(([field, column]) => `'${field}', ${column}`)
    .join(', ')})`;
}

/** All of a member's rows as one JSON list, for what there is little of. `from` ends with the conditions on whose rows they are. */
export function jsonListOf(fields: Record<string, string>, from: string, order: string): string {
  return `(select coalesce(json_agg(${jsonOf(fields)} order by ${order}), '[]') from ${from})`;
}

/** Whose rows they are, in a list: the member's by this column. */
export function ofMember(alias: string, column: string): string {
  return `where ${ofTenant(alias)} and ${alias}.${column} = :memberId`;
}
