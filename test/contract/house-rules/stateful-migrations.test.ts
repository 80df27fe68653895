/** Migrations hold only what has state: what is made of the features' parts is installed behind them. */
import { describe, expect, test } from 'vitest';
import { composeDueScopes, composeEraseSandbox } from '../../../src/db/composed-functions.ts';
import { listMigrations, migrationSource } from '../../../src/db/migrate.ts';
import { house } from '../../../src/features.ts';
import { type House, statelessParts, textsOf } from './stateful-migrations.ts';

/** The last migration of the time when each one copied the functions, and the one whose `down` gives them back their last text. */
const LAST_COPY = '20261127120000';
const HANDED_OVER = '20261127160000';

const owners = new Map(house.features.flatMap(({ name, tables = [] }) => tables.map((table) => [table, name])));
const texts = [composeDueScopes(house.features), composeEraseSandbox(house.features)];
const composed = texts.map((text) => /function (\w+)\(/.exec(text)?.[1] ?? '');
const parts: House = { composed, owners };

test('a newer migration writes nothing that is made of the parts of features', async () => {
  expect(composed).toEqual(['due_scopes', 'erase_sandbox']);
  const faults: string[] = [];
  const newer = listMigrations().filter((name) => name > `${LAST_COPY}~`);
  expect(newer.length).toBeGreaterThan(2);
  for (const name of newer) {
    const { up, down } = await migrationSource.getMigration(name);
    const told = (direction: string, faults: string[]): string[] => faults.map((fault) => `${name} ${direction}: ${fault}`);
    faults.push(...told('up', statelessParts(await textsOf(up), parts)));
    if (!name.startsWith(HANDED_OVER)) faults.push(...told('down', statelessParts(await textsOf(down ?? up), parts)));
  }
  expect(
    faults,
    "Say it in the feature's description (tables, kept, beforeErasure, due), or compose it in src/db/composed-functions.ts: `migrate` installs it.",
  ).toEqual([]);
});

test('the migrations of before are full of it', async () => {
  const old = await migrationSource.getMigration('20261127100000_forget_vendor_events');
  expect(statelessParts(await textsOf(old.up), parts)).toEqual(['creates due_scopes()']);
});

describe('a migration may not hold', () => {
  test.each([
    ['create or replace function due_scopes() returns void language sql as $$ select $$', 'creates due_scopes()'],
    ['CREATE FUNCTION public."erase_sandbox"() returns void language sql as $$ select $$', 'creates erase_sandbox()'],
    ['alter table lead add column a int; drop function if exists due_scopes()', 'changes due_scopes()'],
    ['alter function due_scopes() owner to svc_auth', 'changes due_scopes()'],
    ['alter function due_scopes() set jit = off', 'changes due_scopes()'],
    ['alter function due_scopes() rename to old_due_scopes', 'changes due_scopes()'],
    ["do $$ begin execute 'create or replace function due_scopes() returns void'; end $$", 'changes due_scopes()'],
    [
      'create function forget() returns void language plpgsql as $$ begin delete from lead; delete from member; end $$',
      'creates the function forget() of the tables lead, member, which are of several features',
    ],
    [
      'create view pairs as select l.id from lead l join member m on true',
      'creates a view of the tables lead, member, which are of several features',
    ],
  ])('%s', (text, fault) => {
    expect(statelessParts([text], parts)).toContain(fault);
  });

  test.each([
    ['create table gadget (id uuid); create index on lead (id); insert into lead select from member'],
    [
      'create function note() returns trigger language plpgsql as $$ begin insert into lead (id) values (new.id); return new; end $$',
    ],
    ['drop function note(); drop table lead'],
    ["do $$ begin perform 'lead'; end $$"],
    ['create function f(lead text) returns text language sql as $$ select lead from member $$'],
  ])('but may hold %s', (text) => {
    expect(statelessParts([text], parts)).toEqual([]);
  });
});
