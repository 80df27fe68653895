/** Writes a canary into every field of a person, over HTTP. What is not told here, a test finds missing. */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Response } from 'supertest';
import type { Scope } from '../../../src/db/scope.ts';
import { importCsv, sendCsv } from '../../features/imports/csv-imports.ts';
import { type ApiClient, apiClient } from '../app/api-client.ts';
import type { TestApp, TestTenant } from '../app/test-app.ts';
import { runJobs } from '../jobs/run-jobs.ts';
import { prepareUpload, sampleDocument, sendDocument } from '../kyc/kyc-documents.ts';
import { plantRecord, plantRequired } from '../kyc/kyc-records.ts';
import { jpegOf } from '../kyc/sample-documents.ts';
import { newIban, sepaAccount } from '../payments/payout-accounts.ts';
import { approveKyc, earn, execute, plantAccount, startPayouts } from '../payments/payout-world.ts';
import type { Canaries } from './canaries.ts';

interface Ground {
  app: TestApp;
  tenant: TestTenant;
  scope: Scope;
  client: ApiClient;
  canaries: Canaries;
  /** Who refers, and is not erased. */
  topId: string;
  topCode: string;
}

interface Body {
  id: string;
  [field: string]: unknown;
}

async function done(answer: Response | Promise<Response>): Promise<Body> {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(`a canary was refused: ${status} ${text}`);
  return body as Body;
}

const mailOf = (word: string): string => `${word}@canary.example`;

/** All that are to be erased. */
export async function plantCanaries(app: TestApp, tenant: TestTenant, canaries: Canaries): Promise<string[]> {
  const client = apiClient(app, tenant.liveKey);
  const top = await client.newMember({ membership_tier: 'DIRECTOR' });
  await done(client.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } }));
  const scope: Scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  const ground = { app, tenant, scope, client, canaries, topId: top.id, topCode: top.referral_code };
  const memberId = await plantMember(ground);
  await plantReferrals(ground, memberId);
  await plantSales(ground, memberId);
  await plantMoney(ground, memberId);
  await plantVerification(ground, memberId);
  await plantLists(ground, memberId);
  const members = [
    memberId,
    await plantLead(ground),
    await plantByExternalId(ground),
    await plantExchange(ground),
    ...(await plantImport(ground)),
  ];
  // The last, for it turns dual control on.
  await plantPendingChange(ground, memberId);
  return members;
}

/** A commission by hand that waits for a second pair of hands, and is rejected. */
async function plantPendingChange({ client, canaries }: Ground, memberId: string): Promise<void> {
  await done(
    client.patch('/api/v1/admin/settings', {
      payments: { dualControl: true },
      commissions: { manualSecondPairMinor: { USD: 1 } },
    }),
  );
  const bonus = { type: 'bonus', user_id: memberId, amount_minor: 500, currency: 'USD', description: 'Waits', actor: 'Shop' };
  const { pending_change: waiting } = await done(
    client.post('/api/v1/events/commission', { external_event_id: randomUUID(), ...bonus }),
  );
  const { id } = waiting as { id: string };
  const reason = canaries.in('rejectPendingChange body.reason');
  await done(client.post(`/api/v1/admin/pending-changes/${id}/reject`, { reason }));
}

