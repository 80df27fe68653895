/**
 * The benchmark: `npm run bench` for the rows of the table in docs/performance.md, in 25 minutes at most on two cores;
 * `npm run bench -- NAME…` for some of it. The names, the rows of each and the seconds that it may take are in rows.ts.
 *
 * Every figure is set against others of the same run, most against a floor. The floor and the service take turns, several
 * rounds each, on one PostgreSQL (embedded, default settings, so fsync is on and every commit of
 * both sides is durable), with the same tables, data and number of connections; the ratio of each
 * round is taken, then the median of the ratios. Absolute figures say little: the load generator,
 * the measured server and PostgreSQL share the machine's cores, and whatever else runs there too.
 *
 *   read      GET /users/status of random members out of 20,000, each with a few postings, everything
 *             on: key, rate limit, validation, tenant frame, log line.
 *             Floor: floor-server.ts, one select of the member's row by its primary key.
 *             Peers, in the same rounds: PostGraphile (peer-graphql-server.ts), and Fastify with pg as the practical limit
 *             of a service with key, row-level security and log line (peer-fastify-server.ts); create has the latter.
 *   create    POST /users, all under one root: the member, its referral code, its pending count, the
 *             conversion of a lead.
 *             Floor: floor-server.ts, one insert of the member's row into the same table.
 *   redirect  GET /r/{slug} of random links out of 5,000: the link and its host looked at, the click with a digest of the
 *             address stored, a signed click id.
 *             Floor: floor-server.ts, one insert of a click into the same table and a redirect.
 *   purchase  POST /events/purchase paying five levels, a new customer each, with an Idempotency-Key as clients send it:
 *             customer, event, five commission lines, journal, six postings. By 32 clients, one, and 128.
 *             Floor: floor-purchases.ts, the same rows by one prepared statement an event straight
 *             through pg, without HTTP, on ten connections; for one client on one. One client is to be no slower than
 *             when it was measured first: its target is that of the kept row, or the least round of one without.
 *             Peer, in the same rounds: the service with PURCHASE_COALESCING=off, which records each purchase by itself.
 *   ruled-purchase Such purchases paid by a plan with ten rules and a ladder; their floor: by levels alone.
 *   told-purchase Such purchases where an endpoint of webhooks hears nothing of them, or all; their floor: no endpoint.
 *   neighbours Such purchases of a tenant beside another that asks for a status every 20 ms; their floor: a service that records
 *             each purchase by itself. And what the status takes beside them, beside those, and alone.
 *   verify    GET /admin/ledger/verify of a sealed ledger of 1,000,000 postings: all hashes computed anew, and
 *             every line compared with its journal.
 *             Floor: one GROUP BY over the postings, by journal and currency: the least that tells that each balances.
 *   verify-routine The same with mode=routine, of as many new postings behind the last block that was found sound: its
 *             time, and how much memory the service takes meanwhile. No floor.
 *
 *   clear     the sweep over 100,000 due commissions of some 20,000 members, in batches, with a journal each
 *             that moves every member's sum from pending to cleared. One round is one sweep of them all.
 *             Floor: one UPDATE of the same rows' status.
 *
 *   payout    2,000 payouts (--large: 5,000) executed by one worker: decided, moved in the books, transferred and paid out at a vendor that
 *             loses 5 % of its answers after it has done what was asked. Before the rounds a run over 100,000 members
 *             with 300,000 commissions is drafted, approved and made due; how long that takes, and in how much memory, is told.
 *             Floor: the vendor's client alone, as many calls at once.
 *
 *   import    a CSV file of 30,000 members (--large: 100,000) with sponsors behind their recruits: sent, checked, applied with codes and pending
 *             counts, until the import is completed; a tenant of its own each round. The memory of the service is told, and how many counts wait.
 *             Floor: COPY of the same rows into member and referral_code with their indexes and keys, in one transaction.
 *
 * Of the next five it is the time of an answer that counts, to one client that sends its next request when it
 * has the last answer. Their data is large, and made only for them.
 *
 *   genealogy GET /members/{id}/genealogy, three levels at the root of 1,000,000 members: 400 nodes with their
 *             counts. The same in a tree of 10,000, of which the answer is as large.
 *             Floor: one prepared statement on one connection that reads the same 400 rows and counts.
 *             And while one client reads 5,000 nodes of the tree again and again: how long GET /users/status
 *             takes, asked every 5 ms by another; and how long without.
 *   relationship GET /members/{id}/relationship/{id} of random pairs out of 1,000,000 members.
 *             Floor: one prepared statement that climbs from both to the root; without names, tiers and counts.
 *             The least that any request takes is told by GET /users/status of one of the two.
 *   summary   GET /members/{id}/commissions/breakdown, …/referral-stats and …/tax-summary/{year} of a member with
 *             100,000 commission lines, 500 recruits and 2,000 leads, and of one with 1,000, 50 and 200. No floor.
 *   growth    The same purchase, one client, in tenants with 0.1 and 1 million commission lines (--large: 5 million too), each
 *             in a database of its own: its time, its write-ahead log, what it takes of the disk; and the bytes of a
 *             member, a line and a posting with their indexes. No floor.
 *   due       What every worker asks each second: whose rows are due, of 10,000 tenants with 500,000 commissions that are
 *             not due yet. With nothing due, and with a row in each of eight queues of 1, 1,000 and 10,000 tenants. A
 *             database of its own. Floor: select 1.
 *
 *   cold-start From spawning the service on a migrated database until /readyz is answered. Floor: an Express that answers it.
 *   memory    The resident memory of one API under purchases, reads and new members by 32 clients for 60 s (--large: ten
 *             minutes). The slope of the second half is told; what it gains in a day the soak of test/soak tells. No floor.
 *
 *   kyc-events POST /webhooks/kyc/kycvendor, 100 distinct events a second for a minute about 100 members, of which every
 *             fifth is an approval that a local vendor is asked about; and GET /users/status, 100 a second, beside
 *             them and alone. A service of its own, which may reach that vendor. No floor.
 *   payment-events POST /webhooks/payvendor, 100 distinct events a second for a minute about 100 connected accounts; and
 *             GET /users/status as above. No floor.
 *   deliver   Events, 100 a second, to a receiver of webhooks next door: from before each is written until it arrives; the
 *             same beside an endpoint of another tenant where nobody listens and 10,000 events wait; and a backlog of 5,000
 *             at once. The service numbers, signs and stores all of it. No floor.
 *   flood     GET /users/status of a quiet tenant, 40 a second, while another tenant sends three reads and a new member by
 *             turns over 200 connections, each of which sends its next request when it has the last answer; and alone.
 *             No floor.
 *   pages     Every page of the dashboard as an owner of the demo shop opens it, and a level of the team tree below the root
 *             of 1,000,000 members, who are searched for too; and the bytes of a first visit and of a later one. No floor.
 *   payout-screens What people look at before they approve a run of 20,000 payees, of whom one in twenty is blocked, beside
 *             the run before: the review, the reasons, the run, pages of payouts and of blocked members, and what finance opens
 *             of the dashboard. No floor.
 *   widget    What the frame of the widget reads of the demo shop's busiest member, and in a browser that was never here the
 *             first view: until it is drawn, and how many bytes came. No floor.
 *
 * The floors connect as the superuser: neither row-level security nor role limits cost them anything. The peers connect as
 * the service does.
 *
 *   --all        also the cases that are not of the table
 *   --large      imports, payouts, memory and growth at the full sizes; takes some twenty minutes more
 *   --quick      one short round of each over less data, to see that it works; writes nothing
 *   --tell       draws docs/pictures/bench.svg and fills docs/sizing.md from results.md, and measures nothing
 *   --cpu-prof   keeps a CPU profile of the service and says where
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type MeasuredTimes, measureTimes, type TimedPlan } from './answer-times.ts';
import { CASES, makeReady } from './catalogue.ts';
import { drawChart } from './chart.ts';
import { type Measured, measure, type Plan } from './measure.ts';
import { describe, writeResults } from './report.ts';
import { budgetOf, CASE_NAMES, type CaseName, ENTRIES, isCaseName, type Size } from './rows.ts';
import { fillSizing } from './sizing.ts';
import { openStage } from './stage.ts';

const FULL: Plan = { rounds: 5, seconds: 2, warmUpSeconds: 3 };
const QUICK: Plan = { rounds: 1, seconds: 2, warmUpSeconds: 3 };

/** Of the cases of answer times: their one client needs fewer seconds for as good a median. */
const FULL_TIMES: TimedPlan = { rounds: 5, seconds: 1.2, warmUpSeconds: 1.5 };
const QUICK_TIMES: TimedPlan = { rounds: 1, seconds: 1, warmUpSeconds: 1 };

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

