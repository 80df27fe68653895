/**
 * The SQL of each operation, by name: the same statements however long the list or deep the tree
 * (performance.md). A new statement has to be written down here.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultPlanFor } from '../../src/features/commissions/plan-definition.ts';
import { type ApiClient, apiClient, type MemberBody } from '../support/api-client.ts';
import { sendCsv } from '../support/csv-imports.ts';
import { startFakeKycVendor } from '../support/fake-kyc-vendor.ts';
import { type KycSide, openKycSide, type PlantedRecord } from '../support/kyc-deliveries.ts';
import {
  documentsPath,
  plantKycRecord,
  prepareUpload,
  recordUpload,
  type SampleDocument,
  sampleDocument,
  sendTo,
} from '../support/kyc-documents.ts';
import { plantRecord, plantRequired } from '../support/kyc-records.ts';
import { plantKycSettings } from '../support/kyc-settings.ts';
import { plantImport } from '../support/matrix-rows-imports.ts';
import { newUpline } from '../support/model-upline.ts';
import { payOut } from '../support/pay-out.ts';
import { deliver, eventText, signatureOf } from '../support/payment-delivery.ts';
import { plantPaymentSettings } from '../support/payment-settings.ts';
import { accountsPath, newAccount, newPayee, sepaAccount } from '../support/payout-accounts.ts';
import { act, draft, execute, payable, startPayouts } from '../support/payout-world.ts';
import { allowHosts, type PlantedLink, plantLink, plantTag } from '../support/plant-link.ts';
import { type PlantedSession, plantSession } from '../support/sessions.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let client: ApiClient;
let sandbox: ApiClient;
let chain: MemberBody[];
let deep: MemberBody[];
let movable: MemberBody[];
/** A SANDBOX with the simulated KYC vendor, and a member of it. */
let simulated: ApiClient;
let applicantId: string;
let payee: MemberBody;
let statements: string[] = [];
let tenantId: string;
let liveKey: string;
let planId: string;
let sparePlanId: string;
let authProviderId: string;
let spareAuthProviderId: string;

const plansPath = '/api/v1/commission-plans';
const providersPath = '/api/v1/admin/auth/providers';
const newProvider = () => ({
  providerId: crypto.randomUUID(),
  issuerUrl: app.issuer.issuerUrl,
  allowedAudiences: ['app'],
});
const ratesPath = '/api/v1/admin/exchange-rates';

/** Verified by the automated provider: in LIVE, and in the SANDBOX. */
let kyc: KycSide;
let underway: PlantedRecord;
let verified: PlantedRecord;
const receive = async (type: string) => kyc.send(kyc.event(underway, type));

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '1' });
  const tenant = await app.newTenant();
  tenantId = tenant.tenantId;
  liveKey = tenant.liveKey;
  client = apiClient(app, liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  const plan = { name: 'Plan', definition: defaultPlanFor('USD') };
  [planId, sparePlanId] = [(await client.post(plansPath, plan)).body.id, (await client.post(plansPath, plan)).body.id];
  authProviderId = (await client.post(providersPath, newProvider())).body.id;
  spareAuthProviderId = (await client.post(providersPath, newProvider())).body.id;
  const simulating = await app.newTenant();
  simulated = apiClient(app, simulating.sandboxKey);
  await plantKycSettings(app, { tenantId: simulating.tenantId, environment: 'SANDBOX' });
  applicantId = (await simulated.newMember()).id;
  chain = await newUpline(client, 'D D D D D');
  deep = [...(await newUpline(client, 'O'.repeat(40), chain[0])), ...chain];
  movable = await newUpline(client, 'D D D');
  const vendor = await startFakeKycVendor();
  kyc = await openKycSide(app, vendor, { tenant: await app.newTenant() });
  underway = await kyc.newRecord();
  const automated = await openKycSide(app, vendor, { tenant, environment: 'SANDBOX' });
  await plantKycSettings(app, automated.scope);
  verified = await automated.newRecord();
  payee = await newPayee(client);
  app.composition.services.provisioner.provision = () => Promise.resolve(); // counted as what it is: a job's work
  await client.patch(settingsPath, { referrals: { allowedDestinationHosts: ['shop.example'] } });
  await client.post(linksPath, referral(linksPath));
  for (let i = 0; i < 60; i++) {
    await client.newMember({ parent_id: chain[0]?.id });
    await client.newMember({ parent_id: movable[0]?.id });
  }
  pg.Client.prototype.query = function countingQuery(this: pg.Client, ...args: unknown[]) {
    const [what] = args as [string | { name?: string; text?: string }];
    statements.push(typeof what === 'string' ? frameWord(what) : (what.name ?? 'built'));
    return query.apply(this, args);
  } as typeof pg.Client.prototype.query;
});
afterAll(async () => {
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
  await app.close();
});

/** `begin; select set_config(…)` is one message. */
const frameWord = (text: string) => text.split(/[; ]/)[0] ?? '';

/** The key's lookup is remembered for a second and not part of the operation; a cold one is one statement more. */
async function statementsOf(call: () => Promise<{ status: number }>, status: number): Promise<string[]> {
  await client.get('/api/v1/users?limit=1');
  statements = [];
  expect((await call()).status).toBe(status);
  return statements.filter((name) => name !== 'resolve_api_key');
}

const post = (path: string, body: object, headers?: Record<string, string>) => () => client.post(path, body, headers);
const get = (path: string) => () => client.get(path);
const email = () => ({ email: `${crypto.randomUUID()}@shop.example` });
const key = () => ({ 'idempotency-key': crypto.randomUUID() });
const claim = ['idempotency_wait', 'idempotency_claim', 'idempotency_reset_wait'];

/** What was sent is looked at between the reading and the writing, without a transaction. */
const recorded = (...more: string[]) => [
  ...read('kyc_member', 'kyc_find_record_of_member', 'kyc_find_open_upload'),
  ...write('kyc_plan_removal'),
  ...write(
    'kyc_lock_record_of_member',
    'kyc_member',
    'kyc_consume_upload',
    'kyc_keep_object',
    'kyc_insert_document',
    'audit_insert',
    'kyc_documents_of_record',
    ...more,
  ),
];
const write = (...inner: string[]) => ['begin', ...inner, 'commit'];
const read = (...inner: string[]) => ['begin', ...inner, 'rollback'];
/** A transaction by itself, in one group of messages. */
const alone = (only: string) => [only];

const part = (...inner: string[]) => ['savepoint_begin', ...inner, 'savepoint_release'];
const runsPath = '/api/v1/payout-runs';
const drafted = [
  'payouts_read_settings',
  'payouts_cutoff',
  'payouts_allow_time',
  'payouts_lock_drafts',
  'plans_in_force',
  'built',
  'built',
  'built',
];
const settled = [
  'payouts_lock',
  'commissions_lock_payout_lines',
  'events_lock_keys',
  'commissions_move_payout_lines',
  'payouts_post_moves',
  'payouts_settle',
  'audit_insert',
  'payouts_open_of_run',
  'payouts_lock_run',
  'payouts_end_run',
  'payouts_find',
];
/** A draft, or what it has become; not part of what is counted. */
async function newRun(deed?: 'approve'): Promise<string> {
  const run = await draft(client);
  if (deed) await act(client, run.id, deed);
  statements = [];
  return run.id;
}
async function newImport(status?: string): Promise<string> {
  const id = await plantImport(app, { tenantId, environment: 'LIVE', canaries: [] }, status);
  statements = [];
  return `/api/v1/imports/${id}`;
}
async function newPayout(status: 'queued' | 'processing'): Promise<string> {
  const scope = { tenantId, environment: 'LIVE' } as const;
  await payable(app, scope, client);
  const run = status === 'queued' ? await draft(client) : await execute(client);
  if (status === 'processing') await startPayouts(app, scope);
  statements = [];
  return run.payouts[0]?.id ?? '';
}
const reversal = [
  'events_purchase_to_reverse',
  'events_lock_keys',
  'events_find_id',
  'events_prior_reversals',
  'commissions_lock_originals',
  'commissions_lock_purchase_lines',
];
const acted = [
  'commissions_lock_original',
  'commissions_lock_family',
  'commissions_now',
  'commissions_change_status',
  'commissions_insert_action',
  'commissions_find',
];