async function plantMember({ client, canaries, topId, topCode }: Ground): Promise<string> {
  const at = (field: string) => canaries.in(`createUser body.${field}`);
  const headers = {
    'idempotency-key': canaries.in('the header Idempotency-Key'),
    'user-agent': canaries.in('the header User-Agent'),
    referer: `https://${canaries.in('the header Referer')}.example/`,
  };
  const made = { email: mailOf(at('email')), name: at('name'), external_id: at('external_id'), referral_code: topCode };
  const { id } = await done(client.post('/api/v1/users', made, headers));
  const change = (field: string) => canaries.in(`updateUser body.${field}`);
  await done(
    client.patch(`/api/v1/users/${id}`, {
      email: mailOf(change('email')),
      name: change('name'),
      external_id: change('external_id'),
      membership_tier: 'DIRECTOR',
      reason: change('reason'),
    }),
  );
  // Each in turn is a former one.
  await done(client.patch(`/api/v1/users/${id}`, { email: mailOf(canaries.in('updateUser body.email', 'the last one')) }));
  for (const active of [false, true]) {
    await done(
      client.patch(`/api/v1/users/${id}`, { is_active: active, reason: canaries.in('updateUser body.reason', `${active}`) }),
    );
  }
  await done(client.post(`/api/v1/members/${id}/sponsor`, { sponsorId: null, reason: canaries.in('moveMember body.reason') }));
  await done(client.post(`/api/v1/members/${id}/sponsor`, { sponsorId: topId, reason: canaries.in('moveMember body.reason') }));
  await done(client.post('/api/v1/groups', { key: 'vip', name: 'VIP' }));
  const moved = { userIds: [id], reason: canaries.in('addGroupMembers body.reason') };
  await done(client.post('/api/v1/groups/vip/members', moved));
  const agreed = {
    target: 'member',
    targetId: id,
    pay: { rateBps: 1500 },
    reason: canaries.in('createRateOverride body.reason'),
  };
  const { body: override } = await client.post('/api/v1/rate-overrides', agreed);
  await done(client.post(`/api/v1/rate-overrides/${override.id}/end`, { reason: canaries.in('endRateOverride body.reason') }));
  const profile = (field: string) => canaries.in(`updateProfile body.${field}`);
  const address = ['addressLine1', 'addressLine2', 'city', 'state', 'postalCode', 'district', 'neighborhood'];
  await done(
    client.patch(`/api/v1/members/${id}/profile`, {
      name: profile('name'),
      givenName: profile('givenName'),
      surname: profile('surname'),
      idNumber: profile('idNumber'),
      dateOfBirth: canaries.as('updateProfile body.dateOfBirth', '1907-03-11'),
      businessName: profile('businessName'),
      countryCode: 'DEU',
      address: { countryCode: 'DEU', ...Object.fromEntries(address.map((field) => [field, profile(`address.${field}`)])) },
    }),
  );
  return id;
}

async function plantReferrals({ client, canaries, topId, topCode }: Ground, memberId: string): Promise<void> {
  const code = canaries.in('createReferralCode body.code').toUpperCase();
  await done(client.post('/api/v1/referrals/codes', { user_id: memberId, code }));
  const link = (field: string) => canaries.in(`createReferralLink body.${field}`);
  const { id } = await done(
    client.post('/api/v1/referrals/links', {
      user_id: memberId,
      destination_url: `https://shop.example/${link('destination_url')}`,
      slug: link('slug'),
      name: link('name'),
    }),
  );
  const change = (field: string) => canaries.in(`updateReferralLink body.${field}`);
  const changed = { destination_url: `https://shop.example/${change('destination_url')}`, name: change('name') };
  await done(client.patch(`/api/v1/referrals/links/${id}`, changed));
  const click = (field: string) => canaries.in(`recordClick body.${field}`);
  const clicked = {
    referral_code: topCode,
    // The one that buys.
    customer: { external_id: canaries.in('recordPurchase body.customer.external_id') },
    ip: canaries.as('recordClick body.ip', '203.0.113.77'),
    user_agent: `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 ${click('user_agent')}`,
    referrer: `https://${click('referrer')}.example/`,
  };
  await done(client.post('/api/v1/referrals/clicks', clicked));
  // The code on a sale and on a lead of somebody else.
  await done(client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { referral_code: code } })));
  await done(client.post('/api/v1/leads/capture', { email: `${randomUUID()}@other.example`, referral_code: code }));
  await done(client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: topId } })));
}

