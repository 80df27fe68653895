/** A table is written only by the feature that lists it; what others write of it, they write in its words. */
import { describe, expect, test, vi } from 'vitest';
import { house } from '../../../src/features.ts';
import { plant, readSources } from './source-files.ts';
import { type Declared, literalFaults, statementFaults, tablesWritten, tablesWrittenInPart } from './written-tables.ts';

const declared = vi.hoisted(() => [] as Declared[]);

vi.mock('../../../src/db/statement.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../src/db/statement.ts')>();
  const { declaringFile } = await import('./declaring-file.ts');
  const prepared: typeof original.prepared = (name, text) => {
    declared.push({ name, text, file: declaringFile() });
    return original.prepared(name, text);
  };
  const replanned: typeof original.replanned = (text) => {
    declared.push({ name: 'a replanned statement', text, file: declaringFile() });
    return original.replanned(text);
  };
  return { ...original, prepared, replanned };
});

const sources = readSources();
/** They run when they are loaded, and declare nothing. */
const PROCESSES = new Set(['src/main.ts', 'src/worker.ts', 'src/cli.ts']);
/** They run in a browser. */
const BROWSER = /^src\/(?:pages|docs|features\/widget)\/browser\//;
for (const { name } of sources) {
  if (!PROCESSES.has(name) && !BROWSER.test(name)) await import(/* @vite-ignore */ `../../../${name}`);
}

const WHAT_TO_DO =
  'Ask the feature that lists the table through its service. Where one statement must write tables of several features, each owner exports its text as a fragment from its open/ folder.';

test('a literal that writes a table stands in a file of the feature that lists it', () => {
  expect(literalFaults(sources, house.features, declared), WHAT_TO_DO).toEqual([]);
});

test('a statement writes tables of other features only in the words of their open/ folders', () => {
  expect(declared.length).toBeGreaterThan(300);
  expect(statementFaults(sources, house.features, declared), WHAT_TO_DO).toEqual([]);
});

test('a feature declares as sealed only columns of its own tables', () => {
  const foreign = house.features.flatMap(({ name, sealed = [], tables = [] }) =>
    sealed.filter(({ table }) => !tables.includes(table)).map(({ table }) => `${name} has sealed ${table}`),
  );
  expect(foreign, 'They are sealed anew by what their owner declares: declare them where the table is listed.').toEqual([]);
});

test('the reading by tokens finds what the parser finds, in every statement there is', () => {
  const written = declared.flatMap(({ text }) => tablesWritten(text));
  expect(written.length).toBeGreaterThan(100);
  for (const { name, text } of declared)
    expect(tablesWrittenInPart(text).toSorted(), name).toEqual(tablesWritten(text).toSorted());
});

test('each statement is known with the file that declares it', () => {
  const fileOf = (name: string): string | undefined => declared.find((one) => one.name === name)?.file;
  expect(fileOf('leads_capture')).toBe('src/features/leads/capture-queries.ts');
  expect(fileOf('due_scopes')).toBe('src/db/cross-tenant-lookups.ts');
  expect(fileOf('export_customers')).toBe('src/features/events/personal-queries.ts');
});

describe('the tables that are written', () => {
  test.each([
    ['insert into lead (id) values ($1) on conflict (id) do update set id = excluded.id', ['lead']],
    [
      'with a as (update only public.lead as l set name = $1 returning id), b as (delete from "member") select from a',
      ['lead', 'member'],
    ],
    ['select (select 1 from lead) from member for update', []],
    ['select from lead l for no key update of l skip locked', []],
    ['merge into lead using member m on m.id = lead.id when matched then update set name = m.name', ['lead']],
    ['truncate table lead, member', ['lead', 'member']],
    ['copy lead (id, name) from stdin', ['lead']],
    ['copy lead to stdout', []],
    ['insert into pgboss.job (id) values (1)', ['pgboss.job']],
    ["select 'delete from lead' -- update lead set", []],
    ['/* insert into lead */ update member m set name = $1 from lead where lead.id = m.id', ['member']],
  ])('of "%s"', (text, tables) => {
    expect(tablesWritten(text).toSorted()).toEqual(tables);
    expect(tablesWrittenInPart(text).toSorted()).toEqual(tables);
  });

  test.each([
    ['a as (update lead set name = $1 returning id), b as', ['lead']],
    ["Don't delete from lead", ['lead']],
    ['Who may update a member, and who set it', []],
    ['An update that sets a lead', []],
  ])('of the part "%s"', (part, tables) => {
    expect(tablesWrittenInPart(part)).toEqual(tables);
  });
});

const features = [
  { name: 'leads', tables: ['lead'] },
  { name: 'users', tables: ['member', 'referral_code'] },
  { name: 'platform', tables: ['idempotency_key'] },
];

