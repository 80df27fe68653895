/**
 * What the first root can do: for each operation of administration and payouts that writes, the requests that come closest
 * to money leaving. A key of that root makes each; where it counts which one, there is a move for each.
 */
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { defaultPlanFor } from '../../../src/features/commissions/open/plan-definition.ts';
import type { Operation } from '../../../src/http/operation.ts';
import { sepaAccount } from '../payments/payout-accounts.ts';
import type { HandsWorld } from './hands-world.ts';
import type { HandsPeople } from './people.ts';
import type { Copies, Copy } from './world-copies.ts';

/** Beside the world, what the moves need. */
export interface Props {
  planId: string;
  authProviderId: string;
  identityId: string;
  kycId: string;
  documentId: string;
  rate: { source: string; target: string };
  issuerUrl: string;
  vendorHost: string;
}

/** A world in which a sequence is played. */
export interface Site {
  baseUrl: string;
  world: HandsWorld;
  people: HandsPeople;
  props: Props;
  copy: Copy;
  copies: Copies;
  /** What the sequence has made, the latest last. */
  made: {
    keys: string[];
    runs: string[];
    payouts: string[];
    accounts: string[];
    pending: string[];
    plans: string[];
    views: string[];
    /** Persons whom the first root signs in as: who has joined by its link, and whose password it has chosen. */
    joined: string[];
    taken: string[];
  };
}

export interface Answered {
  status: number;
  text: string;
}

export interface Move {
  name: string;
  /** Undefined: no operation, but time. */
  operationId: string | undefined;
  /** Operations that make what it is done with, of a move that needs two of them before it. */
  uses: readonly string[];
  /** Undefined: there is nothing yet to do it with. */
  play(site: Site): Promise<Answered | undefined>;
}

type Hand = 'first' | 'own' | 'gained';

const keyOf = ({ copy, world, made }: Site, hand: Hand): string | undefined =>
  hand === 'gained' ? made.keys.at(-1) : copy.keyOf(world[hand === 'first' ? 'first' : 'firstsOwn'].keyId);

export type Body = object | ((site: Site) => object);

function move(
  operationId: string,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  target: (site: Site) => string | undefined,
  { body = {}, what, by = 'first', uses = [] }: { body?: Body; what?: string; by?: Hand; uses?: readonly string[] } = {},
): Move {
  return {
    name: [operationId, what, ...(by === 'first' ? [] : [`by ${by}`])].filter(Boolean).join(' '),
    operationId,
    uses: by === 'gained' ? ['createApiKey', 'rollApiKey', ...uses] : [],
    async play(site) {
      const [key, path] = [keyOf(site, by), target(site)];
      if (key === undefined || path === undefined) return undefined;
      const given = typeof body === 'function' ? (body as (site: Site) => object)(site) : body;
      const sent = method === 'DELETE' ? null : JSON.stringify(given);
      const headers = { 'x-tenant-api-key': key, ...(sent !== null && { 'content-type': 'application/json' }) };
      const answer = await request(`${site.baseUrl}/api/v1${path}`, { method, headers, body: sent });
      const [status, text] = [answer.statusCode, await answer.body.text()];
      if (status < 300) remember(site, operationId, JSON.parse(text) as Record<string, unknown>);
      return { status, text };
    },
  };
}

/** What can be used later on in the sequence. */
export function remember({ made }: Site, operationId: string, body: Record<string, unknown>): void {
  const id = String(body['id']);
  const pending = body['pendingChange'] as { id: string } | undefined;
  if (pending) made.pending.push(pending.id);
  else if (operationId === 'createSettlement') made.payouts.push(id);
  else if (operationId === 'createPayoutRun') {
    made.runs.push(id);
    const [payout] = body['payouts'] as { id: string }[];
    if (payout) made.payouts.push(payout.id);
  } else if (operationId === 'createApiKey' || operationId === 'rollApiKey') made.keys.push(String(body['apiKey']));
  else if (operationId === 'createPayoutAccount') made.accounts.push(id);
  else if (operationId === 'createCommissionPlan') made.plans.push(id);
  else if (operationId === 'saveView') made.views.push(id);
}

const HANDS: readonly Hand[] = ['first', 'own', 'gained'];
const at = (path: string) => () => path;

const settings = (what: string, payments: Body): Move =>
  move('updateSettings', 'PATCH', at('/admin/settings'), {
    what,
    body: (site) => ({ payments: typeof payments === 'function' ? (payments as (site: Site) => object)(site) : payments }),
  });