async function plantSales({ client, canaries, scope, app, topId }: Ground, memberId: string): Promise<void> {
  const at = (field: string) => canaries.in(`recordPurchase body.${field}`);
  const sold = (fields: object) => ({
    metadata: { [canaries.in('recordPurchase body.metadata', 'a key')]: at('metadata'), deep: [{ er: at('metadata') }] },
    line_items: [
      {
        sku: at('line_items.0.sku'),
        name: at('line_items.0.name'),
        category: at('line_items.0.category'),
        quantity: 1,
        amount_minor: 100,
      },
    ],
    attribution: { user_id: topId, referral_code: at('attribution.referral_code') },
    discount_code: at('discount_code'),
    ...fields,
  });
  const email = mailOf(canaries.in('createUser body.email'));
  const customer = { external_id: at('customer.external_id'), email, name: at('customer.name') };
  // By the first of its emails, by that email in the place of an id, and as the buyer that is named.
  const sale = await done(client.post('/api/v1/events/purchase', client.purchaseBody(sold({ customer }))));
  const byId = { external_id: email.toUpperCase() };
  await done(client.post('/api/v1/events/purchase', client.purchaseBody(sold({ customer: byId }))));
  const buyer = { external_id: canaries.in('recordPurchase body.customer.external_id', 'of the buyer') };
  const named = { customer: { ...buyer, email: mailOf(at('customer.email')) }, buyer_user_id: memberId };
  await done(client.post('/api/v1/events/purchase', client.purchaseBody(sold({ ...named, attribution: undefined }))));
  const purchase = { purchase_external_event_id: sale['external_event_id'], occurred_at: undefined };
  const refund = { external_event_id: randomUUID(), amount_minor: 100, reason: canaries.in('recordRefund body.reason') };
  await done(client.post('/api/v1/events/refund', { ...purchase, ...refund }));
  const dispute = { external_event_id: randomUUID(), dispute_id: randomUUID(), stage: 'opened', amount_minor: 100 };
  await done(
    client.post('/api/v1/events/chargeback', { ...purchase, ...dispute, reason: canaries.in('recordChargeback body.reason') }),
  );
  const manual = { type: 'bonus', user_id: memberId, amount_minor: 500, currency: 'USD' };
  const texts = {
    description: canaries.in('recordManualCommission body.description'),
    actor: canaries.in('recordManualCommission body.actor'),
  };
  const bonus = await done(client.post('/api/v1/events/commission', { external_event_id: randomUUID(), ...manual, ...texts }));
  const [{ id }] = bonus['commissions'] as [{ id: string }];
  for (const deed of ['hold', 'release', 'hold', 'void']) {
    await done(client.post(`/api/v1/commissions/${id}/${deed}`, { reason: canaries.in(`${deed}Commission body.reason`) }));
  }
  const [held] = (await done(client.post('/api/v1/events/commission', { external_event_id: randomUUID(), ...manual, ...texts })))[
    'commissions'
  ] as [{ id: string }];
  await done(client.post(`/api/v1/commissions/${held.id}/hold`, { reason: canaries.in('holdCommission body.reason') }));
  await app.runSweep('clear-commissions', scope);
}

async function plantMoney({ app, scope, client, canaries }: Ground, memberId: string): Promise<void> {
  const iban = canaries.as('createPayoutAccount body.bankAccount', newIban());
  const at = (field: string) => canaries.in(`createPayoutAccount body.${field}`);
  const tosAcceptance = {
    acceptedAt: '2026-01-01T00:00:00Z',
    ip: canaries.as('createPayoutAccount body.tosAcceptance.ip', '198.51.100.23'),
    userAgent: at('tosAcceptance.userAgent'),
  };
  const bank = { ...sepaAccount(iban), bankAccount: { iban, accountHolderName: at('accountHolderName') } };
  const account = await done(client.post(`/api/v1/members/${memberId}/payout-accounts`, { ...bank, tosAcceptance }));
  const displayName = canaries.in('updatePayoutAccount body.displayName');
  await done(client.patch(`/api/v1/members/${memberId}/payout-accounts/${account['id']}`, { displayName }));
  const check = { country: 'DE', bankAccount: { iban, accountHolderName: canaries.in('validateBankDetails body.bankAccount') } };
  await done(client.post('/api/v1/payout-methods/sepa_bank_transfer/validate', check));
  await approveKyc(app, memberId);
  await plantAccount(app, scope, memberId, { isPrimary: false });
  await app.database.asSuperuser("update payout_account set is_primary = method_type = 'hk_bank_transfer' where member_id = $1", [
    memberId,
  ]);
  // The cool-down of a new primary account is over.
  await app.database.asSuperuser(
    "update payout_account set destination_since = now() - interval '3 days' where member_id = $1 and is_primary",
    [memberId],
  );
  const member = { id: memberId, email: '', referral_code: '', membership_tier: '', parent_id: null };
  await earn(app, scope, client, member, 900_000);
  for (const deed of ['settle', 'return'] as const) {
    const run = await execute(client);
    await startPayouts(app, scope);
    const payout = run.payouts.find(({ userId }) => userId === memberId);
    const path = `/api/v1/payouts/${payout?.id}`;
    await done(client.post(`${path}/settle`, { reference: canaries.in('settlePayout body.reference') }));
    if (deed === 'return') await done(client.post(`${path}/return`, { reason: canaries.in('returnPayout body.reason') }));
    else await earn(app, scope, client, member, 900_000);
  }
  const reference = canaries.in('createSettlement body.reference');
  await done(client.post(`/api/v1/members/${memberId}/settlements`, { currency: 'USD', amountMinor: 900_000, reference }));
  const hold = canaries.in('setPayoutHold body.reason');
  await done(client.put(`/api/v1/members/${memberId}/payout-hold`, { reason: hold }));
}

