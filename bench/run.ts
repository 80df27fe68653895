/**
 * The benchmark: `npm run bench`, or `npm run bench -- NAME…` for some of it.
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
 *   create    POST /users, all under one root: the member, its referral code, its pending count, the
 *             conversion of a lead.
 *             Floor: floor-server.ts, one insert of the member's row into the same table.
 *   redirect  GET /r/{slug} of random links out of 5,000: the link and its host looked at, the click with a digest of the
 *             address stored, a signed click id.
 *             Floor: floor-server.ts, one insert of a click into the same table and a redirect.
 *   purchase  POST /events/purchase paying five levels, a new customer each: customer, event, five
 *             commission lines, journal, six postings.
 *             Floor: floor-purchases.ts, the same rows by one prepared statement an event straight
 *             through pg, without HTTP.
 *             Then the same requests paid by a plan with ten rules and a ladder; their floor: by levels alone.
 *             Then the same requests where an endpoint of webhooks hears nothing of them, or all; their floor: no endpoint.
 *   verify    GET /admin/ledger/verify of a sealed ledger of 1,000,000 postings: all hashes computed anew, and
 *             every line compared with its journal.
 *             Floor: one GROUP BY over the postings, by journal and currency: the least that tells that each balances.
 *
 *   clear     the sweep over 100,000 due commissions of some 20,000 members, in batches, with a journal each
 *             that moves every member's sum from pending to cleared. One round is one sweep of them all.
 *             Floor: one UPDATE of the same rows' status.
 *
 *   payout    5,000 payouts executed by one worker: decided, moved in the books, transferred and paid out at a vendor that
 *             loses 5 % of its answers after it has done what was asked. Before the rounds a run over 100,000 members
 *             with 300,000 commissions is drafted, approved and made due; how long that takes, and in how much memory, is told.
 *             Floor: the vendor's client alone, as many calls at once.
 *
 *   import    a CSV file of 100,000 members with sponsors behind their recruits: sent, checked, applied with codes and pending
 *             counts, until the import is completed; a tenant of its own each round. The memory of the service is told.
 *             Floor: COPY of the same rows into member and referral_code with their indexes and keys, in one transaction.
 *
 * Of the next four it is the time of an answer that counts, to one client that sends its next request when it
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
 *   due       What every worker asks each second: whose rows are due, of 10,000 tenants with 1,000,000 commissions that are
 *             not due yet. With nothing due, and with a row in each of eight queues of 1, 1,000 and 10,000 tenants. A
 *             database of its own. Floor: select 1.
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
 * The floors connect as the superuser: neither row-level security nor role limits cost them anything.
 *
 *   --quick      one short round of each over less data, to see that it works; writes nothing
 *   --cpu-prof   keeps a CPU profile of the service and says where
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureTimes, type TimedCase, type TimedPlan } from './answer-times.ts';
import { type BigTree, loadBigTree } from './big-tree.ts';
import { clearCase } from './cases/clear.ts';
import { createCase } from './cases/create.ts';
import { deliverCase } from './cases/deliver.ts';
import { dueCase } from './cases/due.ts';
import { floodCase } from './cases/flood.ts';
import { genealogyCase } from './cases/genealogy.ts';
import { importCase } from './cases/import.ts';
import { kycEventsCase } from './cases/kyc-events.ts';
import { pagesCase } from './cases/pages.ts';
import { paymentEventsCase } from './cases/payment-events.ts';
import { payoutCase } from './cases/payout.ts';
import { payoutScreensCase } from './cases/payout-screens.ts';
import { purchaseCase } from './cases/purchase.ts';
import { readCase } from './cases/read.ts';
import { redirectCase } from './cases/redirect.ts';
import { relationshipCase } from './cases/relationship.ts';
import { ruledPurchaseCase } from './cases/ruled-purchases.ts';
import { summaryCase } from './cases/summary.ts';
import { toldPurchaseCases } from './cases/told-purchases.ts';
import { verifyCase } from './cases/verify.ts';
import { widgetCase } from './cases/widget.ts';
import { type DataSet, loadDataSet } from './data-set.ts';
import { loadEarners } from './earners.ts';
import type { FloorServerSettings } from './floor-server.ts';
import { type Case, measure, type Plan } from './measure.ts';
import { describe, writeResults } from './report.ts';
import { findFreePort, openStage, POOL_SIZE, type Stage } from './stage.ts';

/** The warm-up is long because the service is still being optimised by V8 over its first thousands of requests. */
const FULL: Plan = { rounds: 7, seconds: 5, warmUpSeconds: 12 };
const QUICK: Plan = { rounds: 1, seconds: 2, warmUpSeconds: 1 };

/** Of the cases of answer times: their one client needs fewer seconds for as good a median. */
const FULL_TIMES: TimedPlan = { rounds: 7, seconds: 3, warmUpSeconds: 5 };
const QUICK_TIMES: TimedPlan = { rounds: 1, seconds: 1, warmUpSeconds: 1 };

/** Postings of the ledger that is verified. */
const LEDGER = { full: 1_000_000, quick: 60_000 };
/** Members of the big tree. */
const TREE = { full: 1_000_000, quick: 50_000 };
/** Members of the tree that it is compared with. */
const SMALL_TREE = 10_000;
/** Due commissions that a sweep clears. */
const DUE_LINES = { full: 100_000, quick: 10_000 };
/** Commission lines of the member with many. */
const LINES = { full: 100_000, quick: 5_000 };

/** Members of the payout run, and payouts of a round. */
const PAYOUTS = { full: { members: 100_000, executed: 5_000 }, quick: { members: 5_000, executed: 1_000 } };

