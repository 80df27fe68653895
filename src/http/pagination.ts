/**
 * Lists: `limit` and an opaque cursor, signed so that it can be neither made nor moved to another
 * tenant, environment, member, list or filter. Source: docs/specification/conventions.md#lists.
 */
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Scope } from '../db/scope.ts';
import { invalidField } from '../errors.ts';
import type { Caller } from './operation.ts';
import { queryInteger } from './schemas.ts';

/** The two parameters of every list. */
export const pageQuery = {
  limit: queryInteger(1, 100).default(25).meta({ description: 'Rows in one answer' }),
  cursor: z
    .string()
    .max(1000)
    .optional()
    .meta({ description: '`next_cursor` or `nextCursor` of the answer before; keep the filters the same' }),
};

export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/** The schema of a list in snake case, and the two fields of its paging. */
const hasMore = z.boolean().meta({ id: 'HasMore', description: 'Whether more rows follow' });
const nextCursor = z
  .string()
  .nullable()
  .meta({ id: 'NextCursor', description: 'To be sent as `cursor` for the next page; null: this is the last' });

export const snakePaging = { has_more: hasMore, next_cursor: nextCursor };
export const snakeListOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), ...snakePaging });

/** The same of a list in camel case. */
export const camelPaging = { hasMore, nextCursor };
export const camelListOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), ...camelPaging });

/** The fields of paging, as a group has its names. */
const PAGING = {
  snake: { more: 'has_more', next: 'next_cursor' },
  camel: { more: 'hasMore', next: 'nextCursor' },
} as const;

function pagingOf<Case extends keyof typeof PAGING>(names: Case, nextCursor: string | null) {
  const { more, next } = PAGING[names];
  return { [more]: nextCursor !== null, [next]: nextCursor } as {
    [Name in (typeof PAGING)[Case]['more']]: boolean;
  } & { [Name in (typeof PAGING)[Case]['next']]: string | null };
}

/** What a cursor says in an answer that has more than the list. */
export const camelCursor = (nextCursor: string | null) => pagingOf('camel', nextCursor);

/** Presents a page as the lists of that case do: `{data, has_more, next_cursor}` or `{data, hasMore, nextCursor}`. */
const listIn =
  <Case extends keyof typeof PAGING>(names: Case) =>
  <Row, Item = Row>(toItem?: (row: Row, caller: Caller) => Item) =>
  ({ rows, nextCursor }: Page<Row>, caller: Caller) => ({
    status: 200,
    body: { data: itemsOf(rows, caller, toItem), ...pagingOf(names, nextCursor) },
  });

export const snakeList = listIn('snake');
export const camelList = listIn('camel');

function itemsOf<Row, Item>(rows: Row[], caller: Caller, toItem: ((row: Row, caller: Caller) => Item) | undefined): Item[] {
  return toItem ? rows.map((row) => toItem(row, caller)) : (rows as unknown as Item[]);
}

/** What a cursor is good for. */
export interface ListIdentity {
  scope: Scope;
  operationId: string;
  filters: Record<string, unknown>;
}

export interface Cursors {
  /** The position a cursor stands for; undefined without one. 400 for one that is not of this list. */
  open(cursor: string | undefined, list: ListIdentity): string | undefined;
  /** The cursor that stands for a position. */
  seal(position: string, list: ListIdentity): string;
  /** Cuts `rows`, read one more than `limit`, to a page. */
  page<Row>(rows: Row[], limit: number, list: ListIdentity, positionOf: (row: Row) => string): Page<Row>;
}

const MAC_BYTES = 16;

export function createCursors(secret: Buffer): Cursors {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'list-cursor', 32)));
  const mac = (position: string, list: ListIdentity): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([...identityOf(list), position]))
      .digest()
      .subarray(0, MAC_BYTES);
  const identityOf = ({ scope, operationId, filters }: ListIdentity): unknown[] => [
    scope.tenantId,
    scope.environment,
    ...(scope.member ? [scope.member.memberId] : []),
    operationId,
    filters,
  ];
  const seal = (position: string, list: ListIdentity): string =>
    Buffer.concat([mac(position, list), Buffer.from(position)]).toString('base64url');
  return {
    seal,
    open(cursor, list) {
      if (cursor === undefined) return undefined;
      const bytes = Buffer.from(cursor, 'base64url');
      const position = bytes.subarray(MAC_BYTES).toString();
      const given = bytes.subarray(0, MAC_BYTES);
      if (given.length !== MAC_BYTES || !timingSafeEqual(given, mac(position, list))) {
        throw invalidField('cursor', 'is not a cursor of this list with these filters');
      }
      return position;
    },
    page(rows, limit, list, positionOf) {
      const kept = rows.slice(0, limit);
      const last = kept.at(-1);
      if (rows.length <= limit || last === undefined) return { rows: kept, nextCursor: null };
      return { rows: kept, nextCursor: seal(positionOf(last), list) };
    },
  };
}
