/**
 * The benchmark: `npm run bench`, or `npm run bench -- NAME…` for some of it.
 *
 * Every figure is a ratio to a floor of the same run. The floor and the service take turns, several
 * rounds each, on one PostgreSQL (embedded, default settings, so fsync is on and every commit of
 * both sides is durable), with the same tables, data and number of connections; the ratio of each
 * round is taken, then the median of the ratios. Absolute figures say little: the load generator,
 * the measured server and PostgreSQL share the machine's cores, and whatever else runs there too.
 *
 *   read      GET /users/status of random members out of 20,000, each with a few postings, everything
 *             on: key, rate limit, validation, tenant frame, log line.
 *             Floor: floor-server.ts, one select of the member's row by its primary key.
 *   create    POST /users, all under one root: the member, its referral code, its pending count, the
 *             conversion of a lead.
 *             Floor: floor-server.ts, one insert of the member's row into the same table.
 *   purchase  POST /events/purchase paying five levels, a new customer each: customer, event, five
 *             commission lines, journal, six postings.
 *             Floor: floor-purchases.ts, the same rows by one prepared statement an event straight
 *             through pg, without HTTP.
 *   verify    GET /admin/ledger/verify of a sealed ledger of 1,000,000 postings: all hashes computed anew, and
 *             every line compared with its journal.
 *             Floor: one GROUP BY over the postings, by journal and currency: the least that tells that each balances.
 *
 *   clear     the sweep over 100,000 due commissions of some 20,000 members, in batches, with a journal each
 *             that moves every member's sum from pending to cleared. One round is one sweep of them all.
 *             Floor: one UPDATE of the same rows' status.
 *
 * The floors connect as the superuser: neither row-level security nor role limits cost them anything.
 *
 *   --quick      fewer and shorter rounds, to see that it works; writes nothing
 *   --cpu-prof   keeps a CPU profile of the service and says where
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { clearCase } from './cases/clear.ts';
import { createCase } from './cases/create.ts';
import { purchaseCase } from './cases/purchase.ts';
import { readCase } from './cases/read.ts';
import { verifyCase } from './cases/verify.ts';
import { type DataSet, loadDataSet } from './data-set.ts';
import type { FloorServerSettings } from './floor-server.ts';
import { type Case, measure, type Plan } from './measure.ts';
import { describe, writeResults } from './report.ts';
import { findFreePort, openStage, POOL_SIZE, type Stage } from './stage.ts';

/** The warm-up is long because the service is still being optimised by V8 over its first thousands of requests. */
const FULL: Plan = { rounds: 7, seconds: 5, warmUpSeconds: 12 };
const QUICK: Plan = { rounds: 3, seconds: 2, warmUpSeconds: 1 };

/** Postings of the ledger that is verified. */
const LEDGER = { full: 1_000_000, quick: 60_000 };

interface Ready {
  stage: Stage;
  data: DataSet;
  serviceUrl: string;
  floorUrl: string;
  quick: boolean;
}

const CASES: Record<string, (ready: Ready) => Case | Promise<Case>> = {
  read: ({ data, serviceUrl, floorUrl }) => readCase(data, serviceUrl, floorUrl),
  create: ({ stage, data, serviceUrl, floorUrl }) => createCase(stage, data, serviceUrl, floorUrl),
  purchase: ({ stage, data, serviceUrl }) => purchaseCase(stage, data, serviceUrl),
  clear: ({ stage, data }) => clearCase(stage, data),
  verify: ({ stage, serviceUrl, quick }) => verifyCase(stage, serviceUrl, quick ? LEDGER.quick : LEDGER.full, say),
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What the figures belong to; the same for all rows a run writes. */
function describeRun(serverVersion: string): string {
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', '../src', '../migrations') === '' ? '' : ' with changes';
  return [
    new Date().toISOString().slice(0, 10),
    `commit ${git('rev-parse', '--short', 'HEAD')}${changed}`,
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${serverVersion}`,
  ].join(', ');
}

async function run(names: string[], plan: Plan, profile: boolean): Promise<void> {
  say('Starting PostgreSQL …');
  const stage = await openStage();
  const interrupted = () => void stage.close().then(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  try {
    const data = await loadDataSet(stage, say);
    const profileDirectory = profile ? await mkdtemp(path.join(tmpdir(), 'svc-bench-profile-')) : undefined;
    const serviceUrl = await stage.startService({
      nodeArguments: profileDirectory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`],
    });
    const floor: FloorServerSettings = {
      port: await findFreePort(),
      databaseUrl: stage.superuserUrl,
      poolSize: POOL_SIZE,
      tenantId: data.tenantId,
      environment: data.environment,
    };
    await stage.startFloor('floor-server.ts', floor);
    const ready: Ready = { stage, data, serviceUrl, floorUrl: `http://127.0.0.1:${floor.port}`, quick: plan === QUICK };
    const measured = [];
    for (const name of names) {
      const make = CASES[name];
      if (make) measured.push(await measure(await make(ready), plan, say));
    }
    say(`\n${describe(measured)}`);
    if (plan === FULL) say(`Written to ${await writeResults(measured, describeRun(stage.serverVersion))}`);
    if (profileDirectory !== undefined) say(`CPU profile of the service: ${profileDirectory}`);
  } finally {
    await stage.close();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, 'cpu-prof': { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(CASES, name));
if (unknown.length > 0) {
  process.stderr.write(`no such benchmark: ${unknown.join(', ')}; there are: ${Object.keys(CASES).join(', ')}\n`);
  process.exitCode = 1;
} else {
  await run(positionals.length > 0 ? positionals : Object.keys(CASES), values.quick ? QUICK : FULL, values['cpu-prof']);
}