/** Payees of the run that people look at. */
const PAYEES = { full: 20_000, quick: 2_000 };

/** Tenants of which few or all have something due, each with a hundred commissions that are not. */
const TENANTS = { full: 10_000, quick: 1_000 };

/** Members of an imported file. */
const IMPORTED = { full: 100_000, quick: 10_000 };

interface Small {
  data: DataSet;
  floorUrl: string;
}

/** What the cases work on; each part is made when the first case asks for it. */
interface Ready {
  stage: Stage;
  serviceUrl: string;
  quick: boolean;
  small(): Promise<Small>;
  bigTree(): Promise<BigTree>;
}

const CASES: Record<string, (ready: Ready) => Promise<Case | TimedCase | (Case | TimedCase)[]>> = {
  read: async ({ serviceUrl, small }) => {
    const { data, floorUrl } = await small();
    return readCase(data, serviceUrl, floorUrl);
  },
  create: async ({ stage, serviceUrl, small }) => {
    const { data, floorUrl } = await small();
    return createCase(stage, data, serviceUrl, floorUrl);
  },
  redirect: async ({ stage, serviceUrl, small }) => {
    const { data, floorUrl } = await small();
    return redirectCase(stage, data, serviceUrl, floorUrl);
  },
  purchase: async ({ stage, serviceUrl, small }) => {
    const { data } = await small();
    return [
      await purchaseCase(stage, data, serviceUrl),
      await ruledPurchaseCase(stage, data, serviceUrl),
      ...(await toldPurchaseCases(data, serviceUrl)),
    ];
  },
  clear: async ({ stage, small, quick }) => clearCase(stage, (await small()).data, sizeOf(DUE_LINES, quick)),
  payout: ({ stage, quick }) => payoutCase(stage, quick ? PAYOUTS.quick : PAYOUTS.full, say),
  'payout-screens': ({ stage, serviceUrl, quick }) =>
    payoutScreensCase(stage, serviceUrl, { members: sizeOf(PAYEES, quick), say }),
  import: ({ stage, quick }) => importCase(stage, quick ? IMPORTED.quick : IMPORTED.full, say),
  verify: ({ stage, serviceUrl, quick }) => verifyCase(stage, serviceUrl, sizeOf(LEDGER, quick), say),
  genealogy: async ({ stage, serviceUrl, bigTree }) =>
    genealogyCase(stage, serviceUrl, await bigTree(), await loadBigTree(stage, SMALL_TREE, say)),
  relationship: async ({ stage, serviceUrl, bigTree }) => relationshipCase(stage, serviceUrl, await bigTree()),
  summary: async ({ stage, serviceUrl, quick }) =>
    summaryCase(stage, serviceUrl, await loadEarners(stage, sizeOf(LINES, quick), say)),
  due: ({ stage, quick }) => dueCase(stage, sizeOf(TENANTS, quick), say),
  deliver: ({ stage, quick }) => deliverCase(stage, quick),
  flood: async ({ stage, serviceUrl, small, quick }) => floodCase(stage, (await small()).data, [serviceUrl], { quick, say }),
  pages: async ({ stage, serviceUrl, bigTree, quick }) => pagesCase(stage, serviceUrl, { tree: await bigTree(), quick, say }),
  widget: ({ stage, serviceUrl, quick }) => widgetCase(stage, serviceUrl, { quick, say }),
  'payment-events': async ({ stage, serviceUrl, small, quick }) =>
    paymentEventsCase(stage, serviceUrl, (await small()).data, quick),
  'kyc-events': async ({ stage, small, quick }) => kycEventsCase(stage, (await small()).data, quick),
};

function sizeOf(size: { full: number; quick: number }, quick: boolean): number {
  return quick ? size.quick : size.full;
}

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

/** Makes it at the first call. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

async function loadSmall(stage: Stage): Promise<Small> {
  const data = await loadDataSet(stage, say);
  const floor: FloorServerSettings = {
    port: await findFreePort(),
    databaseUrl: stage.superuserUrl,
    poolSize: POOL_SIZE,
    tenantId: data.tenantId,
    environment: data.environment,
  };
  await stage.startFloor('floor-server.ts', floor);
  return { data, floorUrl: `http://127.0.0.1:${floor.port}` };
}

async function run(names: string[], quick: boolean, profile: boolean): Promise<void> {
  say('Starting PostgreSQL …');
  const stage = await openStage();
  const interrupted = () => void stage.close().then(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  try {
    const profileDirectory = profile ? await mkdtemp(path.join(tmpdir(), 'svc-bench-profile-')) : undefined;
    const serviceUrl = await stage.startService({
      nodeArguments: profileDirectory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`],
    });
    const ready: Ready = {
      stage,
      serviceUrl,
      quick,
      small: once(() => loadSmall(stage)),
      bigTree: once(() => loadBigTree(stage, sizeOf(TREE, quick), say)),
    };
    const measured = [];
    for (const name of names) {
      for (const bench of [(await CASES[name]?.(ready)) ?? []].flat()) {
        if ('timed' in bench) measured.push(await measureTimes(bench, quick ? QUICK_TIMES : FULL_TIMES, say));
        else measured.push(await measure(bench, quick ? QUICK : FULL, say));
      }
    }
    say(`\n${describe(measured)}`);
    if (!quick) say(`Written to ${await writeResults(measured, describeRun(stage.serverVersion))}`);
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
  await run(positionals.length > 0 ? positionals : Object.keys(CASES), values.quick, values['cpu-prof']);
}
