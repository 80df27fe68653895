/**
 * `npm run soak -- --minutes 30`: the service as in production at a low, steady rate, with all kinds of calls, and nothing
 * going wrong; what its processes hold must not grow. Ends with a table and a line of figures; exit code 1 when something does.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { testIssuer } from '../support/identity/test-issuer.ts';
import { examineTrial } from '../support/trial/books.ts';
import { type Acknowledged, openShop, startLoad } from '../support/trial/shop.ts';
import { openTrial, type Trial } from '../support/trial/trial.ts';
import { openChores } from './chores.ts';
import type { ProcessSample } from './probe.ts';
import { draw, type Sample, weigh } from './report.ts';

const HELP = `npm run soak -- [options]

  --minutes <n>   how long, warm-up included (30)
  --rate <n>      actions a second (15)
  --snapshots <directory>
                  also writes a snapshot of each heap in the warm-up and at the end, to compare
                  by the memory tab of a browser's developer tools. The first stops its process for some seconds, which may
                  be bad answers

  The first fifth is warm-up, and not looked at: 6 of 30 minutes. A run of less than ten minutes shows that all works, and
  judges nothing that could grow.
`;
const SAMPLE_MS = 10_000;
const CLIENTS = 6;
/** Part of the time. */
const FIRST_SNAPSHOT = 0.18;
/** Code and what is noted for it come with the first calls and stay: else the heap grows for as long as functions become hot. */
const EARLY_CODE = ['--no-lazy-feedback-allocation', '--always-sparkplug', '--no-flush-bytecode'];
/** The longer ways through the service, one after the other. */
const CHORE_MS = 5_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function sample(trial: Trial, begun: number): Promise<Sample> {
  const processes: Sample['processes'] = {};
  for (const service of trial.services) {
    const fds = (await readdir(`/proc/${service.pid()}/fd`)).length;
    processes[service.name] = { ...(await service.ask<ProcessSample>('sample')), fds };
  }
  const [database] = await trial.cluster.sql<Sample['database']>(
    `select (select count(*) from pg_stat_activity where application_name like 'svc-%')::int as connections,
            (select count(*) from pg_locks l join pg_stat_activity a using (pid) where a.application_name like 'svc-%'
              and (l.locktype = 'advisory' or a.xact_start < now() - interval '5 seconds'))::int as locks,
            (select count(*) from pg_stat_activity where application_name like 'svc-%'
              and state = 'idle in transaction' and state_change < now() - interval '5 seconds')::int as "idleInTransaction",
            (select count(*) from pgboss.job where state in ('created', 'retry', 'active'))::int as "jobsWaiting",
            (select sum(pg_total_relation_size(c.oid)) from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where n.nspname = 'pgboss' and c.relkind in ('r', 'p'))::float as "jobBytes",
            (select sum(pg_total_relation_size(name::regclass)) from unnest(array['ledger_unsealed', 'downline_pending', 'commission_pending', 'sales_pending'])
              as name)::float as "queueBytes",
            pg_database_size(current_database())::float as "databaseBytes"`,
  );
  if (!database) throw new Error('the database tells nothing');
  return { hours: (performance.now() - begun) / 3_600_000, processes, database };
}

interface Options {
  minutes: number;
  rate: number;
  snapshots: string | undefined;
}

async function snapshot(trial: Trial, directory: string, number: number): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const service of trial.services)
    await service.ask(`snapshot ${path.resolve(directory, `${service.name}-${number}.heapsnapshot`)}`);
}

