/** Operators' commands: `npm run -s cli -- --help`. With --json a command prints exactly one JSON value. */
import { realpathSync } from 'node:fs';
import { Command } from 'commander';
import { ensureDemo, seedDemo } from '../seeds/demo.ts';
import { bootErrorLines } from './boot-errors.ts';
import { command, commandLine } from './cli-command.ts';
import { ensureLoginRoles, loginOf, withRoleAdmin } from './db/roles.ts';
import { examine } from './doctor/doctor.ts';
import { bytesText, measureSizes, type Sizes } from './doctor/sizes.ts';
import { renderEnvExample } from './env-example.ts';
import { house } from './features.ts';
import { type Output, table } from './house/commands.ts';
import { auditsOf, envOf } from './house/house.ts';
import { countJobs, listDeadLetters } from './jobs/operator-queries.ts';
import { renderInvariants } from './metrics/examine-regularly.ts';
import { replaceFile } from './replace-file.ts';
import { migrateService } from './service.ts';

/** Parsed below, where this file is the program and not imported. */
export const program = new Command('cli')
  .description("Operators' commands of the Member Commission and Referral Service")
  .showHelpAfterError();

for (const { feature } of house.entries) feature.commands?.(commandLine(program, { feature: feature.name }));

command<{ createRoles?: boolean }>(program, 'migrate', 'bring the schema up to date', async (session, options) => {
  if (options.createRoles) {
    const { DATABASE_URL, DATABASE_WORKER_URL, DATABASE_ADMIN_URL } = session.config;
    const urls = [DATABASE_URL, DATABASE_WORKER_URL, DATABASE_ADMIN_URL].filter((url) => url !== undefined);
    const logins = urls.filter((url) => url !== session.ownerUrl).map(loginOf);
    await withRoleAdmin(session.ownerUrl, (client) => ensureLoginRoles(client, logins));
  }
  const notes: string[] = [];
  const migrated = await migrateService(session.ownerUrl, (note) => notes.push(note));
  const lines = [...notes, ...migrated.map((name) => `ran ${name}`)];
  return { json: { migrated, notes }, text: lines.length === 0 ? 'The schema is up to date' : lines.join('\n') };
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

command<{ sizes?: boolean; metricsFile?: string }>(
  program,
  'doctor',
  'audit all tenants; exit code 1 when an invariant is broken',
  async (session, { sizes, metricsFile }) => {
    if (sizes === true) return tellSizes(await measureSizes(session.adminUrl(), house.features));
    const audits = await examine(session.adminUrl(), auditsOf(house));
    if (metricsFile !== undefined) await replaceFile(metricsFile, await renderInvariants(audits));
    const ok = audits.every((audit) => audit.breaches.length === 0);
    const lines = audits.map(({ id, title, breaches }) => {
      const verdict = breaches.length === 0 ? 'ok    ' : 'BROKEN';
      return [`${verdict} ${id.padEnd(5)} ${title}`, ...breaches.map((row) => `         ${JSON.stringify(row)}`)].join('\n');
    });
    return { ok, json: { ok, audits }, text: lines.join('\n') };
  },
)
  .option('--sizes', 'audit nothing: tell the sizes of the tables, and the bytes of a member and of a commission line')
  .option('--metrics-file <path>', 'also write the invariants as metrics, for the textfile collector of a node exporter');

function tellSizes(sizes: Sizes): Output {
  const each = (bytes: number | null): string => (bytes === null ? 'none yet' : bytesText(bytes));
  const rows = sizes.tables.map(({ table: name, growsWith, rows: count, deadRows, tableBytes, indexBytes, vacuumedAt }) => ({
    table: name,
    'grows with': growsWith ?? '',
    rows: count,
    dead: deadRows,
    size: bytesText(tableBytes),
    indexes: bytesText(indexBytes),
    vacuumed: vacuumedAt?.toISOString() ?? 'never',
  }));
  const text = [
    table(rows),
    '',
    `database         ${bytesText(sizes.databaseBytes)}`,
    `members          ${sizes.members}, each ${each(sizes.bytesPerMember)}`,
    `commission lines ${sizes.lines}, each ${each(sizes.bytesPerLine)}`,
  ];
  return { json: sizes, text: text.join('\n') };
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
    process.stdout.write(renderEnvExample(envOf(house)));
  });

/** The order of --help. A noun that is not named comes behind these. */
const NOUNS = [
  'tenant',
  'key',
  'pending-changes',
  'payouts',
  'migrate',
  'seed',
  'doctor',
  'tree',
  'rollups',
  'keys',
  'jobs',
  'listen',
  'config',
];
const placeOf = (known: Command): number => (NOUNS.includes(known.name()) ? NOUNS.indexOf(known.name()) : NOUNS.length);
(program.commands as Command[]).sort((a, b) => placeOf(a) - placeOf(b));

if (realpathSync(process.argv[1] ?? '.') === import.meta.filename) {
  try {
    await program.parseAsync();
  } catch (error) {
    for (const line of bootErrorLines(error, undefined)) process.stderr.write(`${line}\n`);
    process.exitCode = 1;
  }
}
