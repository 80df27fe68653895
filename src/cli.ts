/** Operators' commands: `npm run -s cli -- --help`. With --json a command prints exactly one JSON value. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { ensureDemo, seedDemo } from '../seeds/demo.ts';
import { bootErrorLines } from './boot-errors.ts';
import { type CliSession, withSession } from './cli-session.ts';
import type { Scope, WriteDb } from './db/frame.ts';
import { migrateToLatest } from './db/migrate.ts';
import { ensureLoginRoles, loginOf, withRoleAdmin } from './db/roles.ts';
import { examine } from './doctor/doctor.ts';
import { createCipher } from './encryption.ts';
import { renderEnvExample } from './env-example.ts';
import { countSealed, type KeyCount, reencryptScope, reencryptSigningKeys } from './features/data-keys/reencrypt.ts';
import { rebuildDownline } from './features/genealogy/fold-downline.ts';
import { rebuildCommissions } from './features/members/fold-commissions.ts';
import { listApiKeys, listTenants } from './features/tenants/operator-queries.ts';
import { countJobs, listDeadLetters } from './jobs/operator-queries.ts';

interface Output {
  json: unknown;
  text: string;
  /** False ends the process with exit code 1. */
  ok?: boolean;
}

const program = new Command('cli')
  .description("Operators' commands of the Member Commission and Referral Service")
  .showHelpAfterError();

/** Adds --json, opens the session, prints the output. */
function command<Options>(
  parent: Command,
  nameAndArguments: string,
  description: string,
  run: (session: CliSession, options: Options, argument: string) => Promise<Output>,
  { needSecrets = false } = {},
): Command {
  return parent
    .command(nameAndArguments)
    .description(description)
    .option('--json', 'print one JSON value')
    .action(async (...parameters: unknown[]) => {
      const self = parameters.at(-1) as Command;
      const output = await withSession({ needSecrets }, (session) => run(session, self.opts() as Options, self.args[0] ?? ''));
      process.stdout.write(self.opts()['json'] ? `${JSON.stringify(output.json)}\n` : `${output.text}\n`);
      if (output.ok === false) process.exitCode = 1;
    });
}

const tenant = program.command('tenant').description('tenants');

command<{ name: string; currency: string; timeZone: string }>(
  tenant,
  'create',
  'create a tenant',
  async (session, { name, currency, timeZone }) => {
    const { tenants } = await session.composition();
    const tenantId = await tenants.createTenant({ name, defaultCurrency: currency, reportingTimeZone: timeZone });
    return {
      json: { tenantId },
      text: `Tenant ${tenantId}\nNext: npm run -s cli -- key create --tenant ${tenantId} --environment sandbox`,
    };
  },
  { needSecrets: true },
)
  .requiredOption('--name <name>', 'name of the tenant')
  .option('--currency <code>', 'default currency, ISO 4217', 'USD')
  .option('--time-zone <zone>', 'reporting time zone, IANA', 'UTC');

command(tenant, 'list', 'list all tenants', async (session) => {
  const rows = await session.admin().unscoped(listTenants());
  return { json: rows, text: table(rows) };
});

const key = program.command('key').description('API keys');

interface KeyOptions {
  tenant: string;
  environment: 'live' | 'sandbox';
  name?: string;
  scopes?: string;
  rateLimit?: number;
  expiresAt?: string;
}

command<KeyOptions>(
  key,
  'create',
  'create an API key; it is shown once',
  async (session, options) => {
    const { tenants } = await session.composition();
    const created = await tenants.createKey({
      tenantId: options.tenant,
      environment: options.environment === 'live' ? 'LIVE' : 'SANDBOX',
      name: options.name,
      scopes: options.scopes?.split(','),
      rateLimit: options.rateLimit,
      expiresAt: options.expiresAt,
    });
    return { json: created, text: `Key ${created.keyId}\n${created.apiKey}\nKeep it: it is not shown again.` };
  },
  { needSecrets: true },
)
  .requiredOption('--tenant <id>', 'tenant id')
  .addOption(
    new Option('--environment <environment>', 'which data the key reaches').choices(['live', 'sandbox']).makeOptionMandatory(),
  )
  .option('--name <name>', 'a name to tell keys apart')
  .option('--scopes <list>', 'comma-separated scopes (default: all)')
  .option('--rate-limit <count>', "requests per window (default: the deployment's)", positiveInteger)
  .option('--expires-at <time>', 'when it stops working, as 2027-01-31T12:00:00Z (default: never)');