const commissionSettings = (what: string, commissions: object): Move =>
  move('updateSettings', 'PATCH', at('/admin/settings'), { what: `of commissions: ${what}`, body: { commissions } });

const RUNS = {
  drafted: ({ world }: Site) => world.drafted.runId,
  approved: ({ world }: Site) => world.approved.runId,
  failed: ({ world }: Site) => world.failed.runId,
  'of the sequence': ({ made }: Site) => made.runs.at(-1),
} as const;
const PAYOUTS = {
  drafted: ({ world }: Site) => world.drafted.payoutId,
  approved: ({ world }: Site) => world.approved.payoutId,
  failed: ({ world }: Site) => world.failed.payoutId,
  'of the sequence': ({ made }: Site) => made.payouts.at(-1),
} as const;

const onRun = (deed: 'approve' | 'execute' | 'cancel' | 'retry', run: keyof typeof RUNS, by: Hand = 'first'): Move =>
  move(
    `${deed}PayoutRun`,
    'POST',
    (site) => {
      const id = RUNS[run](site);
      return id && `/payout-runs/${id}/${deed}`;
    },
    { what: `the run ${run}`, by, uses: run === 'of the sequence' ? ['createPayoutRun'] : [] },
  );

const onPayout = (deed: 'cancel' | 'retry' | 'settle' | 'return', payout: keyof typeof PAYOUTS, body: object = {}): Move =>
  move(
    `${deed}Payout`,
    'POST',
    (site) => {
      const id = PAYOUTS[payout](site);
      return id && `/payouts/${id}/${deed}`;
    },
    { what: `the payout ${payout}`, body },
  );

const ofBob = (end: string) => (site: Site) => `/members/${site.world.bob.id}${end}`;
const ofAda = (end: string) => (site: Site) => `/members/${site.world.ada.id}${end}`;
const account = (site: Site, id: string): string => `/members/${site.world.bob.id}/payout-accounts/${id}`;
const pendingPath =
  (deed: string, index = -1) =>
  (site: Site) => {
    const id = site.made.pending.at(index);
    return id && `/admin/pending-changes/${id}/${deed}`;
  };