/** Read when a commission was paid out: what its member owes, and what the plan does with that. */
const debts = ['events_lock_keys', 'events_debts', 'events_plan_definitions'];

/** A refund of a purchase made for it, and paid out, which is not part of what is counted. */
async function newReversal({ paid = false } = {}) {
  const { body } = await purchaseOf(() => chain[0])();
  const lines = body.commissions as { id: string }[];
  if (paid) {
    await payOut(
      app,
      lines.map(({ id }) => id),
    );
  }
  statements = [];
  return { external_event_id: crypto.randomUUID(), purchase_external_event_id: body.external_event_id as string };
}
/** Before the vendor is asked, or the answer stored. */
const started = [
  ...read('idempotency_find'),
  ...alone('profile_find'),
  ...alone('kyc_read_settings'),
  ...write('kyc_lock_record_of_member', 'kyc_member_erased', 'kyc_insert_record', 'audit_insert'),
];
/** A document that was sent by a member, who has sent others before. */
async function sentDocument(
  before: SampleDocument['documentType'][] = [],
  documentType: SampleDocument['documentType'] = 'selfie',
): Promise<() => Promise<{ status: number }>> {
  const { id } = await client.newMember();
  await plantKycRecord(app, { tenantId, environment: 'LIVE' }, id);
  const send = async (document: SampleDocument) => {
    const upload = await prepareUpload(client, id, document);
    await sendTo(upload, document.content);
    return () => recordUpload(client, id, upload, document);
  };
  for (const type of before) await (await send(sampleDocument({ documentType: type })))();
  const record = await send(sampleDocument({ documentType }));
  statements = [];
  return record;
}
const opened = ['accounts_lock_member', 'accounts_read_payee', 'accounts_find_same', 'accounts_insert', 'audit_insert'];
const changed = ['accounts_lock_member', 'accounts_read_payee', 'accounts_find'];
async function newAccountId(): Promise<string> {
  const { id } = await newAccount(client, payee.id);
  statements = [];
  return id;
}
const codesPath = '/api/v1/referrals/codes';
const linksPath = '/api/v1/referrals/links';
async function newReferral(path: string): Promise<string> {
  const { body } = await client.post(path, referral(path));
  statements = [];
  return body.id as string;
}
const referral = (path: string) => ({
  user_id: chain[0]?.id,
  ...(path === linksPath ? { destination_url: 'https://shop.example/' } : {}),
});
const ownerAndFacts = ['referrals_lock_owner', 'referrals_link_facts'];
const captured = ['leads_lock_email', 'attribution_candidates', 'leads_capture'];
async function newLead(referrer = chain[0]): Promise<{ id: string; attribution_receipt_id: string }> {
  const { body } = await client.post('/api/v1/leads/capture', { ...email(), referral_code: referrer?.referral_code });
  statements = [];
  return body;
}
const clicksPath = '/api/v1/referrals/clicks';
/** Whose tag is known to the service, as it is after the first of its links was followed. */
async function newLink(): Promise<PlantedLink> {
  const scope = { tenantId, environment: 'LIVE' } as const;
  await allowHosts(app, scope, ['shop.example']);
  const link = await plantLink(app, scope, { memberId: chain[0]?.id ?? '' });
  await follow(link.slug);
  statements = [];
  return link;
}
const follow = async (slug: string, agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0') =>
  app.http.get(`/r/${slug}`).redirects(0).set('user-agent', agent);
const keysPath = '/api/v1/admin/api-keys';
const settingsPath = '/api/v1/admin/settings';
async function newKeyId(): Promise<string> {
  const { body } = await client.post(keysPath, {});
  statements = [];
  return body.id as string;
}
const revoke = async (id: string) => app.http.delete(`${keysPath}/${id}`).set('x-tenant-api-key', liveKey);
/** Of the member at the top of the chain. */
async function newSession(): Promise<PlantedSession> {
  await app.composition.services.signingKeys.signer();
  const session = await plantSession(app, { tenantId, environment: 'LIVE' }, chain[4]?.id ?? '');
  statements = [];
  return session;
}
/** A pending verification of a new member. */
async function newReview(provider: 'manual' | 'kycvendor' = 'manual') {
  const memberId = (await client.newMember()).id;
  const scope = { tenantId, environment: 'LIVE' } as const;
  const kycId = await plantRecord(app, scope, { memberId, provider });
  const [document] = await plantRequired(app, scope, kycId);
  statements = [];
  return { memberId, kycId, documentId: document?.id ?? '' };
}
const decideKyc = async (deed: string, body: object, provider?: 'kycvendor') =>
  client.post(`/api/v1/admin/kyc/${(await newReview(provider)).kycId}/${deed}`, body);
const lockedReview = ['kyc_lock_record', 'profile_find'];
async function newLine(): Promise<string> {
  const { body } = await purchaseOf(() => chain[0])();
  statements = [];
  return body.commissions[0].id;
}
const manual = () => ({
  external_event_id: crypto.randomUUID(),
  type: 'bonus',
  user_id: chain[0]?.id,
  amount_minor: 100,
  currency: 'USD',
  description: 'Bonus',
  actor: 'Kim',
});

/** What has become due by a move of the clock, in transactions of their own. */
const sweeps = [
  ...write('idempotency_delete_expired'),
  ...write('commissions_clear_due'),
  ...write('events_take_due_clawbacks'),
  ...write('payouts_take_due'),
  ...write('payouts_take_to_check'),
  ...write('genealogy_lock_fold', 'genealogy_fold_pending'),
  ...write('members_lock_folding', 'members_fold_commissions'),
  ...write('payment_events_take_due'),
  ...write('leads_expire'),
  ...write('kyc_take_due_checks'),
  ...write('kyc_mark_due_removals'),
  ...write('payouts_take_due_accounts'),
  ...write('clicks_forget'),
  ...write('kyc_forget_old_events'),
  ...write('payment_events_forget'),
  ...write('imports_take_due'),
  ...write('ledger_lock_sealing', 'ledger_seal_block'),
];

const purchaseOf = (by: () => MemberBody | undefined) => () =>
  client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: by()?.id } }));

const downlineStatements = {
  joinedAt: 'built',
  '-joinedAt': 'built',
  totalDownline: 'built',
  depth: 'genealogy_levels',
};

