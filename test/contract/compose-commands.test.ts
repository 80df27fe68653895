/** Every operators' command, in the service of docker-compose.yml that docs/deployment.md names for it. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program } from '../../src/cli.ts';
import { type ComposeStage, commandsOf, openComposeStage } from '../support/compose/compose-commands.ts';
import { readCompose, type Service } from '../support/compose/compose-file.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';

const { services } = readCompose();
const page = readFileSync(new URL('../../docs/deployment.md', import.meta.url), 'utf8');
const section = /^## Commands$(.*?)^## /ms.exec(page)?.[1] ?? '';
/** By command, as the page's table says. */
const serviceOf = new Map(
  [...section.matchAll(/^\| `([a-z -]+)` \| `([a-z]+)` \|/gm)].map(([, words = '', name = '']) => [words, name]),
);
const commands = commandsOf(program);

interface World {
  tenantId: string;
  keyId: string;
}

/** What the command is given, and what it says when it has done its work, or refuses it for a reason of its own. */
interface Run {
  words?(world: World): string[];
  says: RegExp;
  code?: number;
}

const nobody = randomUUID();
const RUNS: Record<string, Run> = {
  'tenant create': { words: () => ['--name', 'Another'], says: /^Tenant [0-9a-f-]{36}/ },
  'tenant list': { says: /One of Compose/ },
  'tenant disable': { words: () => [nobody], says: /[Nn]o such|there is no/, code: 1 },
  'tenant enable': { words: () => [nobody], says: /[Nn]o such|there is no/, code: 1 },
  'tenant slug': { words: ({ tenantId }) => [tenantId, '--to', 'of-compose'], says: /of-compose/ },
  'key create': { words: ({ tenantId }) => ['--tenant', tenantId, '--environment', 'sandbox'], says: /svc_sandbox_/ },
  'key list': { words: ({ tenantId }) => ['--tenant', tenantId], says: /LIVE/ },
  'key revoke': { words: () => [nobody], says: /[Nn]o such|there is no/, code: 1 },
  'key disable': { words: ({ keyId }) => [keyId], says: /disabled/ },
  'key enable': { words: () => [nobody], says: /[Nn]o such|there is no/, code: 1 },
  'pending-changes list': { words: ({ tenantId }) => ['--tenant', tenantId], says: /none/ },
  'pending-changes confirm': { words: ({ tenantId }) => [nobody, '--tenant', tenantId], says: /[Nn]o such/, code: 1 },
  'pending-changes reject': { words: ({ tenantId }) => [nobody, '--tenant', tenantId], says: /[Nn]o such/, code: 1 },
  'staff invite': { words: ({ tenantId }) => ['--tenant', tenantId, '--role', 'owner'], says: /\/dashboard\/welcome\// },
  'staff list': { words: ({ tenantId }) => ['--tenant', tenantId], says: /none|email/ },
  'staff disable': { words: ({ tenantId }) => ['no@example.com', '--tenant', tenantId], says: /[Nn]obody|[Nn]o such/, code: 1 },
  'staff reset-password-link': {
    words: ({ tenantId }) => ['no@example.com', '--tenant', tenantId],
    says: /[Nn]obody|[Nn]o such/,
    code: 1,
  },
  'staff end-sessions': {
    words: ({ tenantId }) => ['no@example.com', '--tenant', tenantId],
    says: /[Nn]obody|[Nn]o such/,
    code: 1,
  },
  migrate: { words: () => ['--create-roles'], says: /up to date/ },
  'seed demo': { says: /SANDBOX key svc_sandbox_/ },
  doctor: { says: /^ok {5}I-1 / },
  'tree rebuild': { says: /SANDBOX: \d+ .* in \d+ ms/ },
  'rollups rebuild': { says: /SANDBOX: \d+ .* in \d+ ms/ },
  'sales-sums rebuild': { says: /SANDBOX: \d+ .* in \d+ ms/ },
  'keys reencrypt': { says: /k1|sealed|none/ },
  'keys rotate-signing': { says: /Access tokens are signed with/ },
  'jobs list': { says: /Dead letters/ },
  'jobs retry': { words: () => [nobody], says: /There is no dead letter/, code: 1 },
  'ledger verify': { says: /ok|verif|none/ },
  // The database is the tests' own: nobody pays on it.
  'payouts freeze': { says: /[Ff]rozen/ },
  'payouts reconcile': { says: /./ },
  'erasures replay': { words: () => ['--record', '/dev/null'], says: /./ },
  listen: {
    words: () => ['--key', 'svc_sandbox_none', '--forward', 'http://127.0.0.1:9/hooks', '--url', 'http://127.0.0.1:9'],
    says: /no answer from http:\/\/127\.0\.0\.1:9/,
    code: 1,
  },
  'config example': { says: /# Settings of the service/ },
};

let database: TestDatabase;
let stage: ComposeStage;
let world: World;

beforeAll(async () => {
  database = await createTestDatabase();
  stage = openComposeStage(database);
  const { tenantId } = await answer(['tenant', 'create', '--name', 'One of Compose', '--json']);
  const { keyId } = await answer(['key', 'create', '--tenant', tenantId ?? '', '--environment', 'live', '--json']);
  world = { tenantId: tenantId ?? '', keyId: keyId ?? '' };
});
afterAll(() => database.drop());

async function answer(words: string[]): Promise<Partial<World>> {
  const { code, stdout, stderr } = await stage.run(services['ops'] ?? {}, words);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Partial<World>;
}

test('the page names a service of the file for every command, and no other commands', () => {
  expect([...serviceOf.keys()].toSorted()).toEqual(commands.toSorted());
  for (const name of serviceOf.values()) expect(Object.keys(services)).toContain(name);
});

test('every command is run below', () => {
  expect(Object.keys(RUNS).toSorted()).toEqual(commands.toSorted());
});

/** Two at a time: each keeps a processor busy. */
const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
let taken = 0;
function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const lane = taken++ % lanes.length;
  const turn = (lanes[lane] ?? Promise.resolve()).then(run);
  lanes[lane] = turn.catch(() => undefined);
  return turn;
}

/** Behind all others: the doctor would tell of it. */
const LAST = 'payouts freeze';

async function runOf(command: string): Promise<void> {
  const { words = () => [], says, code = 0 } = RUNS[command] ?? { says: /a row above/ };
  const service = services[serviceOf.get(command) ?? ''] as Service;
  const run = await inTurn(() => stage.run(service, [...command.split(' '), ...words(world)]));
  const said = `${run.stdout}${run.stderr}`;
  expect(said).not.toMatch(/configuration:|refused the login|permission denied|cannot reach/);
  expect([run.code, said]).toEqual([code, expect.stringMatching(says)]);
}

test.concurrent.each(commands.filter((command) => command !== LAST))('%s', runOf, 240_000);
test(LAST, () => runOf(LAST), 240_000);