/** By the operations; one that is neither here nor among the moves of people, and is of the groups, fails the test. */
const ALL: readonly Move[] = [
  // What is declared to weaken, one by one, and hidden among what tightens.
  settings('dual control off', { dualControl: false }),
  settings('dual control off, in one with a longer cool-down', { dualControl: false, accountCooldownHours: 100 }),
  settings('persons', { dualControlBy: 'persons' }),
  settings('keys', { dualControlBy: 'keys' }),
  settings('no cool-down', { accountCooldownHours: 0 }),
  settings('a longer cool-down', { accountCooldownHours: 48 }),
  settings('no verification', { requireKyc: false }),
  settings('another provider', { provider: 'manual' }),
  settings("another vendor's address", ({ props }) => ({ payvendor: { baseUrl: `https://${props.vendorHost}` } })),
  settings('another secret', { payvendor: { secretKey: 'sk_live_other' } }),
  settings('one more webhook secret', { payvendor: { webhookSecrets: ['whsec_ours', 'whsec_other'] } }),
  commissionSettings('more by hand', { manualLimitMinor: { CAD: 900_000_000 } }),
  commissionSettings('less by hand without a second pair', { manualSecondPairMinor: { CAD: 50_000 } }),
  commissionSettings('as much by hand as one likes', { manualSecondPairMinor: null }),
  commissionSettings('plans by two', { planPublishSecondPair: true }),
  commissionSettings('plans by one', { planPublishSecondPair: false }),
  ...HANDS.map((by) => move('confirmPendingChange', 'POST', pendingPath('confirm'), { by, uses: ['updateSettings'] })),
  move('confirmPendingChange', 'POST', pendingPath('confirm', 0), { what: 'the earliest', by: 'own' }),
  move('rejectPendingChange', 'POST', pendingPath('reject')),

  move('createApiKey', 'POST', at('/admin/api-keys'), { what: 'with all scopes', body: { scopes: ['*'] } }),
  move('createApiKey', 'POST', at('/admin/api-keys'), {
    what: 'that approves',
    body: { scopes: ['payouts:approve', 'admin:settings'] },
  }),
  move('rollApiKey', 'POST', ({ world }) => `/admin/api-keys/${world.second.keyId}/roll`, { what: "of the second root's key" }),
  move('rollApiKey', 'POST', ({ world }) => `/admin/api-keys/${world.firstsOwn.keyId}/roll`, { what: 'of its own key' }),
  move('updateApiKey', 'PATCH', ({ world }) => `/admin/api-keys/${world.second.keyId}`, {
    what: "narrows the second root's key",
    body: { scopes: ['payouts:read'] },
  }),
  move('updateApiKey', 'PATCH', ({ world }) => `/admin/api-keys/${world.firstsOwn.keyId}`, {
    what: 'names its own key',
    body: { name: 'Second pair of hands' },
  }),
  move('revokeApiKey', 'DELETE', ({ world }) => `/admin/api-keys/${world.second.keyId}`, { what: "the second root's key" }),

  move('createPayoutRun', 'POST', at('/payout-runs'), { what: 'in CAD', body: { currency: 'CAD' } }),
  ...(['drafted', 'of the sequence'] as const).flatMap((run) => HANDS.map((by) => onRun('approve', run, by))),
  onRun('approve', 'failed'),
  ...(['drafted', 'approved', 'failed', 'of the sequence'] as const).map((run) => onRun('execute', run)),
  ...(['drafted', 'approved'] as const).map((run) => onRun('cancel', run)),
  ...(['failed', 'approved'] as const).map((run) => onRun('retry', run)),
  onPayout('cancel', 'approved'),
  ...(['failed', 'approved', 'drafted', 'of the sequence'] as const).map((payout) => onPayout('retry', payout)),
  ...(['approved', 'failed', 'drafted'] as const).map((payout) => onPayout('settle', payout, { reference: 'ours' })),
  ...(['approved', 'of the sequence'] as const).map((payout) => onPayout('return', payout, { reason: 'for the test' })),
  move('setPayoutHold', 'PUT', ofBob('/payout-hold'), { body: { reason: 'for the test' } }),
  move('liftPayoutHold', 'DELETE', ofBob('/payout-hold')),

  move('createPayoutAccount', 'POST', ofBob('/payout-accounts'), { what: 'of the attacker', body: () => sepaAccount() }),
  move('updatePayoutAccount', 'PATCH', (site) => account(site, site.world.readyAccountId), {
    what: 'makes the other account primary',
    body: { isPrimary: true },
  }),
  move(
    'updatePayoutAccount',
    'PATCH',
    (site) => {
      const id = site.made.accounts.at(-1);
      return id && account(site, id);
    },
    { what: 'makes the new account primary', body: { isPrimary: true } },
  ),
  move('deactivatePayoutAccount', 'DELETE', (site) => account(site, site.world.approved.accountId), {
    what: 'of the approved run',
  }),
  move('deactivatePayoutAccount', 'DELETE', (site) => account(site, site.world.failed.accountId), { what: 'of the failed run' }),

  move('createSettlement', 'POST', ofAda('/settlements'), { body: { currency: 'CAD', amountMinor: 40_000, reference: 'ours' } }),
  move('acceptAccountName', 'POST', (site) => `${account(site, site.world.readyAccountId)}/accept-name`),

  move('holdCommission', 'POST', ({ world }) => `/commissions/${world.freeLineId}/hold`, { body: { reason: 'for the test' } }),
  move('releaseCommission', 'POST', ({ world }) => `/commissions/${world.freeLineId}/release`),
  move('voidCommission', 'POST', ({ world }) => `/commissions/${world.freeLineId}/void`, { body: { reason: 'for the test' } }),
  move('recordManualCommission', 'POST', at('/events/commission'), {
    body: ({ world }) => ({
      external_event_id: randomUUID(),
      type: 'bonus',
      user_id: world.ada.id,
      amount_minor: 90_000,
      currency: 'CAD',
      description: 'For the test',
      actor: 'test',
    }),
  }),
  move('createCommissionPlan', 'POST', at('/commission-plans'), { body: { name: 'Ours', definition: defaultPlanFor('USD') } }),
  move('updateCommissionPlan', 'PATCH', ({ props }) => `/commission-plans/${props.planId}`, {
    body: { definition: defaultPlanFor('USD') },
  }),
  move('deleteCommissionPlan', 'DELETE', ({ made }) => made.plans.at(-1) && `/commission-plans/${made.plans.at(-1)}`),
  move('publishCommissionPlan', 'POST', ({ props }) => `/commission-plans/${props.planId}/publish`),
  move('createExchangeRate', 'POST', at('/admin/exchange-rates'), {
    body: ({ props }) => ({
      sourceCurrency: props.rate.source,
      targetCurrency: props.rate.target,
      numerator: 7,
      denominator: 1,
      source: 'ours',
    }),
  }),

  move('createRateOverride', 'POST', at('/rate-overrides'), {
    body: ({ world }) => ({ target: 'member', targetId: world.bob.id, pay: { rateBps: 5000 } }),
  }),

  move('createAuthProvider', 'POST', at('/admin/auth/providers'), {
    body: ({ props }) => ({ providerId: 'ours', issuerUrl: props.issuerUrl, allowedAudiences: ['ours'], trustEmail: true }),
  }),
  move('updateAuthProvider', 'PATCH', ({ props }) => `/admin/auth/providers/${props.authProviderId}`, {
    what: 'trusts its addresses',
    body: { trustEmail: true, acceptUnverifiedEmail: true },
  }),
  move('deleteAuthProvider', 'DELETE', ({ props }) => `/admin/auth/providers/${props.authProviderId}`),
  move('linkIdentity', 'POST', ofBob('/identities'), { body: { providerId: 'known', subject: 'attacker' } }),
  move('unlinkIdentity', 'DELETE', (site) => ofBob(`/identities/${site.props.identityId}`)(site)),

  move('approveKyc', 'POST', ({ props }) => `/admin/kyc/${props.kycId}/approve`),
  move('rejectKyc', 'POST', ({ props }) => `/admin/kyc/${props.kycId}/reject`, { body: { reason: 'for the test' } }),
  move('requestKycResubmit', 'POST', ({ props }) => `/admin/kyc/${props.kycId}/request-resubmit`, {
    body: { reason: 'for the test' },
  }),
  move('resubmitKyc', 'POST', ({ props }) => `/admin/kyc/${props.kycId}/resubmit`, { body: { reason: 'for the test' } }),
  move('assignKyc', 'POST', ({ props }) => `/admin/kyc/${props.kycId}/assign`, { body: { assignee: 'ours' } }),
  move('takeKyc', 'POST', ({ props }) => `/admin/kyc/${props.kycId}/take`, { body: { from: true } }),
  move('releaseKyc', 'POST', ({ props }) => `/admin/kyc/${props.kycId}/release`),
  move('reviewKycDocument', 'POST', ({ props }) => `/admin/kyc/${props.kycId}/documents/${props.documentId}/review`, {
    body: { decision: 'accepted' },
  }),

  move('eraseMember', 'POST', ofAda('/erasure'), {
    what: 'that is owed money',
    body: { reason: 'for the test', acknowledgeOwed: true },
  }),
  move('moveMember', 'POST', ofBob('/sponsor'), { body: ({ world }) => ({ sponsorId: world.ada.id }) }),
  move('updateProfile', 'PATCH', ofBob('/profile'), {
    what: 'makes Bob another person',
    body: { givenName: 'Mallory', surname: 'Other' },
  }),

  move('saveView', 'POST', at('/admin/saved-views'), { body: { name: 'Ours', page: '/payouts', query: {}, shared: true } }),
  move('deleteSavedView', 'DELETE', ({ made }) => made.views.at(-1) && `/admin/saved-views/${made.views.at(-1)}`, {
    uses: ['saveView'],
  }),
];