describe('a literal', () => {
  const faults = (file: string, text: string, statements: Declared[] = []): string[] =>
    literalFaults(plant({ [file]: text }), features, statements);
  const queries = 'src/features/leads/leads-queries.ts';

  test.each([
    ['const a = `with gone as (update member set name = $3 where id = $1) insert into lead (id) values ($2)`;', 'member'],
    ["const a = 'insert into ' + 'member (id) values (1)';", 'member'],
    [`const table = 'member'; const a = \`delete from \${table} where id = $1\`;`, 'member'],
    [`const part = 'update member set name = $1'; const a = \`with x as (\${part}) select\`;`, 'member'],
    [`export const part = () => sql\`delete from referral_code where id = \${id}\`;`, 'referral_code'],
    ["knex('member as m').where({ id }).update({ name });", 'member through a builder'],
  ])('may not say %s in leads', (text, table) => {
    const [first = ''] = faults(queries, text);
    expect(first).toContain('src/features/leads/leads-queries.ts');
    expect(first).toContain(`writes ${table.split(' ')[0]} of users${table.slice(table.split(' ')[0]?.length)}`);
  });

  test.each([
    ['src/features/leads/leads-queries.ts', "const a = 'update lead set name = $1';"],
    ['src/features/leads/open/lead-sql.ts', "export const a = 'insert into lead (id) values (:id)';"],
    ['src/features/leads/leads-queries.ts', "const a = 'select from lead join member on true for update';"],
    ['src/http/idempotency-queries.ts', "const a = 'delete from idempotency_key';"],
    ['src/features/leads/leads-queries.ts', "createHash('sha256').update('member');"],
  ])('in %s may say %s', (file, text) => {
    expect(faults(file, text)).toEqual([]);
  });

  test('of the platform writes no table of a feature', () => {
    expect(faults('src/jobs/job-queries.ts', "const a = 'delete from lead';")).toEqual([
      'src/jobs/job-queries.ts:1 writes lead of leads',
    ]);
  });

  test('of what is made of the descriptions names no table of a feature', () => {
    const composer = 'src/db/composed-functions.ts';
    expect(faults(composer, `const erased = (table: string) => \`delete from \${table}\`;`)).toEqual([]);
    expect(faults(composer, "const erased = 'delete from lead';")).toHaveLength(1);
  });

  test('that does not name the table is known by a declared statement, or refused', () => {
    const text = `const remove = (table: string) => \`delete from \${table} where id = $1\`;`;
    expect(faults(queries, text)).toEqual([
      'src/features/leads/leads-queries.ts:1 writes a table that neither its text names nor a statement that is declared when the module loads',
    ]);
    expect(faults(queries, text, [{ name: 'remove', text: 'delete from lead where id = $1', file: queries }])).toEqual([]);
  });
});

describe('a statement', () => {
  const open = {
    'src/features/users/open/member-sql.ts': `
      export const renamed = 'update member set name = :name where tenant_id = :tenantId and environment = :environment';
      export const coded = (code: string) => \`insert into referral_code (tenant_id, environment, code)
        values (:tenantId, :environment, \${code})\`;
      export const removed = (table: string) => \`delete from \${table}\`;`,
  };
  const faults = (text: string, file = 'src/features/leads/leads-queries.ts'): string[] =>
    statementFaults(plant(open), features, [{ name: 'leads_x', text, file }]);
  const renamed = 'update member set name = $3 where tenant_id = $1 and environment = $2';
  const coded = "insert into referral_code (tenant_id, environment, code) values ($1, $2, 'x')";

  test("may hold fragments of the owner's, and writes of its own", () => {
    expect(faults(`with a as (${renamed}), b as (${coded}) insert into lead (id) values ($4)`)).toEqual([]);
  });

  test('may not write in words of its own, neither alone nor beside a fragment', () => {
    expect(faults('with gone as (update member set name = $1) insert into lead (id) values ($2)')).toEqual([
      'leads_x (src/features/leads/leads-queries.ts) writes member of users',
    ]);
    expect(faults(`with a as (${renamed}), b as (update member set tier = 'x') select`)).toHaveLength(1);
    expect(faults(`with a as (${renamed}), b as (delete from referral_code) select`)).toEqual([
      'leads_x (src/features/leads/leads-queries.ts) writes referral_code of users',
    ]);
  });

  test('may not write what nobody lists', () => {
    expect(faults('insert into gadget (id) values ($1)')).toEqual([
      'leads_x (src/features/leads/leads-queries.ts) writes gadget, which no feature lists',
    ]);
  });

  test('of the platform may not either', () => {
    expect(faults(coded.replace("'x'", 'lower($3)').replace('insert into', 'insert into '), 'src/jobs/job-queries.ts')).toEqual(
      [],
    );
    expect(faults('delete from referral_code', 'src/jobs/job-queries.ts')).toHaveLength(1);
  });
});
