/** The tenant and the environment in whatever Knex builds of a tenant's table. Source: docs/specification/tenancy.md#walls. */
import type { Knex } from 'knex';
import { describe, expect, test } from 'vitest';
import { type Places, raw, statement } from '../../src/db/query.ts';
import { ownTenant, tenantTable } from '../../src/db/tenant-table.ts';

interface Given {
  id: string;
  name: string;
  count: number;
}

const lead = tenantTable('lead');
const OF_LEAD = 'lead.tenant_id = $1 and lead.environment = $2';
const OF_L = 'l.tenant_id = $1 and l.environment = $2';
const SAME = '"m"."tenant_id" = "l"."tenant_id" and "m"."environment" = "l"."environment" and "m"."id" = "l"."member_id"';

const textOf = (build: (places: Places<Given>) => Knex.QueryBuilder): string =>
  statement<unknown, Given>('a_statement', build)({ tenantId: 't', environment: 'LIVE' }, { id: 'l', name: 'Kim', count: 2 })
    .text;

describe('the tenant and the environment are in', () => {
  test.each<[what: string, build: (places: Places<Given>) => Knex.QueryBuilder, text: string]>([
    ['a select without a condition', () => lead().select('id'), `select "id" from "lead" where ${OF_LEAD}`],
    [
      'a select under an alias',
      ({ id }) => lead('l').where('l.id', id).select('l.*'),
      `select "l".* from "lead" as "l" where ${OF_L} and "l"."id" = $3`,
    ],
    [
      'a select with a group of conditions',
      ({ id, name }) =>
        lead()
          .where((either) => void either.where({ id }).orWhere('name', name))
          .select('id'),
      `select "id" from "lead" where ${OF_LEAD} and ("id" = $3 or "name" = $4)`,
    ],
    [
      'a select with a lock',
      ({ id }) => lead().where({ id }).select('id').forUpdate(),
      `select "id" from "lead" where ${OF_LEAD} and "id" = $3 for update`,
    ],
    [
      'an insert',
      ({ id, name }) => lead().insert({ id, name }),
      'insert into "lead" ("environment", "id", "name", "tenant_id") values ($2, $3, $4, $1)',
    ],
    [
      'an insert that names another tenant',
      ({ id }) => lead().insert({ tenant_id: 'other', id }),
      'insert into "lead" ("environment", "id", "tenant_id") values ($2, $3, $1)',
    ],
    [
      'an insert of many',
      ({ id, name }) => lead().insert([{ id }, { id: name }]),
      'insert into "lead" ("environment", "id", "tenant_id") values ($2, $3, $1), ($2, $4, $1)',
    ],
    [
      'an insert that leaves what is there',
      ({ id }) => lead().insert({ id }).onConflict('id').ignore(),
      'insert into "lead" ("environment", "id", "tenant_id") values ($2, $3, $1) ' +
        'on conflict ("tenant_id", "environment", "id") do nothing',
    ],
    [
      'an insert that leaves what is there, for whatever reason',
      ({ id }) => lead().insert({ id }).onConflict().ignore(),
      'insert into "lead" ("environment", "id", "tenant_id") values ($2, $3, $1) on conflict do nothing',
    ],
    [
      'an insert that takes the place of what is there',
      ({ id, name }) => lead().insert({ id, name }).onConflict(['id']).merge(['name']).returning('id'),
      'insert into "lead" ("environment", "id", "name", "tenant_id") values ($2, $3, $4, $1) ' +
        'on conflict ("tenant_id", "environment", "id") do update set "name" = excluded."name" returning "id"',
    ],
    [
      'an insert that takes the place of what is there, of one row for each scope',
      ({ name }) => lead().insert({ name }).onConflict([]).merge(['name']),
      'insert into "lead" ("environment", "name", "tenant_id") values ($2, $3, $1) ' +
        'on conflict ("tenant_id", "environment") do update set "name" = excluded."name"',
    ],
    [
      'an insert that takes the place of some',
      ({ id, name }) => lead().insert({ id, name }).onConflict('id').merge(['name']).whereNull('lead.phone'),
      'insert into "lead" ("environment", "id", "name", "tenant_id") values ($2, $3, $4, $1) ' +
        'on conflict ("tenant_id", "environment", "id") do update set "name" = excluded."name" where "lead"."phone" is null',
    ],
    [
      'a join',
      ({ id }) => lead('l').join('member as m', 'm.id', 'l.member_id').where('l.id', id).select('m.name'),
      `select "m"."name" from "lead" as "l" inner join "member" as "m" on ${SAME} where ${OF_L} and "l"."id" = $3`,
    ],
    [
      'a join without aliases',
      () => lead().join('member', 'member.id', '=', 'lead.referrer_user_id').select('member.name'),
      'select "member"."name" from "lead" inner join "member" on "member"."tenant_id" = "lead"."tenant_id" ' +
        `and "member"."environment" = "lead"."environment" and "member"."id" = "lead"."referrer_user_id" where ${OF_LEAD}`,
    ],
    [
      'a left join with conditions of its own',
      ({ name }) =>
        lead('l')
          .leftJoin('member as m', (on) => on.on('m.id', 'l.member_id').orOnVal('m.name', name))
          .select('l.id'),
      'select "l"."id" from "lead" as "l" left join "member" as "m" on "m"."tenant_id" = "l"."tenant_id" ' +
        `and "m"."environment" = "l"."environment" and ("m"."id" = "l"."member_id" or "m"."name" = $3) where ${OF_L}`,
    ],
    [
      'a join beside one of the tenant itself, which has no such keys',
      () => lead('l').joinRaw('join tenant t on t.id = l.tenant_id').join('member as m', 'm.id', 'l.member_id').select('t.name'),
      `select "t"."name" from "lead" as "l" join tenant t on t.id = l.tenant_id inner join "member" as "m" on ${SAME} where ${OF_L}`,
    ],
    ['a look at the tenant itself', () => ownTenant().select('name'), 'select "name" from "tenant" where tenant.id = $1'],
    [
      'an update',
      ({ id, name }) =>
        lead('l')
          .where('l.id', id)
          .update({ name, updated_at: raw('now()') })
          .returning(['l.id', 'l.name as called']),
      `update "lead" as "l" set "name" = $3, "updated_at" = now() where ${OF_L} and "l"."id" = $4 ` +
        'returning "l"."id", "l"."name" as "called"',
    ],
    [
      'a delete',
      ({ id }) => lead().where({ id }).delete().returning('id'),
      `delete from "lead" where ${OF_LEAD} and "id" = $3 returning "id"`,
    ],
    [
      'a table of a subquery',
      () =>
        lead('l')
          .whereExists(tenantTable('member')('m').select(raw('1')).whereRaw('m.id = l.converted_member_id'))
          .select('l.id'),
      `select "l"."id" from "lead" as "l" where ${OF_L} and exists ` +
        '(select 1 from "member" as "m" where m.tenant_id = $1 and m.environment = $2 and m.id = l.converted_member_id)',
    ],
  ])('%s', (_what, build, text) => {
    expect(textOf(build)).toBe(text);
  });
});