/** Those whose operation there is. */
export const movesOf = (operations: readonly Operation[]): Move[] =>
  ALL.filter((one) => operations.some(({ operationId }) => operationId === one.operationId));

/** Of whole administration and payouts. */
export function isSearched({ method, path, scope, writesNothing }: Operation): boolean {
  if (method === 'get' || writesNothing !== undefined) return false;
  if (path.startsWith('/api/v1/admin/')) return true;
  return ['admin', 'payouts', 'accounts', 'commissions', 'plans', 'members'].includes(scope.split(':')[0] ?? '');
}

const MATTER =
  /^(updateSettings (?!of commissions)|confirm|reject|createApiKey|rollApiKey|createPayoutRun|approvePayoutRun|executePayoutRun|retryPayout|createSettlement|returnPayout|updatePayoutAccount|deactivatePayoutAccount|acceptAccountName|liftPayoutHold|\d+ hours)/;

/** What comes closest to money: the rule, keys, drafts, approvals, executions, accounts, and time. */
export const matters = ({ name }: Move): boolean => MATTER.test(name);

/** What gives a payout to the worker. */
export const startsPayouts = ({ operationId }: Move): boolean => /^(execute|retry|confirm)/.test(operationId ?? '');

/** Long enough for a pending change to expire, a cool-down to end and a tie to end. */
const LONG_HOURS = 8 * 24;

export const TIME_PASSES: Move = {
  name: `${LONG_HOURS} hours pass`,
  operationId: undefined,
  uses: [],
  async play({ copies, copy }) {
    await copies.letPass(copy.tenantId, LONG_HOURS);
    return { status: 200, text: '' };
  },
};