async function soak({ minutes, rate, snapshots }: Options): Promise<boolean> {
  const directory = await mkdtemp(path.join(tmpdir(), 'svc-soak-'));
  const issuer = await testIssuer();
  const certificate = path.join(directory, 'issuer.pem');
  await writeFile(certificate, issuer.server.cert);
  const trial = await openTrial({
    env: { NODE_EXTRA_CA_CERTS: certificate, RATE_LIMIT_REDIRECTS: '1000000', LOG_LEVEL: 'info' },
    nodeArguments: [...EARLY_CODE, '--expose-gc', '--import', path.join(import.meta.dirname, 'probe.ts')],
    allowedHosts: [issuer.server.host],
  });
  const end = (): void => void trial.close().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  try {
    for (const { liveKey } of trial.tenants) {
      const body = { referrals: { allowedDestinationHosts: ['shop.example'] } };
      await trial.caller.send({
        method: 'PATCH',
        path: '/api/v1/admin/settings',
        key: liveKey,
        body,
        idempotencyKey: randomUUID(),
      });
    }
    const [tenant, ...others] = trial.tenants;
    if (!tenant) throw new Error('the trial has no tenants');
    const shops = await Promise.all(others.map((one, index) => openShop(trial.caller, one, `soak-${index}`)));
    const chores = await openChores(trial, tenant, issuer);
    const load = startLoad(shops, { clients: CLIENTS, everyMs: (CLIENTS * 1_000) / rate });
    const begun = performance.now();
    const endsAt = begun + minutes * 60_000;
    say(`The service is up: ${minutes} minutes, ${rate} actions a second and a longer one every ${CHORE_MS / 1_000} s`);

    const faults: string[] = [];
    const doChores = (async () => {
      for (let next = begun; performance.now() < endsAt; ) {
        await chores.next().catch((error: Error) => faults.push(error.message));
        next = Math.max(next + CHORE_MS, performance.now());
        await sleep(Math.max(0, next - performance.now()));
      }
    })();
    const samples: Sample[] = [];
    const acknowledged: Acknowledged[] = [];
    let [answers, bad, taken] = [0, 0, 0];
    for (let next = begun; performance.now() < endsAt; next += SAMPLE_MS) {
      await sleep(Math.max(0, next - performance.now()));
      samples.push(await sample(trial, begun));
      const done = (performance.now() - begun) / (endsAt - begun);
      if (snapshots !== undefined && taken === 0 && done >= FIRST_SNAPSHOT) await snapshot(trial, snapshots, ++taken);
      const attempts = trial.caller.take();
      answers += attempts.length;
      for (const attempt of attempts.filter(({ fault }) => fault !== undefined)) {
        bad++;
        faults.push(`bad answer: ${attempt.fault} ${attempt.path}`);
      }
      for (const shop of shops) {
        const told = shop.take();
        acknowledged.push(...told.acknowledged);
        faults.push(...told.odd.map((what) => `refused: ${what}`));
      }
    }
    await Promise.all([load.stop(), doChores]);
    if (snapshots !== undefined) await snapshot(trial, snapshots, ++taken);
    acknowledged.push(...shops.flatMap((shop) => shop.take().acknowledged));
    const books = await examineTrial(trial.cluster, trial.adminUrl(), lastOfEach(acknowledged));
    const wrong = [...books.lost, ...books.doubled, ...books.broken];
    const report = weigh(samples);
    const failures = [...report.failures, ...wrong, ...new Set(faults)];
    say(`\n${draw(report)}\n`);
    say(
      `Done beside sales: ${Object.entries(chores.done)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
    );
    for (const failure of failures.slice(0, 12)) say(`FAILED: ${failure}`);
    const figures = [
      `minutes=${minutes}`,
      `answers=${answers}`,
      `bad=${bad}`,
      `acknowledged=${books.acknowledged}`,
      `lost=${books.lost.length}`,
      `doubled=${books.doubled.length}`,
      `broken=${books.broken.length}`,
      ...report.figures,
    ];
    say(`soak: ${figures.join(' ')}; ${failures.length === 0 ? 'ok' : `${failures.length} failures`}`);
    return failures.length === 0;
  } finally {
    await trial.close();
    issuer.server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** A member's moves were acknowledged again with every move: the last tells them all. */
function lastOfEach(acknowledged: readonly Acknowledged[]): Acknowledged[] {
  const last = new Map(acknowledged.map((write) => [`${write.kind} ${write.tenantId} ${write.name}`, write]));
  return [...last.values()];
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '15' },
    snapshots: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
if (values.help) say(HELP);
else if (!(minutes > 0 && minutes <= 24 * 60 && rate > 0 && rate <= 200)) {
  process.stderr.write(`--minutes is from 0 to 1440 and --rate from 0 to 200\n${HELP}`);
  process.exitCode = 2;
} else process.exitCode = (await soak({ minutes, rate, snapshots: values.snapshots })) ? 0 : 1;