const table: [operation: string, call: () => Promise<{ status: number }>, status: number, expected: string[]][] = [
  ['createUser, a root', () => post('/api/v1/users', email())(), 201, write('users_lock_tree_shared', 'users_insert')],
  [
    'createUser under 5',
    () => post('/api/v1/users', { ...email(), parent_id: chain[0]?.id })(),
    201,
    write('users_lock_tree_shared', 'users_insert'),
  ],
  [
    'createUser under 45, by code',
    () => post('/api/v1/users', { ...email(), referral_code: deep[0]?.referral_code })(),
    201,
    write('users_lock_tree_shared', 'users_insert'),
  ],
  [
    'createUser with an Idempotency-Key',
    () => post('/api/v1/users', email(), key())(),
    201,
    write(...claim, 'users_lock_tree_shared', 'users_insert', 'idempotency_store'),
  ],
  ['listUsers of 1', () => get('/api/v1/users?limit=1')(), 200, read('built')],
  ['listUsers of 100', () => get('/api/v1/users?limit=100')(), 200, read('built')],
  ['getUserStatus', () => get(`/api/v1/users/status?user_id=${chain[4]?.id}`)(), 200, alone('users_status')],
  [
    'updateUser, flag only',
    () => client.patch(`/api/v1/users/${chain[4]?.id}`, { can_recruit: true }),
    200,
    write('users_lock_tree', 'users_find_for_update', 'history_now', 'history_apply', 'users_find_for_update'),
  ],
  [
    'updateUser, tier and activity',
    () => client.patch(`/api/v1/users/${deep[0]?.id}`, { membership_tier: 'SENIOR', is_active: false }),
    200,
    write(
      'users_lock_tree_shared',
      'users_find_for_update',
      'history_now',
      'history_record_tier',
      'history_record_activity',
      'history_apply',
      'users_note_activity',
      'users_find_for_update',
    ),
  ],
  [
    'createReferralCode',
    () => client.post(codesPath, referral(codesPath)),
    201,
    write('referrals_lock_owner', 'referrals_insert_code'),
  ],
  [
    'createReferralCode, the default one',
    () => client.post(codesPath, { ...referral(codesPath), is_default: true }),
    201,
    write('referrals_lock_owner', 'referrals_demote_code', 'referrals_insert_code'),
  ],
  ['listReferralCodes of 1', () => get(`${codesPath}?limit=1`)(), 200, alone('built')],
  ['listReferralCodes of 100', () => get(`${codesPath}?limit=100`)(), 200, alone('built')],
  ['getReferralCode', async () => client.get(`${codesPath}/${await newReferral(codesPath)}`), 200, alone('referrals_find_code')],
  [
    'updateReferralCode, to be the default one',
    async () => client.patch(`${codesPath}/${await newReferral(codesPath)}`, { is_default: true }),
    200,
    write('referrals_lock_owner_of_code', 'referrals_find_code', 'referrals_demote_code', 'referrals_change_code'),
  ],
  [
    'updateReferralCode, retired',
    async () => client.patch(`${codesPath}/${await newReferral(codesPath)}`, { status: 'retired' }),
    200,
    write('referrals_lock_owner_of_code', 'referrals_find_code', 'referrals_change_code'),
  ],
  [
    'resolveReferralCode',
    () => get(`/api/v1/referrals/resolve?referral_code=${chain[1]?.referral_code}`)(),
    200,
    alone('referrals_resolve_code'),
  ],
  [
    'createReferralLink, the first of an environment',
    async () => {
      const first = apiClient(app, (await app.newTenant()).liveKey);
      await first.patch(settingsPath, { referrals: { allowedDestinationHosts: ['shop.example'] } });
      const { id } = await first.newMember();
      statements = [];
      return first.post(linksPath, { ...referral(linksPath), user_id: id });
    },
    201,
    write(...ownerAndFacts, 'referrals_insert_tag', 'referrals_find_tag', 'referrals_insert_link'),
  ],
  [
    'createReferralLink',
    () => client.post(linksPath, referral(linksPath)),
    201,
    write(...ownerAndFacts, 'referrals_insert_link'),
  ],
  ['listReferralLinks of 1', () => get(`${linksPath}?limit=1`)(), 200, alone('built')],
  ['listReferralLinks of 100', () => get(`${linksPath}?limit=100`)(), 200, alone('built')],
  [
    'getReferralLink',
    async () => client.get(`${linksPath}/${await newReferral(linksPath)}`),
    200,
    alone('referrals_find_counted_link'),
  ],
  [
    'getReferralLinkQr',
    async () => client.get(`${linksPath}/${await newReferral(linksPath)}/qr`),
    200,
    alone('referrals_find_link'),
  ],
  [
    'updateReferralLink',
    async () => client.patch(`${linksPath}/${await newReferral(linksPath)}`, { status: 'disabled' }),
    200,
    write('referrals_link_facts', 'referrals_update_link'),
  ],
  [
    'deleteReferralLink',
    async () => {
      const id = await newReferral(linksPath);
      return app.http.delete(`${linksPath}/${id}`).set('x-tenant-api-key', liveKey);
    },
    200,
    alone('referrals_delete_link'),
  ],
  ['captureLead', () => post('/api/v1/leads/capture', email())(), 201, write(...captured)],
  [
    'captureLead that finds a referrer, with its receipt',
    () => post('/api/v1/leads/capture', { ...email(), referral_code: chain[0]?.referral_code })(),
    201,
    write(...captured),
  ],
  ['listLeads of 1', get('/api/v1/leads?limit=1'), 200, read('built')],
  ['listLeads of 100', get('/api/v1/leads?limit=100'), 200, read('built')],
  ['getLead', async () => client.get(`/api/v1/leads/${(await newLead()).id}`), 200, read('leads_find')],
  [
    'updateLead',
    async () => client.patch(`/api/v1/leads/${(await newLead()).id}`, { conversion_status: 'qualified' }),
    200,
    write('leads_lock', 'leads_update'),
  ],
  [
    'convertLead under 45',
    async () => client.post(`/api/v1/leads/${(await newLead(deep[0])).id}/convert`, {}),
    201,
    write('leads_lock_email_of', 'leads_find', 'users_lock_tree_shared', 'users_insert', 'leads_find'),
  ],
  ['listAttributions of 1', get('/api/v1/referrals/attributions?limit=1'), 200, read('built')],
  ['listAttributions of 100', get('/api/v1/referrals/attributions?limit=100'), 200, read('built')],
  [
    'getAttribution',
    async () => client.get(`/api/v1/referrals/attributions/${(await newLead()).attribution_receipt_id}`),
    200,
    read('attribution_find_receipt'),
  ],
  [
    'recordPurchase paying 5 levels',
    purchaseOf(() => chain[0]),
    201,
    write('events_purchase_facts', 'attribution_candidates', 'events_insert'),
  ],
  [
    'recordClick by a link',
    async () => post(clicksPath, { link_id: (await newLink()).id })(),
    201,
    write('clicks_find_source', 'clicks_insert'),
  ],
  [
    'recordClick with an Idempotency-Key',
    async () => post(clicksPath, { slug: (await newLink()).slug }, key())(),
    201,
    write(...claim, 'clicks_find_source', 'clicks_insert', 'idempotency_store'),
  ],
  [
    'recordClick of a bot',
    async () => post(clicksPath, { slug: (await newLink()).slug, user_agent: 'Googlebot/2.1' })(),
    200,
    write('clicks_find_source'),
  ],
  [
    'recordClick of a customer',
    async () => {
      const { body } = await post(clicksPath, { referral_code: chain[0]?.referral_code })();
      statements = [];
      return client.post(clicksPath, { click_id: body.click_id, customer: { external_id: 'c' } });
    },
    200,
    write('clicks_tie'),
  ],
  [
    'a redirect, the first by a tag',
    async () => {
      const { tenantId: other } = await app.newTenant();
      const scope = { tenantId: other, environment: 'LIVE' } as const;
      await allowHosts(app, scope, ['shop.example']);
      const tag = await plantTag(app, scope);
      statements = [];
      return follow(`${tag}00000000`);
    },
    404,
    ['locate_link_tag', ...alone('redirect_follow')],
  ],
  ['a redirect', async () => follow((await newLink()).slug), 302, alone('redirect_follow')],
  ['a redirect of a bot', async () => follow((await newLink()).slug, 'Googlebot/2.1'), 302, alone('redirect_find')],
  [
    'recordPurchase through 45 levels: one more read',
    purchaseOf(() => deep[1]),
    201,
    write('events_purchase_facts', 'attribution_candidates', 'events_upline_as_of', 'events_insert'),
  ],
  [
    'recordPurchase with 100 line items',
    () =>
      client.post(
        '/api/v1/events/purchase',
        client.purchaseBody({ line_items: Array.from({ length: 100 }, (_, i) => ({ sku: `s${i}`, amount_minor: i })) }),
      ),
    201,
    write('events_purchase_facts', 'attribution_candidates', 'events_insert'),
  ],
  ['listMembers of 1', () => get('/api/v1/members?limit=1&name=a')(), 200, read('built')],
  ['listMembers of 100', () => get('/api/v1/members?limit=100&joinedTo=2099-01-01T00:00:00Z')(), 200, read('built')],
  [
    'getCommissionBreakdown',
    () => get(`/api/v1/members/${chain[4]?.id}/commissions/breakdown`)(),
    200,
    alone('members_breakdown'),
  ],
  ['getTaxSummary', () => get(`/api/v1/members/${chain[4]?.id}/tax-summary/2026`)(), 200, alone('members_tax_summary')],
  [
    'getReferralStats of one with 61 recruits',
    () => get(`/api/v1/members/${chain[0]?.id}/referral-stats`)(),
    200,
    alone('members_referral_stats'),
  ],
  ['getTeamStats', () => get(`/api/v1/members/${chain[4]?.id}/team-stats?period=2026-01`)(), 200, alone('members_team_stats')],
  [
    'moveMember with 60 below it',
    () => post(`/api/v1/members/${movable[0]?.id}/sponsor`, { sponsorId: movable[2]?.id })(),
    200,
    write('sponsor_lock_folds', 'users_lock_tree', 'sponsor_move_facts', 'history_record_sponsor', 'sponsor_apply_move'),
  ],
  [
    'moveMember to where it is',
    () => post(`/api/v1/members/${movable[0]?.id}/sponsor`, { sponsorId: movable[2]?.id })(),
    200,
    write('sponsor_lock_folds', 'users_lock_tree', 'sponsor_move_facts'),
  ],
  [
    'moveMember to the top, with an Idempotency-Key',
    () => post(`/api/v1/members/${movable[0]?.id}/sponsor`, { sponsorId: null }, key())(),
    200,
    write(
      ...claim,
      'sponsor_lock_folds',
      'users_lock_tree',
      'sponsor_move_facts',
      'history_record_sponsor',
      'sponsor_apply_move',
      'idempotency_store',
    ),
  ],
  ['getMemberHistory', () => get(`/api/v1/members/${movable[0]?.id}/history`)(), 200, alone('history_read')],
  [
    'startKyc by hand',
    () => post(`/api/v1/members/${chain[4]?.id}/kyc/start`, {}, key())(),
    200,
    [...started, 'begin', ...claim, 'idempotency_store', 'commit'],
  ],
  [
    'startKyc at the vendor, here the simulated one',
    async () => simulated.post(`/api/v1/members/${applicantId}/kyc/start`, {}),
    200,
    [
      ...started.slice(3),
      ...alone('kyc_read_settings'),
      ...write('kyc_lock_record', 'kyc_member_erased', 'kyc_link_applicant', 'audit_insert'),
      ...alone('kyc_find_record'),
      ...write('kyc_schedule_check'),
    ],
  ],
  [
    'getKyc',
    () => get(`/api/v1/members/${chain[4]?.id}/kyc`)(),
    200,
    read('kyc_find_record_of_member', 'kyc_documents_of_record'),
  ],
  ['getProfile', () => get(`/api/v1/members/${chain[4]?.id}/profile`)(), 200, alone('profile_find')],
  [
    'updateProfile',
    () =>
      client.patch(`/api/v1/members/${chain[4]?.id}/profile`, { name: 'Ann', idNumber: 'AB-1234', address: { city: 'Rome' } }),
    200,
    write('profile_lock_member', 'profile_find', 'profile_rename', 'profile_upsert', 'audit_insert', 'profile_find'),
  ],
  [
    'updateProfile that changes nothing',
    () => client.patch(`/api/v1/members/${chain[4]?.id}/profile`, { name: 'Ann', address: { city: 'Rome' } }),
    200,
    write('profile_lock_member', 'profile_find'),
  ],
  [
    'createKycUpload',
    async () => {
      const { id } = await client.newMember();
      await plantKycRecord(app, { tenantId, environment: 'LIVE' }, id);
      statements = [];
      return client.post(`${documentsPath(id)}/upload-url`, { fileName: 'a.png', mimeType: 'image/png' });
    },
    200,
    [
      ...read('kyc_member', 'kyc_find_record_of_member'),
      ...write('kyc_lock_record_of_member', 'kyc_member', 'kyc_count_uploads', 'kyc_insert_upload'),
    ],
  ],
  ['recordKycDocument', async () => (await sentDocument())(), 201, recorded()],
  [
    'recordKycDocument, the last that is required',
    async () => (await sentDocument(['government_id_front', 'government_id_back']))(),
    201,
    recorded('kyc_update_status', 'audit_insert'),
  ],
  [
    'eraseMember',
    async () => {
      const { id } = await client.newMember({ parent_id: chain[0]?.id });
      statements = [];
      return client.post(`/api/v1/members/${id}/erasure`, { reason: 'Asked for' });
    },
    200,
    write(
      'profile_find',
      'erasure_allow_time',
      'erasure_customers',
      'kyc_lock_record_of_member',
      'kyc_forget_events',
      'erasure_lock_payouts',
      'users_lock_tree',
      'users_find_for_update',
      'history_record_activity',
      'history_apply',
      'users_note_activity',
      'erasure_member',
      'erasure_leads',
      'erasure_profile',
      'erasure_identities',
      'erasure_sessions',
      'erasure_payout_accounts',
      'erasure_links',
      'erasure_codes',
      'audit_insert',
    ),
  ],
  [
    'exportMemberData, a read a list',
    () => get(`/api/v1/members/${chain[4]?.id}/data-export`)(),
    200,
    [
      'export_head',
      'history_read',
      'export_customers',
      'export_leads_referred',
      'export_referral_links',
      'export_commissions',
      'export_ledger_entries',
      'export_payout_accounts',
      'export_identities',
      'export_sessions',
      'export_kyc_documents',
      'export_kyc_events',
      'export_audit_entries',
    ],
  ],
  ['getMe without a bearer token', () => get('/api/v1/members/me')(), 401, []],
  ['getSandboxClock', () => sandbox.get('/api/v1/sandbox/clock'), 200, alone('sandbox_read_clock')],
  [
    'moveSandboxClock ahead',
    () => sandbox.post('/api/v1/sandbox/clock', { advanceSeconds: 60 }),
    200,
    [...alone('sandbox_advance_clock'), ...sweeps],
  ],
  [
    'moveSandboxClock, frozen',
    () => sandbox.post('/api/v1/sandbox/clock', { frozenAt: '2100-01-01T00:00:00Z' }),
    200,
    [...alone('sandbox_freeze_clock'), ...sweeps],
  ],
  [
    'receiveKycEvent, signed by nobody',
    () => app.http.post(`/api/v1/webhooks/kyc/kycvendor?tenant_id=${tenantId}`).send({}),
    401,
    ['locate_kyc_secrets'],
  ],
  [
    'receiveKycEvent that changes the status',
    () => receive('applicantPending'),
    200,
    [
      'locate_kyc_secrets',
      ...write('kyc_lock_records_of_event', 'kyc_member_erased', 'kyc_insert_event', 'kyc_update_status', 'audit_insert'),
    ],
  ],
  [
    'receiveKycEvent that is only kept',
    () => receive('applicantTagsChanged'),
    200,
    ['locate_kyc_secrets', ...write('kyc_lock_records_of_event', 'kyc_member_erased', 'kyc_insert_event', 'audit_insert')],
  ],
  [
    'sendVendorEvent',
    () => sandbox.post('/api/v1/sandbox/vendor-events', { kind: 'kyc', userId: verified.memberId, outcome: 'approved' }),
    200,
    [
      ...alone('profile_find'),
      ...alone('kyc_read_settings'),
      ...write(
        'kyc_lock_record_of_member',
        'kyc_store_simulated_review',
        'kyc_lock_records_of_event',
        'kyc_member_erased',
        'kyc_insert_event',
        'kyc_update_status',
        'kyc_set_member_approved',
        'audit_insert',
      ),
    ],
  ],
  [
    'resetSandbox',
    () => sandbox.post('/api/v1/sandbox/reset', {}),
    200,
    write('sandbox_allow_time', 'sandbox_erase', 'plans_default_currency', 'plans_lock', 'plans_insert_first'),
  ],
  [
    'recordPurchase under a member that was moved: the upline as of the sale is one more read',
    purchaseOf(() => movable[0]),
    201,
    write('events_purchase_facts', 'attribution_candidates', 'events_upline_as_of', 'events_insert'),
  ],
  [
    'recordRefund of 5 lines',
    async () => client.post('/api/v1/events/refund', { ...(await newReversal()), amount_minor: 100 }),
    201,
    write(...reversal, 'events_insert'),
  ],
  [
    'recordRefund, full',
    async () => client.post('/api/v1/events/refund', await newReversal()),
    201,
    write(...reversal, 'commissions_change_status', 'events_insert'),
  ],
  [
    'recordRefund of 5 lines that were paid',
    async () => client.post('/api/v1/events/refund', await newReversal({ paid: true })),
    201,
    write(...reversal, ...debts, 'events_insert'),
  ],
  [
    'recordChargeback, won after it was lost, of 5 lines that were paid',
    async () => {
      const dispute = { ...(await newReversal({ paid: true })), dispute_id: crypto.randomUUID() };
      await client.post('/api/v1/events/chargeback', { ...dispute, stage: 'lost' });
      statements = [];
      return client.post('/api/v1/events/chargeback', { ...dispute, external_event_id: crypto.randomUUID(), stage: 'won' });
    },
    201,
    write(...reversal, 'events_dispute_elsewhere', ...debts, 'events_end_write_offs', 'events_insert'),
  ],
  [
    'recordChargeback, opened',
    async () =>
      client.post('/api/v1/events/chargeback', { ...(await newReversal()), dispute_id: crypto.randomUUID(), stage: 'opened' }),
    201,
    write(...reversal, 'events_dispute_elsewhere', 'commissions_change_status', 'events_insert'),
  ],
  [
    'recordManualCommission',
    () => client.post('/api/v1/events/commission', manual()),
    201,
    write('events_manual_facts', 'events_insert'),
  ],
  [
    'recordEventBatch of 1',
    () => client.post('/api/v1/events/batch', { events: [{ kind: 'commission', ...manual() }] }),
    207,
    write('events_batch_wait', 'events_lock_batches', ...part(...part('events_manual_facts', 'events_insert'))),
  ],
  ['listEvents of 1', () => get('/api/v1/events?limit=1')(), 200, read('built', 'events_find_by_ids')],
  ['listEvents of 100', () => get('/api/v1/events?limit=100')(), 200, read('built', 'events_find_by_ids')],
  [
    'quotePurchase',
    () => post('/api/v1/commission-plans/quote', { amountMinor: 100, currency: 'USD', attribution: { userId: chain[0]?.id } })(),
    200,
    write('events_purchase_facts', 'attribution_candidates'),
  ],
  ['createPayoutRun, whoever is paid', post('/api/v1/payout-runs', { currency: 'USD' }), 201, write(...drafted, 'audit_insert')],
  [
    'createPayoutRun, dry: the same, undone',
    post('/api/v1/payout-runs', { currency: 'USD', dryRun: true }),
    200,
    write('savepoint_begin', ...drafted, 'savepoint_undo', 'savepoint_release'),
  ],
  ['listPayoutRuns', get('/api/v1/payout-runs?limit=100'), 200, read('payouts_list_runs')],
  [
    'getPayoutRun',
    async () => client.get(`${runsPath}/${await newRun()}`),
    200,
    read('payouts_find_run', 'payouts_count_by_status'),
  ],
  ['listBlockedMembers', async () => client.get(`${runsPath}/${await newRun()}/blocked`), 200, read('payouts_find_run', 'built')],
  [
    'approvePayoutRun',
    async () => client.post(`${runsPath}/${await newRun()}/approve`, {}),
    200,
    write('payouts_lock_run', 'payouts_read_settings', 'payouts_approve_run', 'audit_insert'),
  ],
  [
    'executePayoutRun',
    async () => client.post(`${runsPath}/${await newRun('approve')}/execute`, {}),
    200,
    write(
      'payouts_lock_run',
      'payouts_allow_time',
      'payouts_execute_run',
      'audit_insert',
      'payouts_open_of_run',
      'payouts_lock_run',
      'payouts_end_run',
      'payouts_find_run',
    ),
  ],
  [
    'cancelPayoutRun',
    async () => client.post(`${runsPath}/${await newRun()}/cancel`, {}),
    200,
    write('payouts_lock_run', 'payouts_allow_time', 'payouts_cancel_run', 'audit_insert'),
  ],
  ['listPayouts of 100', get('/api/v1/payouts?limit=100'), 200, read('built')],
  [
    'getPayout',
    async () => client.get(`/api/v1/payouts/${await newPayout('queued')}`),
    200,
    read('payouts_find', 'payouts_attempts'),
  ],
  [
    'listPayoutCommissions',
    async () => client.get(`/api/v1/payouts/${await newPayout('queued')}/commissions`),
    200,
    read('payouts_find', 'payouts_lines'),
  ],
  [
    'cancelPayout',
    async () => client.post(`/api/v1/payouts/${await newPayout('queued')}/cancel`, {}),
    200,
    write('payouts_lock', 'payouts_cancel', 'audit_insert', 'payouts_find_run', 'payouts_find'),
  ],
  [
    'settlePayout',
    async () => client.post(`/api/v1/payouts/${await newPayout('processing')}/settle`, { reference: 'BANK-1' }),
    200,
    write('payouts_lock', 'payouts_cutoff', ...settled),
  ],
  [
    'returnPayout',
    async () => client.post(`/api/v1/payouts/${await newPayout('processing')}/return`, { reason: 'Account closed' }),
    200,
    write('payouts_lock', ...settled),
  ],
  [
    'retryPayout',
    async () => {
      const payoutId = await newPayout('processing');
      await client.post(`/api/v1/payouts/${payoutId}/return`, { reason: 'Account closed' });
      statements = [];
      return client.post(`/api/v1/payouts/${payoutId}/retry`, {});
    },
    200,
    write('payouts_lock', 'payouts_requeue', 'payouts_lock_run', 'payouts_reopen_run', 'audit_insert', 'payouts_find'),
  ],
  ['listCommissions of 100', () => get('/api/v1/commissions?limit=100')(), 200, read('built')],
  ['getCommission', async () => client.get(`/api/v1/commissions/${await newLine()}`), 200, alone('commissions_find')],
  [
    'explainCommission',
    async () => client.get(`/api/v1/commissions/${await newLine()}/explain`),
    200,
    read('commissions_find', 'commissions_line_history'),
  ],
  ['holdCommission', async () => client.post(`/api/v1/commissions/${await newLine()}/hold`, {}), 200, write(...acted)],
  [
    'releaseCommission',
    async () => {
      const id = await newLine();
      await client.post(`/api/v1/commissions/${id}/hold`, {});
      statements = [];
      return client.post(`/api/v1/commissions/${id}/release`, {});
    },
    200,
    write(...acted.toSpliced(3, 0, 'commissions_open_dispute')),
  ],
  ['voidCommission', async () => client.post(`/api/v1/commissions/${await newLine()}/void`, {}), 200, write(...acted)],
  ['createApiKey', () => post(keysPath, {})(), 201, write('api_keys_insert', 'audit_insert')],
  ['listApiKeys of 1', () => get(`${keysPath}?limit=1`)(), 200, read('api_keys_list')],
  ['listApiKeys of 100', () => get(`${keysPath}?limit=100`)(), 200, read('api_keys_list')],
  [
    'rollApiKey',
    async () => client.post(`${keysPath}/${await newKeyId()}/roll`, {}),
    201,
    write('api_keys_lock', 'api_keys_insert', 'api_keys_expire_within', 'audit_insert'),
  ],
  ['revokeApiKey', async () => revoke(await newKeyId()), 200, write('api_keys_revoke', 'audit_insert')],
  [
    'revokeApiKey again',
    async () => {
      const id = await newKeyId();
      await revoke(id);
      statements = [];
      return revoke(id);
    },
    200,
    write('api_keys_revoke', 'api_keys_find'),
  ],
  [
    'createCommissionPlan',
    () => client.post(plansPath, { name: 'Plan', definition: defaultPlanFor('USD') }),
    201,
    alone('plans_insert'),
  ],
  ['listCommissionPlans of 1', () => get(`${plansPath}?limit=1`)(), 200, read('plans_list')],
  ['listCommissionPlans of 100', () => get(`${plansPath}?limit=100`)(), 200, read('plans_list')],
  ['getCommissionPlan', () => get(`${plansPath}/${planId}`)(), 200, read('plans_find', 'plans_versions')],
  [
    'updateCommissionPlan',
    () => client.patch(`${plansPath}/${planId}`, { name: 'Again' }),
    200,
    write('plans_versions', 'plans_update'),
  ],
  [
    'publishCommissionPlan',
    () => client.post(`${plansPath}/${planId}/publish`, { effectiveFrom: '2099-01-01T00:00:00Z' }),
    201,
    write('plans_lock_for_publication', 'plans_insert_version'),
  ],
  [
    'deleteCommissionPlan',
    async () => app.http.delete(`${plansPath}/${sparePlanId}`).set('x-tenant-api-key', liveKey),
    200,
    write('plans_lock_for_deletion', 'plans_delete'),
  ],
  [
    'createExchangeRate',
    () => client.post(ratesPath, { sourceCurrency: 'USD', targetCurrency: 'JPY', numerator: 3, denominator: 2, source: 'Bank' }),
    201,
    alone('exchange_rates_insert'),
  ],
  ['listAuditLogs of 100', () => get('/api/v1/admin/audit-logs?limit=100')(), 200, read('built')],
  ['listExchangeRates of 100', () => get(`${ratesPath}?limit=100`)(), 200, read('built')],
  ['createAuthProvider', () => client.post(providersPath, newProvider()), 201, write('auth_insert_provider', 'audit_insert')],
  [
    'createAuthProvider with an Idempotency-Key: looked for before the provider is asked, outside any transaction',
    () => client.post(providersPath, newProvider(), key()),
    201,
    [...read('idempotency_find'), ...write(...claim, 'auth_insert_provider', 'audit_insert', 'idempotency_store')],
  ],
  ['listAuthProviders of 1', () => get(`${providersPath}?limit=1`)(), 200, alone('auth_list_providers')],
  ['listAuthProviders of 100', () => get(`${providersPath}?limit=100`)(), 200, alone('auth_list_providers')],
  ['getAuthProvider', () => get(`${providersPath}/${authProviderId}`)(), 200, alone('auth_find_provider')],
  ['testAuthProvider', () => client.post(`${providersPath}/${authProviderId}/test`, {}), 200, alone('auth_find_provider')],
  [
    'updateAuthProvider',
    () => client.patch(`${providersPath}/${authProviderId}`, { trustEmail: true }),
    200,
    [...alone('auth_find_provider'), ...write('auth_lock_provider', 'auth_update_provider', 'audit_insert')],
  ],
  [
    'updateAuthProvider, of another issuer',
    () => client.patch(`${providersPath}/${authProviderId}`, { issuerUrl: `${app.issuer.issuerUrl}/other` }),
    200,
    [
      ...alone('auth_find_provider'),
      ...write('auth_lock_provider', 'auth_provider_has_identities', 'auth_update_provider', 'audit_insert'),
    ],
  ],
  [
    'deleteAuthProvider',
    async () => app.http.delete(`${providersPath}/${spareAuthProviderId}`).set('x-tenant-api-key', liveKey),
    200,
    write(
      'auth_lock_provider',
      'auth_delete_provider_identities',
      'auth_revoke_provider_families',
      'auth_delete_provider',
      'audit_insert',
    ),
  ],
  [
    'verifyLedger, of a ledger with a void',
    () => get('/api/v1/admin/ledger/verify')(),
    200,
    read(
      'ledger_tune_for_ranges',
      'ledger_find_block',
      'ledger_next_block',
      'ledger_verify_blocks',
      'ledger_next_journals',
      'ledger_verify_ranges',
      'ledger_find_disagreeing',
    ),
  ],
  [
    'getTrialBalance',
    () => get('/api/v1/admin/ledger/trial-balance')(),
    200,
    read('ledger_tune_for_ranges', 'ledger_as_of', 'ledger_next_journals', 'ledger_fold_accounts'),
  ],
  [
    'getTrialBalance, as of an instant',
    () => get('/api/v1/admin/ledger/trial-balance?asOf=2025-01-01T00:00:00Z')(),
    200,
    read('ledger_tune_for_ranges', 'ledger_as_of', 'ledger_next_journals', 'ledger_fold_accounts_as_of'),
  ],
  ['getMemberBalances', () => get(`/api/v1/members/${chain[0]?.id}/balances`)(), 200, alone('ledger_member_balances')],
  ['listMemberLedger of 1', () => get(`/api/v1/members/${chain[0]?.id}/ledger?limit=1`)(), 200, alone('ledger_member_entries')],
  [
    'listMemberLedger of 100',
    () => get(`/api/v1/members/${chain[0]?.id}/ledger?limit=100`)(),
    200,
    alone('ledger_member_entries'),
  ],
  ['listPayoutMethods', () => get('/api/v1/payout-methods?country=DE')(), 200, alone('payouts_read_settings')],
  [
    'validateBankDetails, which does not ask the database',
    () => client.post('/api/v1/payout-methods/sepa_bank_transfer/validate', { country: 'DE', bankAccount: {} }),
    200,
    [],
  ],
  [
    'createPayoutAccount',
    () => client.post(accountsPath(payee.id), sepaAccount()),
    201,
    [...alone('payouts_read_settings'), ...write(...opened)],
  ],
  [
    'createPayoutAccount as the primary one, with an Idempotency-Key: looked for before the settings are read',
    () => client.post(accountsPath(payee.id), sepaAccount(undefined, { isPrimary: true }), key()),
    201,
    [
      ...read('idempotency_find'),
      ...alone('payouts_read_settings'),
      ...write(...claim, ...opened.slice(0, 3), 'accounts_demote', ...opened.slice(3), 'idempotency_store'),
    ],
  ],
  [
    'createPayoutAccount at the payment vendor: committed before it is asked, and read after',
    async () => {
      await plantPaymentSettings(app, { tenantId, environment: 'SANDBOX' });
      const { id } = await newPayee(sandbox);
      statements = [];
      return sandbox.post(accountsPath(id), sepaAccount());
    },
    201,
    [...alone('payouts_read_settings'), ...write(...opened), ...write('accounts_find')],
  ],
  [
    'listPayoutAccounts of 1',
    () => get(`${accountsPath(payee.id)}?limit=1`)(),
    200,
    read('accounts_find_member', 'accounts_list'),
  ],
  [
    'listPayoutAccounts of 100',
    () => get(`${accountsPath(payee.id)}?limit=100`)(),
    200,
    read('accounts_find_member', 'accounts_list'),
  ],
  [
    'getPayoutAccount',
    async () => get(accountsPath(payee.id, await newAccountId()))(),
    200,
    read('accounts_find_member', 'accounts_find'),
  ],
  [
    'updatePayoutAccount',
    async () => client.patch(accountsPath(payee.id, await newAccountId()), { isPrimary: true, displayName: 'Savings' }),
    200,
    write(...changed, 'accounts_demote', 'accounts_promote', 'audit_insert', 'accounts_rename', 'audit_insert', 'accounts_find'),
  ],
  [
    'deactivatePayoutAccount, the primary one',
    async () => {
      const id = await newAccountId();
      await client.patch(accountsPath(payee.id, id), { isPrimary: true });
      statements = [];
      return app.http.delete(accountsPath(payee.id, id)).set('x-tenant-api-key', liveKey);
    },
    200,
    write(...changed, 'accounts_lock_payouts', 'accounts_deactivate', 'accounts_promote_newest', 'audit_insert', 'accounts_find'),
  ],
  ['exchangeToken of nobody', () => post('/api/v1/auth/exchange', { provider: 'x', token: 'x' })(), 401, []],
  [
    'refreshTokens',
    async () => client.post('/api/v1/auth/refresh', { refreshToken: (await newSession()).refreshToken }),
    200,
    write('auth_lock_refresh_token', 'auth_rotate_refresh_token'),
  ],
  [
    'refreshTokens, repeated at once',
    async () => {
      const { refreshToken } = await newSession();
      await client.post('/api/v1/auth/refresh', { refreshToken });
      statements = [];
      return client.post('/api/v1/auth/refresh', { refreshToken });
    },
    200,
    write('auth_lock_refresh_token', 'auth_refresh_token_used'),
  ],
  [
    'validateToken, access',
    async () => client.post('/api/v1/auth/validate', { token: (await newSession()).accessToken }),
    200,
    write('auth_session'),
  ],
  [
    'validateToken, refresh',
    async () => client.post('/api/v1/auth/validate', { token: (await newSession()).refreshToken }),
    200,
    write('auth_find_refresh_token'),
  ],
  [
    'revokeToken',
    async () => client.post('/api/v1/auth/revoke', { token: (await newSession()).refreshToken }),
    200,
    write('auth_find_refresh_token', 'auth_revoke_family', 'audit_insert'),
  ],
  [
    'revokeAllTokens of one with several',
    async () => {
      await newSession();
      return client.post('/api/v1/auth/revoke-all', { userId: chain[4]?.id });
    },
    200,
    write('auth_revoke_by_member', 'audit_insert'),
  ],
  [
    "getMemberBalances with a member's token: its session is one more, remembered for a second",
    async () => {
      const { accessToken } = await newSession();
      return client.get(`/api/v1/members/${chain[4]?.id}/balances`, { authorization: `Bearer ${accessToken}` });
    },
    200,
    [...alone('auth_session'), ...alone('ledger_member_balances')],
  ],
  ['getGenealogy of 1', () => get(`/api/v1/members/${deep[0]?.id}/genealogy`)(), 200, alone('genealogy_tree')],
  ['getGenealogy of 60', () => get(`/api/v1/members/${chain[0]?.id}/genealogy?depth=10`)(), 200, alone('genealogy_tree')],
  ...(['joinedAt', '-joinedAt', 'totalDownline', 'depth'] as const).flatMap((sort) =>
    [1, 100].map((limit): (typeof table)[number] => [
      `listDownline by ${sort}, ${limit}`,
      () => get(`/api/v1/members/${chain[0]?.id}/downline?sort=${sort}&limit=${limit}`)(),
      200,
      read('genealogy_downline_size', downlineStatements[sort]),
    ]),
  ),
  ['listUpline of 45', () => get(`/api/v1/members/${deep[0]?.id}/upline?limit=100`)(), 200, alone('genealogy_upline')],
  ['getRelationship', () => get(`/api/v1/members/${deep[0]?.id}/relationship/${chain[4]?.id}`)(), 200, alone('genealogy_path')],
  [
    'getRelationship, none',
    () => get(`/api/v1/members/${deep[0]?.id}/relationship/${movable[2]?.id}`)(),
    200,
    [...alone('genealogy_path'), ...alone('genealogy_members_exist')],
  ],
  [
    'listKycReviews',
    async () => client.get(`/api/v1/admin/kyc?status=pending&userId=${(await newReview()).memberId}`),
    200,
    read('built', 'kyc_review_count_by_status'),
  ],
  [
    'getKycReview',
    async () => client.get(`/api/v1/admin/kyc/${(await newReview()).kycId}`),
    200,
    read('kyc_find_record', 'kyc_review_waiting', 'profile_find', 'kyc_review_documents', 'audit_latest_of_object'),
  ],
  [
    'getKycDocumentUrl of a document, and who asked for it',
    async () => {
      const { kycId, documentId } = await newReview();
      return client.get(`/api/v1/admin/kyc/${kycId}/documents/${documentId}/content-url`);
    },
    200,
    [...alone('kyc_review_find_document'), ...write('audit_insert')],
  ],
  [
    'approveKyc',
    () => decideKyc('approve', {}),
    200,
    write(
      ...lockedReview,
      'kyc_review_documents',
      'kyc_review_accept_rest',
      'kyc_update_status',
      'kyc_set_member_approved',
      'audit_insert',
    ),
  ],
  ['rejectKyc', () => decideKyc('reject', { reason: 'No' }), 200, write(...lockedReview, 'kyc_update_status', 'audit_insert')],
  [
    'requestKycResubmit at the vendor: its job is one statement more',
    () => decideKyc('request-resubmit', { reason: 'Again' }, 'kycvendor'),
    200,
    write(...lockedReview, 'built', 'kyc_update_status', 'audit_insert'),
  ],
  [
    'resubmitKyc',
    () => decideKyc('resubmit', { reason: 'Again' }),
    200,
    write(...lockedReview, 'kyc_update_status', 'audit_insert'),
  ],
  ['assignKyc', () => decideKyc('assign', { assignee: 'eve' }), 200, write(...lockedReview, 'kyc_review_assign', 'audit_insert')],
  [
    'reviewKycDocument',
    async () => {
      const { kycId, documentId } = await newReview();
      return client.post(`/api/v1/admin/kyc/${kycId}/documents/${documentId}/review`, { decision: 'accepted' });
    },
    200,
    write(...lockedReview, 'kyc_review_find_document', 'audit_insert', 'kyc_review_store'),
  ],
  [
    'getSettings',
    () => get(settingsPath)(),
    200,
    read('settings_read', 'kyc_read_settings', 'payouts_read_settings', 'referrals_read_settings'),
  ],
  [
    'updateSettings to what they are',
    () => client.patch(settingsPath, { reportingTimeZone: 'UTC' }),
    200,
    write('tenants_time_zone_known', 'settings_lock', 'kyc_read_settings', 'payouts_read_settings', 'referrals_read_settings'),
  ],
  [
    'updateSettings',
    () => client.patch(settingsPath, { defaultCurrency: 'EUR' }),
    200,
    write(
      'settings_lock',
      'kyc_read_settings',
      'payouts_read_settings',
      'referrals_read_settings',
      'audit_insert',
      'settings_update',
    ),
  ],
  [
    'updateSettings of one environment',
    () => client.patch(settingsPath, { kyc: { kycvendor: { levelName: 'basic' } } }),
    200,
    write(
      'settings_lock',
      'kyc_lock_settings',
      'kyc_store_settings',
      'payouts_read_settings',
      'referrals_read_settings',
      'audit_insert',
    ),
  ],
  [
    'updateSettings of payments in one environment',
    () => client.patch(settingsPath, { payments: { dualControl: true } }),
    200,
    write(
      'settings_lock',
      'kyc_read_settings',
      'payouts_lock_settings',
      'payouts_store_settings',
      'referrals_read_settings',
      'audit_insert',
    ),
  ],
  [
    'updateSettings of referrals in one environment',
    () => client.patch(settingsPath, { referrals: { attributionWindowDays: 30 } }),
    200,
    write(
      'settings_lock',
      'kyc_read_settings',
      'payouts_read_settings',
      'referrals_read_settings',
      'referrals_store_settings',
      'audit_insert',
    ),
  ],
  ['listTaxDocuments', () => get(`/api/v1/members/${chain[0]?.id}/tax-documents`)(), 200, alone('statements_tax_years')],
  [
    'getTaxDocumentPdf of nothing',
    () => get(`/api/v1/members/${chain[0]?.id}/tax-documents/1990/pdf`)(),
    404,
    alone('statements_tax_months'),
  ],
  [
    'getTaxDocumentPdf',
    async () => {
      await newReversal({ paid: true });
      return client.get(`/api/v1/members/${chain[0]?.id}/tax-documents/${new Date().getUTCFullYear()}/pdf?currency=USD`);
    },
    200,
    alone('statements_tax_months'),
  ],
  [
    'getTaxDocumentCsv',
    async () => {
      await newReversal({ paid: true });
      return client.get(`/api/v1/members/${chain[0]?.id}/tax-documents/${new Date().getUTCFullYear()}/csv?currency=USD`);
    },
    200,
    [...alone('statements_tax_months'), ...alone('statements_tax_payments')],
  ],
  ...['', '/pdf', '/csv'].map((file): (typeof table)[number] => [
    `getMemberStatement${file === '' ? '' : file === '/pdf' ? 'Pdf' : 'Csv'}`,
    () => get(`/api/v1/members/${chain[0]?.id}/statements/${new Date().toISOString().slice(0, 7)}${file}`)(),
    200,
    [...alone('statements_head'), ...alone('statements_entries')],
  ]),
  ...['', 'x@a.example\n'.repeat(2_500)].map((rows): (typeof table)[number] => [
    `createImport of ${rows === '' ? 'one row' : '2,501'}`,
    () => sendCsv(app, liveKey, `email\ny@a.example\n${rows}`),
    201,
    [
      ...write('imports_insert'),
      ...Array.from({ length: rows === '' ? 1 : 3 }, () => write('import_rows_insert')).flat(),
      ...write('imports_queue', 'built'),
    ],
  ]),
  ['listImports of 100', get('/api/v1/imports?limit=100'), 200, read('imports_list')],
  ['getImport', async () => get(await newImport())(), 200, read('imports_find')],
  ['listImportErrors', async () => get(`${await newImport()}/errors`)(), 200, read('imports_find', 'import_rows_list_failed')],
  [
    'exportImportErrors',
    async () => get(`${await newImport()}/errors.csv`)(),
    200,
    [...read('imports_find'), ...read('import_rows_list_failed')],
  ],
  [
    'cancelImport',
    async () => client.post(`${await newImport('queued')}/cancel`, {}),
    200,
    write('imports_wait_longer', 'imports_lock', 'imports_end', 'audit_insert'),
  ],
  [
    'exportPayoutRun',
    async () => {
      const [run] = await app.database.asSuperuser<{ id: string }>(
        `insert into payout_run (tenant_id, environment, currency, cutoff_at, status, created_by, created_at, updated_at)
         values ($1, 'LIVE', 'USD', now(), 'draft', gen_random_uuid()::text, now(), now()) returning id`,
        [tenantId],
      );
      statements = [];
      return client.get(`/api/v1/payout-runs/${run?.id}/payouts.csv`);
    },
    200,
    [...write('payouts_find_run_to_export', 'audit_insert'), ...alone('payouts_export_page')],
  ],
  [
    'receivePaymentEvent of nobody',
    () => app.http.post('/api/v1/webhooks/payvendor').send({ account: 'acct_x' }),
    401,
    ['locate_provider_account'],
  ],
  [
    'receivePaymentEvent that is ignored',
    async () => {
      await plantPaymentSettings(app, { tenantId, environment: 'LIVE' }, { webhookSecrets: ['whsec_x'] });
      const payload = eventText({ type: 'balance.available', object: { id: 'x' } });
      statements = [];
      return deliver(app, payload, { signature: signatureOf(payload, 'whsec_x'), query: `?tenant_id=${tenantId}` });
    },
    200,
    ['locate_payment_secrets', ...write('payment_events_insert', 'payment_events_store_outcome')],
  ],
];

test.each(table)('%s', async (_operation, call, status, expected) => {
  expect(await statementsOf(call, status)).toEqual(expected);
});

test('recordPurchase repeated: the facts, the first answer', async () => {
  const body = client.purchaseBody({ attribution: { user_id: chain[0]?.id } });
  const { body: first } = await client.post('/api/v1/events/purchase', body);
  const again = await statementsOf(post('/api/v1/events/purchase', body), 200);
  expect(again).toEqual(write('events_purchase_facts', 'attribution_candidates', 'events_find_by_external_id'));
  expect(await statementsOf(get(`/api/v1/events/${first.event_id}`), 200)).toEqual(alone('events_find_by_id'));
  expect(await statementsOf(get(`/api/v1/events/${first.event_id}/explain`), 200)).toEqual(
    read('events_find_by_id', 'events_explain_extras'),
  );
});

test('every operation of the service is in the table', () => {
  const listed = new Set(table.map(([operation]) => operation.split(/[ ,]/)[0]));
  listed.add('getEvent');
  listed.add('explainEvent');
  expect(app.composition.app.operations.map((operation) => operation.operationId).filter((id) => !listed.has(id))).toEqual([]);
});
