/** Statements by Knex, and their parameters by name. */
import type { Knex } from 'knex';
import { describe, expect, test, vi } from 'vitest';
import { numberParameters } from '../../src/db/named-parameters.ts';
import { knex, listStatement, type Places, raw, replanned, statement, unscopedStatement } from '../../src/db/query.ts';
import { tenantTable } from '../../src/db/tenant-table.ts';

const scope = { tenantId: 't', environment: 'LIVE' } as const;
const lead = tenantTable('lead');

/** Of an unscoped statement in `text`, which is given these places. */
const textOf = (text: string, ...names: string[]): string =>
  unscopedStatement<unknown, Record<string, unknown>>('a_statement', (places) =>
    raw(text, Object.fromEntries(names.map((name) => [name, places[name] as Places<{ place: unknown }>['place']]))),
  )({}).text;

describe('a statement', () => {
  const find = statement<{ id: string }, { email: string; limit: number }>('leads_find', ({ email, limit }) =>
    raw(
      'select l.id from lead l where l.email = :email and l.environment = :environment and l.tenant_id = :tenantId limit :limit',
      {
        email,
        limit,
      },
    ),
  );

  test('gets its values by their names: the scope first, the others as the text has them', () => {
    expect(find(scope, { limit: 3, email: 'kim@shop.example' })).toEqual({
      name: 'leads_find',
      text: 'select l.id from lead l where l.email = $3 and l.environment = $2 and l.tenant_id = $1 limit $4',
      values: ['t', 'LIVE', 'kim@shop.example', 3],
    });
  });

  test('may leave out the scope, and is not sent what it does not use', () => {
    const now = statement<unknown>('a_statement', () => raw('select now()'));
    expect(now(scope)).toEqual({ name: 'a_statement', text: 'select now()', values: [] });
    const one = statement<unknown, { id: string }>('a_statement', ({ id }) => raw('select :id', { id }));
    const member = { id: 'm', email: 'kim@shop.example' };
    expect(one(scope, member)).toEqual({ name: 'a_statement', text: 'select $1', values: ['m'] });
  });

  test('is sent a value that is missing as such', () => {
    const both = unscopedStatement<unknown, { id: string | undefined; at: Date | null }>('a_statement', ({ id, at }) =>
      raw('select :id, :at', { id, at }),
    );
    expect(both({ id: undefined, at: null }).values).toEqual([undefined, null]);
  });

  test('is not called without one of its parameters, and has no place for another', () => {
    const one = unscopedStatement<unknown, { id: string }>('a_statement', ({ id }) => raw('select :id', { id }));
    // @ts-expect-error -- `id` is missing
    expect(one({}).values).toEqual([undefined]);
    const other = () =>
      // @ts-expect-error -- `at` is no parameter
      unscopedStatement<unknown, { id: string }>('a_statement', ({ id, at }) => raw('select :id, :at', { id, at }));
    expect(other).not.toThrow();
  });

  test('gives every use of a name one number, also a two-figure one', () => {
    const names = Array.from({ length: 12 }, (_, n) => `p${n + 1}`);
    expect(textOf(`select ${names.map((name) => `:${name}`).join(', ')}, :p12, :p1`, ...names)).toBe(
      'select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $1',
    );
  });

  test('is built once', () => {
    const build = vi.fn(({ id }: Places<{ id: string }>) => raw('select :id', { id }));
    const one = unscopedStatement<unknown, { id: string }>('a_statement', build);
    expect([one({ id: 'a' }).values, one({ id: 'b' }).values]).toEqual([['a'], ['b']]);
    expect(build).toHaveBeenCalledTimes(1);
  });

  test('has no name when it is planned anew each time', () => {
    const find = replanned<unknown, { id: string }>(({ id }) => lead().where({ id }).select('id'));
    expect(find(scope, { id: 'l' })).toEqual({
      text: 'select "id" from "lead" where lead.tenant_id = $1 and lead.environment = $2 and "id" = $3',
      values: ['t', 'LIVE', 'l'],
    });
  });
});

test('a name that every object has is none', () => {
  expect(() => textOf('select :constructor, :id', 'id')).toThrow('has no parameter for :constructor');
});

test('a literal ? is written \\?', () => {
  expect(textOf(String.raw`select '{"a": 1}'::jsonb \? 'a', :id`, 'id')).toBe(`select '{"a": 1}'::jsonb ? 'a', $1`);
  expect(() => textOf(`select '{"a": 1}'::jsonb ? 'a'`)).toThrow('a_statement has a ? that is no parameter');
});

describe('a constant is written out:', () => {
  test.each([
    ['a string', 'active', `'active'`],
    ['a quote', "it's", `'it''s'`],
    ['a backslash', 'a\\b', String.raw` E'a\\b'`],
    ['what looks like a parameter', ':id ? $1', `':id ? $1'`],
    ['a number', 1.5, '1.5'],
    ['a bigint', 9_007_199_254_740_993n, '9007199254740993'],
    ['true', true, 'true'],
    ['null', null, 'null'],
  ])('%s', (_what, constant, written) => {
    const find = unscopedStatement<unknown, { id: string }>('a_statement', ({ id }) =>
      knex.raw('select ?, ?', [constant as string, id]),
    );
    expect(find({ id: 'm' })).toEqual({ name: 'a_statement', text: `select ${written}, $1`, values: ['m'] });
  });

  test.each([
    ['an instant', new Date(0)],
    ['bytes', Buffer.from('a')],
    ['a list', ['a']],
  ])('not %s', (_what, constant) => {
    const declare = () => unscopedStatement('a_statement', () => knex.raw('select ?', [constant as Knex.Value]));
    expect(declare).toThrow('the statement a_statement has a constant that cannot be written');
  });
});