/** In the pages that show the results. */
async function tellElsewhere(): Promise<void> {
  say(`Drawn in ${await drawChart()}`);
  say(`Filled in ${await fillSizing()}`);
}

const secondsSince = (begun: number): number => (performance.now() - begun) / 1000;

async function run(names: readonly CaseName[], size: Size, profile: boolean): Promise<void> {
  const begun = performance.now();
  say('Starting PostgreSQL …');
  const stage = await openStage();
  const interrupted = () => void stage.close().then(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  try {
    const profileDirectory = profile ? await mkdtemp(path.join(tmpdir(), 'svc-bench-profile-')) : undefined;
    const serviceUrl = await stage.startService({
      nodeArguments: profileDirectory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`],
    });
    const ready = makeReady(stage, serviceUrl, size, say);
    const took = [`start ${secondsSince(begun).toFixed(0)} s`];
    const measured: (Measured | MeasuredTimes)[] = [];
    for (const name of names) {
      const since = performance.now();
      const rows: (Measured | MeasuredTimes)[] = [];
      for (const bench of [await CASES[name](ready)].flat()) {
        if ('timed' in bench) rows.push(await measureTimes(bench, size === 'quick' ? QUICK_TIMES : FULL_TIMES, say));
        else rows.push(...(await measure(bench, size === 'quick' ? QUICK : { ...FULL, ...bench.plan }, say)));
      }
      const written = rows.map((row) => row.name).join('; ');
      if (written !== ENTRIES[name].rows.join('; ')) throw new Error(`${name} has measured ${written}: see bench/rows.ts`);
      measured.push(...rows);
      took.push(`${name} ${secondsSince(since).toFixed(0)} s of ${ENTRIES[name].seconds}`);
      say(`${name} took ${secondsSince(since).toFixed(1)} s; its budget is ${ENTRIES[name].seconds} s`);
    }
    say(`\n${describe(measured)}`);
    say(`${took.join(', ')}; in all ${secondsSince(begun).toFixed(0)} s of ${budgetOf(names)}`);
    if (size !== 'quick') {
      say(`Written to ${await writeResults(measured, describeRun(stage.serverVersion))}`);
      await tellElsewhere();
    }
    if (profileDirectory !== undefined) say(`CPU profile of the service: ${profileDirectory}`);
  } finally {
    await stage.close();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    tell: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    'cpu-prof': { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !isCaseName(name));
if (unknown.length > 0) {
  process.stderr.write(`no such benchmark: ${unknown.join(', ')}; there are: ${CASE_NAMES.join(', ')}\n`);
  process.exitCode = 1;
} else if (values.tell) {
  await tellElsewhere();
} else {
  const named = positionals.filter(isCaseName);
  const usual = CASE_NAMES.filter((name) => values.all || ENTRIES[name].ofTable);
  await run(named.length > 0 ? named : usual, values.quick ? 'quick' : values.large ? 'large' : 'full', values['cpu-prof']);
}