async function plantVerification({ app, scope, client, canaries }: Ground, memberId: string): Promise<void> {
  await app.database.asSuperuser('delete from kyc_record where member_id = $1', [memberId]);
  const id = await plantRecord(app, scope, { memberId, status: 'resubmit_required' });
  const document = sampleDocument({
    fileName: `${canaries.in('createKycUpload body.fileName')}.jpg`,
    content: jpegOf({ comment: canaries.in("a document's content") }),
  });
  await done(sendDocument(client, memberId, document));
  const recorded = { ...document, fileName: `${canaries.in('recordKycDocument body.fileName')}.jpg` };
  await done(sendDocument(client, memberId, { ...recorded, documentType: 'selfie' }));
  const open = { ...sampleDocument(), fileName: `${canaries.in('createKycUpload body.fileName', 'that is open')}.jpg` };
  await prepareUpload(client, memberId, open);
  await plantRequired(app, scope, id);
  await app.database.asSuperuser("update kyc_record set status = 'pending', rejection_reason = null where id = $1", [id]);
  const path = `/api/v1/admin/kyc/${id}`;
  await done(client.post(`${path}/assign`, { assignee: canaries.in('assignKyc body.assignee') }));
  const { documents } = await done(client.get(path));
  const [first] = documents as [{ id: string }];
  const review = { decision: 'rejected', reason: canaries.in('reviewKycDocument body.reason') };
  await done(client.post(`${path}/documents/${first.id}/review`, review));
  await done(client.post(`${path}/request-resubmit`, { reason: canaries.in('requestKycResubmit body.reason') }));
  const back = "update kyc_record set status = 'pending', rejection_reason = null where id = $1";
  await app.database.asSuperuser(back, [id]);
  await done(client.post(`${path}/reject`, { reason: canaries.in('rejectKyc body.reason') }));
  await done(client.post(`${path}/resubmit`, { reason: canaries.in('resubmitKyc body.reason') }));
  await app.database.asSuperuser(back, [id]);
  await app.database.asSuperuser("update kyc_document set status = 'uploaded', reviewed_at = null where kyc_record_id = $1", [
    id,
  ]);
  await done(client.post(`${path}/approve`, { note: canaries.in('approveKyc body.note') }));
  const keepVerification = { reason: canaries.in('updateProfile body.keepVerification.reason') };
  await done(client.patch(`/api/v1/members/${memberId}/profile`, { countryCode: 'FRA', keepVerification }));
}

/** Files that were made of lists, and lists that are looked through. */
async function plantLists({ app, client, canaries }: Ground, memberId: string): Promise<void> {
  const filters = {
    email: mailOf(canaries.in('createUser body.email')),
    name: canaries.in('updateProfile body.name'),
    externalId: canaries.in('updateUser body.external_id'),
  };
  const customer = canaries.in('recordPurchase body.customer.external_id');
  for (const wanted of [
    { kind: 'members', filters: {} },
    { kind: 'members', filters },
    { kind: 'events', filters: { customer_external_id: customer } },
    { kind: 'auditLogs', filters: { objectId: memberId } },
  ]) {
    await done(client.post('/api/v1/exports', { format: 'csv', ...wanted }));
  }
  await runJobs(app, 'run-export');
  const { email, name, externalId } = filters;
  const looked: [path: string, query: Record<string, string>][] = [
    ['users', { email }],
    ['users', { external_id: externalId }],
    ['members', { email, name }],
    ['members', { externalId }],
    ['events', { customer_external_id: customer }],
    ['leads', { email }],
    ['leads', { source: name.slice(0, 100) }],
    ['admin/kyc', { assignedTo: name.slice(0, 100) }],
  ];
  for (const [path, query] of looked) await done(client.get(`/api/v1/${path}?${new URLSearchParams(query).toString()}`));
}