command<{ tenant?: string }>(key, 'list', 'list API keys without their secrets', async (session, options) => {
  const rows = await session.admin().unscoped(listApiKeys(options.tenant ?? null));
  return { json: rows, text: table(rows) };
}).option('--tenant <id>', 'only this tenant');

for (const how of ['revoke', 'disable'] as const) {
  command(
    key,
    `${how} <keyId>`,
    `${how} an API key; it stops working on every instance within a second`,
    async (session, _options, keyId) => {
      const { tenants } = await session.composition();
      await tenants.stopKey(keyId, how);
      return { json: { keyId, status: `${how}d` }, text: `Key ${keyId} ${how}d` };
    },
    { needSecrets: true },
  );
}

command<{ createRoles?: boolean }>(program, 'migrate', 'bring the schema up to date', async (session, options) => {
  if (options.createRoles) {
    const { DATABASE_URL, DATABASE_WORKER_URL, DATABASE_ADMIN_URL } = session.config;
    const urls = [DATABASE_URL, DATABASE_WORKER_URL, DATABASE_ADMIN_URL].filter((url) => url !== undefined);
    const logins = urls.filter((url) => url !== session.ownerUrl).map(loginOf);
    await withRoleAdmin(session.ownerUrl, (client) => ensureLoginRoles(client, logins));
  }
  const migrated = await migrateToLatest(session.ownerUrl);
  return {
    json: { migrated },
    text: migrated.length === 0 ? 'The schema is up to date' : migrated.map((name) => `ran ${name}`).join('\n'),
  };
}).option(
  '--create-roles',
  'first make the login roles of DATABASE_URL, DATABASE_WORKER_URL and DATABASE_ADMIN_URL exist, with their passwords',
);

const seed = program.command('seed').description('example data');

command(
  seed,
  'demo',
  'a demo tenant with keys and a small tree',
  async (session) => {
    const composition = await session.composition();
    const demo = session.config.embedded ? await ensureDemo(composition, session.config.DATA_DIR) : await seedDemo(composition);
    return { json: demo, text: `Demo tenant ${demo.tenantId}\nSANDBOX key ${demo.sandboxKey}\nLIVE key    ${demo.liveKey}` };
  },
  { needSecrets: true },
);

command(program, 'doctor', 'audit all tenants; exit code 1 when an invariant is broken', async (session) => {
  const audits = await examine(session.adminUrl());
  const ok = audits.every((audit) => audit.breaches.length === 0);
  const lines = audits.map(({ id, title, breaches }) => {
    const verdict = breaches.length === 0 ? 'ok    ' : 'BROKEN';
    return [`${verdict} ${id.padEnd(5)} ${title}`, ...breaches.map((row) => `         ${JSON.stringify(row)}`)].join('\n');
  });
  return { ok, json: { ok, audits }, text: lines.join('\n') };
});

interface RebuildOptions {
  tenant?: string;
  environment?: 'live' | 'sandbox';
}

/** Builds derived rows anew, scope by scope, each in a transaction of its own. */
function rebuildCommand(
  parent: Command,
  description: string,
  what: string,
  rebuild: (db: WriteDb, scope: Scope) => Promise<number>,
): void {
  command<RebuildOptions>(
    parent,
    'rebuild',
    description,
    async (session, options) => {
      const { frames } = (await session.composition()).background;
      const environments = options.environment ? [options.environment] : (['live', 'sandbox'] as const);
      const tenants = options.tenant
        ? [options.tenant]
        : (await session.admin().unscoped(listTenants())).map(({ tenantId }) => tenantId);
      const rebuilt: (Scope & { rows: number; ms: number })[] = [];
      for (const tenantId of tenants) {
        for (const name of environments) {
          const scope: Scope = { tenantId, environment: name === 'live' ? 'LIVE' : 'SANDBOX' };
          const started = performance.now();
          const rows = await frames.write(scope, (db) => rebuild(db, scope), { repeatable: true });
          rebuilt.push({ ...scope, rows, ms: Math.round(performance.now() - started) });
        }
      }
      const lines = rebuilt.map(
        ({ tenantId, environment, rows, ms }) => `${tenantId} ${environment}: ${rows} ${what} in ${ms} ms`,
      );
      return { json: { rebuilt }, text: lines.join('\n') };
    },
    { needSecrets: true },
  )
    .option('--tenant <id>', 'only this tenant (default: all, which needs DATABASE_ADMIN_URL)')
    .addOption(new Option('--environment <environment>', 'only this data (default: both)').choices(['live', 'sandbox']));
}