describe('a place is taken by', () => {
  test('limit and offset', () => {
    expect(textOf(({ count, id }) => lead().orderBy('id').limit(count).offset(id).select('id'))).toBe(
      `select "id" from "lead" where ${OF_LEAD} order by "id" asc limit $3 offset $4`,
    );
    expect(textOf(() => lead().limit(5).select('id'))).toBe(`select "id" from "lead" where ${OF_LEAD} limit 5`);
  });

  test('whereIn, as one parameter for the whole list', () => {
    expect(textOf(({ id }) => lead('l').whereIn('l.id', id).select('l.id'))).toBe(
      `select "l"."id" from "lead" as "l" where ${OF_L} and "l"."id" = any ($3)`,
    );
    expect(textOf(({ id, name }) => lead().whereIn('id', [id, name]).select('id'))).toBe(
      `select "id" from "lead" where ${OF_LEAD} and "id" in ($3, $4)`,
    );
  });
});

describe('refused: what could leave the tenant out', () => {
  const anything = lead as unknown as () => Record<string, (...args: unknown[]) => unknown>;

  const refused =
    'orWhere orWhereNot orWhereRaw orWhereIn orWhereNotIn orWhereNull orWhereNotNull orWhereExists orWhereNotExists ' +
    'orWhereBetween orWhereColumn orWhereLike orWhereILike orWhereJsonPath ' +
    'crossJoin clear clearWhere clone from into table using updateFrom del truncate upsert union unionAll intersect except';

  test.each(refused.split(' '))('%s', (method) => {
    expect(() => anything()[method]?.('id', 'l')).toThrow(`lead: ${method} could leave the tenant out`);
  });

  test('or, in two words', () => {
    expect(() => lead().where({ name: 'Kim' }).or.where({ name: 'Lee' })).toThrow('lead: or could leave the tenant out');
  });

  test('what changes rows, behind an insert, whose condition is gone', () => {
    for (const method of ['update', 'delete']) {
      const inserted = lead().insert({ id: 'l' }) as unknown as Record<string, () => unknown>;
      expect(() => inserted[method]?.()).toThrow(`lead: ${method} could leave the tenant out`);
    }
  });

  test('an update that moves rows to another tenant', () => {
    expect(() => lead().update({ tenant_id: 'other' })).toThrow('lead: a row stays with its tenant_id');
    expect(() => lead().update('environment', 'LIVE')).toThrow('lead: a row stays with its environment');
  });

  test('a join of what has no name', () => {
    expect(() => anything()['join']?.(lead('m'), 'm.id', 'lead.id')).toThrow('a join names its table');
  });
});
