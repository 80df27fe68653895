/** The cases of rows.ts, made of what they work on. */
import type { TimedCase } from './answer-times.ts';
import { type BigTree, loadBigTree } from './big-tree.ts';
import { clearCase } from './cases/clear.ts';
import { coldStartCase } from './cases/cold-start.ts';
import { createCase } from './cases/create.ts';
import { deliverCase } from './cases/deliver.ts';
import { dueCase } from './cases/due.ts';
import { floodCase } from './cases/flood.ts';
import { genealogyCase } from './cases/genealogy.ts';
import { growthCase } from './cases/growth.ts';
import { importCase } from './cases/import.ts';
import { kycEventsCase } from './cases/kyc-events.ts';
import { memoryCase } from './cases/memory.ts';
import { neighbourCases } from './cases/neighbours.ts';
import { pagesCase } from './cases/pages.ts';
import { paymentEventsCase } from './cases/payment-events.ts';
import { payoutCase } from './cases/payout.ts';
import { payoutScreensCase } from './cases/payout-screens.ts';
import { purchaseCases } from './cases/purchase.ts';
import { readCase } from './cases/read.ts';
import { redirectCase } from './cases/redirect.ts';
import { relationshipCase } from './cases/relationship.ts';
import { ruledPurchaseCase } from './cases/ruled-purchases.ts';
import { summaryCase } from './cases/summary.ts';
import { toldPurchaseCases } from './cases/told-purchases.ts';
import { type LoadedLedger, loadLedgerBehindSound, routineVerifyCase, verifyCase } from './cases/verify.ts';
import { widgetCase } from './cases/widget.ts';
import { type DataSet, loadDataSet } from './data-set.ts';
import { loadEarners } from './earners.ts';
import type { FloorServerSettings } from './floor-server.ts';
import type { Case } from './measure.ts';
import { type Peers, startPeers } from './peers.ts';
import type { CaseName, Size } from './rows.ts';
import { findFreePort, POOL_SIZE, type Stage } from './stage.ts';

/** Postings of the ledger that is verified, behind a few that the daily check has found sound. */
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
const PAYOUTS = {
  quick: { members: 5_000, executed: 1_000 },
  full: { members: 100_000, executed: 2_000 },
  large: { members: 100_000, executed: 5_000 },
};

/** Payees of the run that people look at. */
const PAYEES = { full: 20_000, quick: 2_000 };

/** Tenants of which few or all have something due, each with a hundred commissions that are not. */
const TENANTS = { full: 10_000, quick: 1_000 };

/** Members of an imported file. */
const IMPORTED = { quick: 10_000, full: 30_000, large: 100_000 };

interface Small {
  data: DataSet;
  floorUrl: string;
}

/** What the cases work on; each part is made when the first case asks for it. */
export interface Ready {
  stage: Stage;
  serviceUrl: string;
  size: Size;
  quick: boolean;
  say(line: string): void;
  small(): Promise<Small>;
  peers(): Promise<Peers>;
  bigTree(): Promise<BigTree>;
  ledger(): Promise<LoadedLedger>;
}

export function makeReady(stage: Stage, serviceUrl: string, size: Size, say: (line: string) => void): Ready {
  const quick = size === 'quick';
  const small = once(() => loadSmall(stage, say));
  return {
    stage,
    serviceUrl,
    size,
    quick,
    say,
    small,
    peers: once(async () => startPeers(stage, (await small()).data, serviceUrl)),
    bigTree: once(() => loadBigTree(stage, sizeOf(TREE, quick), say)),
    ledger: once(() => loadLedgerBehindSound(stage, sizeOf(LEDGER, quick), say)),
  };
}

type Made = Case | TimedCase;

export const CASES: Record<CaseName, (ready: Ready) => Promise<Made | Made[]>> = {
  read: async ({ serviceUrl, small, peers }) => {
    const { data, floorUrl } = await small();
    return readCase(data, serviceUrl, floorUrl, await peers());
  },
  create: async ({ stage, serviceUrl, small, peers }) => {
    const { data, floorUrl } = await small();
    return createCase(stage, data, { serviceUrl, floorUrl, peers: await peers() });
  },
  redirect: async ({ stage, serviceUrl, small }) => {
    const { data, floorUrl } = await small();
    return redirectCase(stage, data, serviceUrl, floorUrl);
  },
  purchase: async ({ stage, serviceUrl, small }) => purchaseCases(stage, (await small()).data, serviceUrl),
  'ruled-purchase': async ({ stage, serviceUrl, small }) => ruledPurchaseCase(stage, (await small()).data, serviceUrl),
  'told-purchase': async ({ serviceUrl, small }) => toldPurchaseCases((await small()).data, serviceUrl),
  neighbours: async ({ stage, serviceUrl, small }) => neighbourCases(stage, (await small()).data, serviceUrl),
  'cold-start': ({ stage, quick }) => coldStartCase(stage, quick),
  memory: async ({ stage, small, size }) => memoryCase(stage, (await small()).data, size),
  clear: async ({ stage, small, quick }) => clearCase(stage, (await small()).data, sizeOf(DUE_LINES, quick)),
  payout: ({ stage, size, say }) => payoutCase(stage, PAYOUTS[size], say),
  'payout-screens': ({ stage, serviceUrl, quick, say }) =>
    payoutScreensCase(stage, serviceUrl, { members: sizeOf(PAYEES, quick), say }),
  import: ({ stage, size, say }) => importCase(stage, IMPORTED[size], say),
  verify: async ({ stage, serviceUrl, ledger }) => verifyCase(stage, serviceUrl, await ledger()),
  'verify-routine': async ({ stage, serviceUrl, ledger }) => routineVerifyCase(stage, serviceUrl, await ledger()),
  genealogy: async ({ stage, serviceUrl, bigTree, say }) =>
    genealogyCase(stage, serviceUrl, await bigTree(), await loadBigTree(stage, SMALL_TREE, say)),
  relationship: async ({ stage, serviceUrl, bigTree }) => relationshipCase(stage, serviceUrl, await bigTree()),
  summary: async ({ stage, serviceUrl, quick, say }) =>
    summaryCase(stage, serviceUrl, await loadEarners(stage, sizeOf(LINES, quick), say), quick),
  due: ({ stage, quick, say }) => dueCase(stage, { tenants: sizeOf(TENANTS, quick), quick, say }),
  deliver: ({ stage, quick }) => deliverCase(stage, quick),
  growth: ({ stage, size, say }) => growthCase(stage, size, say),
  flood: async ({ stage, serviceUrl, small, quick, say }) => floodCase(stage, (await small()).data, [serviceUrl], { quick, say }),
  pages: async ({ stage, serviceUrl, bigTree, quick, say }) =>
    pagesCase(stage, serviceUrl, { tree: await bigTree(), quick, say }),
  widget: ({ stage, serviceUrl, quick, say }) => widgetCase(stage, serviceUrl, { quick, say }),
  'payment-events': async ({ stage, serviceUrl, small, quick }) =>
    paymentEventsCase(stage, serviceUrl, (await small()).data, quick),
  'kyc-events': async ({ stage, small, quick }) => kycEventsCase(stage, (await small()).data, quick),
};

function sizeOf(size: { full: number; quick: number }, quick: boolean): number {
  return quick ? size.quick : size.full;
}

/** Makes it at the first call. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

async function loadSmall(stage: Stage, say: (line: string) => void): Promise<Small> {
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