rebuildCommand(
  program.command('tree').description('the member tree'),
  'count all downlines anew from the sponsors; members may join meanwhile, moves of sponsors are refused for its time',
  'members',
  rebuildDownline,
);

rebuildCommand(
  program.command('rollups').description('the rollups of the member summaries'),
  'sum up all commission lines anew; purchases go on meanwhile',
  'lines',
  rebuildCommissions,
);

const keys = program.command('keys').description("the deployment's keys");

command(
  keys,
  'rotate-signing',
  'sign access tokens with a new key; the former stays published for a day',
  async (session) => {
    const { services } = await session.composition();
    const kid = await services.signingKeys.rotate();
    return { json: { kid }, text: `Access tokens are signed with ${kid}, on every instance within a minute` };
  },
  { needSecrets: true },
);

command<{ tenant?: string }>(
  keys,
  'reencrypt',
  'seal anew, under the first data key, what is sealed under another; may be stopped and run again',
  async (session, options) => {
    const { frames } = await session.composition();
    const cipher = createCipher(session.config.secrets.dataKeys);
    const tenants = options.tenant
      ? [options.tenant]
      : (await session.admin().unscoped(listTenants())).map(({ tenantId }) => tenantId);
    const signingKeys = await reencryptSigningKeys(frames, cipher);
    const done = { resealed: signingKeys.resealed, unreadable: signingKeys.unreadable };
    const counts: KeyCount[] = [...signingKeys.counts];
    for (const tenantId of tenants) {
      for (const environment of ['LIVE', 'SANDBOX'] as const) {
        const { resealed, unreadable } = await reencryptScope(frames, cipher, { tenantId, environment });
        done.resealed += resealed;
        done.unreadable += unreadable;
        counts.push(...(await countSealed(frames, { tenantId, environment })));
      }
    }
    const json = { activeKeyId: session.config.secrets.dataKeys[0]?.id ?? '', ...done, sealed: sumByKey(counts) };
    const text = `${done.resealed} sealed anew, ${done.unreadable} under a key that is not in the ring\n\n${table(json.sealed)}`;
    return { ok: done.unreadable === 0, json, text };
  },
  { needSecrets: true },
).option('--tenant <id>', 'only this tenant (default: all, which needs DATABASE_ADMIN_URL)');

function sumByKey(counts: readonly KeyCount[]): KeyCount[] {
  const sums = new Map<string, KeyCount>();
  for (const { column, keyId, rows } of counts) {
    const sum = sums.get(`${column} ${keyId}`) ?? { column, keyId, rows: 0 };
    sums.set(`${column} ${keyId}`, { ...sum, rows: sum.rows + rows });
  }
  return [...sums.values()].toSorted((a, b) => (`${a.column} ${a.keyId}` < `${b.column} ${b.keyId}` ? -1 : 1));
}

const jobs = program.command('jobs').description('background jobs');

command(jobs, 'list', 'count the jobs by queue and state, and list the dead letters', async (session) => {
  const admin = session.admin();
  const queues = await admin.unscoped(countJobs());
  const deadLetters = await admin.unscoped(listDeadLetters());
  return { json: { queues, deadLetters }, text: `${table(queues)}\n\nDead letters\n${table(deadLetters)}` };
});

command(
  jobs,
  'retry <id>',
  'put the job of a dead letter back into its queue',
  async (session, _options, deadLetterId) => {
    const { queue } = await session.composition();
    const job = await queue.retry(deadLetterId);
    if (!job) return { ok: false, json: { deadLetterId, jobId: null }, text: `There is no dead letter ${deadLetterId}` };
    return { json: { deadLetterId, jobId: job.id, job: job.name }, text: `Job ${job.id} in ${job.name}` };
  },
  { needSecrets: true },
);

program
  .command('config')
  .description('settings')
  .command('example')
  .description('print .env.example')
  .action(() => {
    process.stdout.write(renderEnvExample());
  });

function positiveInteger(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('It must be a positive whole number.');
  return Number(value);
}

function table(rows: readonly object[]): string {
  if (rows.length === 0) return 'none';
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => Object.values(row).map(cellText))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

try {
  await program.parseAsync();
} catch (error) {
  for (const line of bootErrorLines(error, undefined)) process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