/** A lead that became a member, and one that has the member's email. */
async function plantLead({ client, canaries, topCode }: Ground): Promise<string> {
  const at = (field: string) => canaries.in(`captureLead body.${field}`);
  const fields = ['name', 'phone', 'source', 'utm_source', 'utm_medium', 'utm_campaign', 'click_id'];
  const lead = { ...Object.fromEntries(fields.map((field) => [field, at(field)])), referral_code: topCode };
  await done(client.post('/api/v1/leads/capture', { ...lead, email: mailOf(canaries.in('updateUser body.email')) }));
  const { id } = await done(
    client.post('/api/v1/leads/capture', { ...lead, email: mailOf(at('email')), referral_code: at('referral_code') }),
  );
  const change = (field: string) => canaries.in(`updateLead body.${field}`);
  const changed = { name: change('name'), phone: change('phone'), source: change('source') };
  await done(client.patch(`/api/v1/leads/${id}`, changed));
  const become = (field: string) => canaries.in(`convertLead body.${field}`);
  const answer = await done(
    client.post(`/api/v1/leads/${id}/convert`, { name: become('name'), external_id: become('external_id') }),
  );
  return (answer['user'] as { id: string }).id;
}

async function plantByExternalId({ app, client, canaries }: Ground): Promise<string> {
  const at = (field: string) => canaries.in(`putUser ${field}`);
  const made = { email: mailOf(at('body.email')), name: at('body.name') };
  const { id } = await done(client.put(`/api/v1/users/by-external-id/${encodeURIComponent(at('path.external_id'))}`, made));
  const linked = { providerId: 'canary', subject: canaries.in('linkIdentity body.subject') };
  await plantProvider(client, linked.providerId, app.issuer.issuerUrl);
  await done(client.post(`/api/v1/members/${id}/identities`, linked));
  return id;
}

async function plantProvider(client: ApiClient, providerId: string, issuerUrl: string): Promise<void> {
  const provider = { providerId, issuerUrl, allowedAudiences: ['app'], trustEmail: true, autoCreateUsers: true };
  await done(client.post('/api/v1/admin/auth/providers', provider));
}

async function plantExchange({ app, tenant, client, canaries }: Ground): Promise<string> {
  const claim = (name: string) => canaries.in(`exchangeToken body.token, ${name}`);
  const token = await new SignJWT({
    email: mailOf(claim('email')),
    email_verified: true,
    name: claim('name'),
    given_name: claim('given_name'),
  })
    .setProtectedHeader({ alg: 'ES256', kid: app.issuer.kid })
    .setIssuer(app.issuer.issuerUrl)
    .setAudience('app')
    .setSubject(claim('sub'))
    .setJti(claim('jti'))
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(app.issuer.privateKey);
  const asked = app.http.post('/api/v1/auth/exchange').set('x-tenant-id', tenant.tenantId);
  const session = await done(
    asked.set('user-agent', canaries.in('exchangeToken, the header User-Agent')).send({
      provider: 'canary',
      token,
      referralCode: canaries.in('exchangeToken body.referralCode'),
      clickId: canaries.in('exchangeToken body.clickId'),
    }),
  );
  const own = await done(client.get('/api/v1/members/me', { authorization: `Bearer ${session['accessToken'] as string}` }));
  return own['id'] ?? own['userId'];
}

/** A member by a file, and rows that fail, named by the same person. */
async function plantImport({ app, tenant, canaries }: Ground): Promise<string[]> {
  const at = (field: string) => canaries.in(`createImport, the column ${field}`);
  const person = `${mailOf(at('email'))},${at('name')},${at('external_id')},${at('referral_code').toUpperCase()}`;
  const csv = `email,name,external_id,referral_code\n${person}\n${person}\n${at('no_email')},${at('name')},,\n`;
  await importCsv(app, tenant.liveKey, csv);
  const named = await sendCsv(app, tenant.liveKey, csv, {
    mode: `validate&fileName=${canaries.in('createImport query.fileName')}.csv`,
  });
  if (named.status !== 201) throw new Error(`no import: ${JSON.stringify(named.body)}`);
  await runJobs(app, 'run-import');
  const [row] = await app.database.asSuperuser<{ id: string }>('select id from member where external_id = $1', [
    at('external_id'),
  ]);
  return row ? [row.id] : [];
}
