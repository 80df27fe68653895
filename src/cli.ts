/** Operators' commands: `npm run -s cli -- --help`. With --json a command prints exactly one JSON value. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { ensureDemo, seedDemo } from '../seeds/demo.ts';
import { bootErrorLines } from './boot-errors.ts';
import { command, table } from './cli-command.ts';
import { addUpkeepCommands } from './cli-upkeep.ts';
import { migrateToLatest } from './db/migrate.ts';
import { ensureLoginRoles, loginOf, withRoleAdmin } from './db/roles.ts';
import { examine } from './doctor/doctor.ts';
import { renderEnvExample } from './env-example.ts';
import { listApiKeys, listTenants } from './features/tenants/operator-queries.ts';
import { countJobs, listDeadLetters } from './jobs/operator-queries.ts';

const program = new Command('cli')
  .description("Operators' commands of the Member Commission and Referral Service")
  .showHelpAfterError();

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

addUpkeepCommands(program);

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

try {
  await program.parseAsync();
} catch (error) {
  for (const line of bootErrorLines(error, undefined)) process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