describe('a colon that is no parameter stays:', () => {
  test.each([
    ['a cast', 'select :id::uuid, now()::date, (:id)::text[]', 'select $1::uuid, now()::date, ($1)::text[]'],
    ['a literal', "select ':id', 'it''s :id', :id", "select ':id', 'it''s :id', $1"],
    ['a literal with escapes', String.raw`select E'it\'s :id', e'\\', :id`, String.raw`select E'it\'s :id', e'\\', $1`],
    ['a name that ends in e before a literal', "select type'\\', :id", "select type'\\', $1"],
    ['a literal between dollars', 'select $$:id$$, $t$ :id $$ $t$, :id', 'select $$:id$$, $t$ :id $$ $t$, $1'],
    ['a quoted identifier', 'select 1 as ":id", :id', 'select 1 as ":id", $1'],
    ['a comment to the end of the line', "select -- isn't :id\n :id", "select -- isn't :id\n $1"],
    ['a comment between marks', "select /* isn't\n :id */ :id", "select /* isn't\n :id */ $1"],
    ['a slice with spaces', 'select (a)[1 : 2], :id', 'select (a)[1 : 2], $1'],
    ['a time in a literal', "select :id at time zone '+02:00'", "select $1 at time zone '+02:00'"],
  ])('%s', (_what, text, sent) => {
    expect(numberParameters('a_statement', text, new Set(['id']))).toEqual({ text: sent, names: ['id'] });
    expect(textOf(text, 'id')).toBe(sent);
  });
});

describe('refused when it is declared:', () => {
  test.each([
    ['a name without a place', ['id'], 'select :id, :email', 'the statement a_statement has no parameter for :email'],
    ['a name in other letters', ['id'], 'select :ID, :id', 'the statement a_statement has no parameter for :ID'],
    [
      'the scope, where there is none',
      ['id'],
      'select :id, :tenantId',
      'the statement a_statement has no parameter for :tenantId',
    ],
    ['a number', ['id'], 'select :id, $2', 'the statement a_statement has a number for a parameter: $2'],
    ['the number 0', ['id'], 'select :id, $0', 'the statement a_statement has a number for a parameter: $0'],
    ['places that do not arrive', ['id', 'email', 'at'], 'select :id', 'the statement a_statement does not use email, at'],
    ['a name that only a comment uses', ['id', 'email'], 'select :id -- :email', 'the statement a_statement does not use email'],
  ])('%s', (_what, names, text, message) => {
    expect(() => textOf(text, ...names)).toThrow(message);
  });

  test('a name that only inherits', () => {
    expect(() => numberParameters('a_statement', 'select :id, :constructor', new Set(['id']))).toThrow(
      'the statement a_statement has no parameter for :constructor',
    );
  });

  test('a table of tenants, where there is no scope', () => {
    expect(() => unscopedStatement('a_statement', () => lead().select('id'))).toThrow('no parameter for :tenantId');
  });
});

describe('a list', () => {
  interface Filters {
    email: string | undefined;
    name: string | undefined;
    count: number;
  }

  test('is built for the filters that are given', () => {
    const list = listStatement<{ id: string }, Filters>('leads_list', ({ email, name, count }) => {
      const query = lead('l').orderBy('l.id').limit(count).select('l.id');
      if (email) query.where('l.email', email);
      if (name) query.where('l.name', name);
      return query;
    });
    expect(list(scope, { email: undefined, name: undefined, count: 5 })).toEqual({
      text: 'select "l"."id" from "lead" as "l" where l.tenant_id = $1 and l.environment = $2 order by "l"."id" asc limit $3',
      values: ['t', 'LIVE', 5],
    });
    expect(list(scope, { email: undefined, name: 'Kim', count: 5 })).toEqual({
      text:
        'select "l"."id" from "lead" as "l" where l.tenant_id = $1 and l.environment = $2 and "l"."name" = $3 ' +
        'order by "l"."id" asc limit $4',
      values: ['t', 'LIVE', 'Kim', 5],
    });
    // What is empty is given; so is null.
    expect(list(scope, { email: '', name: undefined, count: 0 }).values).toEqual(['t', 'LIVE', '', 0]);
  });

  test('is built once for each combination', () => {
    const build = vi.fn(({ email }: { email: unknown }) => raw(email ? 'select 1' : 'select 2'));
    const list = listStatement<unknown, { email: string | undefined; count: number }>('a_list', ({ email }) => build({ email }));
    for (const email of ['a', undefined, 'b', undefined]) list(scope, { email: email && undefined, count: 1 });
    expect(build).toHaveBeenCalledTimes(1);
  });

  test('keeps one text for a combination, of 256 of them', () => {
    let built = 0;
    const names = Array.from({ length: 9 }, (_, n) => `p${n}`);
    const list = listStatement<unknown, Record<string, unknown>>('a_list', (places) => {
      built += 1;
      const given = names.filter((name) => places[name] !== undefined);
      return raw(`select ${['1', ...given.map((name) => `:${name}`)].join(', ')}`, places as Places<Record<string, unknown>>);
    });
    const call = (combination: number) =>
      list(scope, Object.fromEntries(names.map((name, bit) => [name, combination & (1 << bit) ? bit : undefined])));
    for (let combination = 0; combination < 256; combination += 1) call(combination);
    expect(built).toBe(256);
    expect(call(5)).toEqual({ text: 'select 1, $1, $2', values: [0, 2] });
    for (let combination = 255; combination >= 0; combination -= 1) call(combination);
    expect(built).toBe(256);
    call(256);
    call(255);
    expect(built).toBe(257);
    call(0); // the oldest gave way
    expect(built).toBe(258);
  });
});
