/**
 * What the access matrix runs against: two tenants with both environments, each of the four sides
 * with the same objects, and every text in them a canary that no other side may ever be shown.
 */
import { randomBytes } from 'node:crypto';
import type { Environment } from '../../../src/db/scope.ts';
import { defaultPlanFor } from '../../../src/features/commissions/open/plan-definition.ts';
import { house } from '../../../src/features.ts';
import { scopesOf } from '../../../src/house/house.ts';
import { hashApiKey } from '../../../src/http/authenticate.ts';
import { type CallAnswer, call } from '../app/http-call.ts';
import type { TestApp } from '../app/test-app.ts';
import { gatherFromFeatures } from '../gather.ts';
import { plantSession } from '../identity/sessions.ts';
import { plantDocument, plantRecord, plantRequired } from '../kyc/kyc-records.ts';
import { accountsPath, COMPLETE_PROFILE, sepaAccount } from '../payments/payout-accounts.ts';
import type { PlantOnSide } from './matrix-row.ts';

export interface Side {
  name: string;
  tenantId: string;
  environment: Environment;
  key: string;
  root: { id: string; email: string; referralCode: string };
  child: { id: string; email: string };
  /** Below the child. */
  grandchild: { id: string };
  /** Beside the child. */
  sibling: { id: string };
  /** Credited to the root. */
  lead: { id: string; receiptId: string };
  purchase: { eventId: string; externalEventId: string; customerExternalId: string; commissionId: string };
  /** Keys that nobody calls with. */
  keyIds: { toRevoke: string; toRoll: string };
  cursor: string;
  eventCursor: string;
  commissionCursor: string;
  /** Of the root's downline, and of the grandchild's upline. */
  downlineCursor: string;
  uplineCursor: string;
  /** A plan with a version for the far future, and some that can be deleted. */
  planId: string;
  /** Of the grandchild; good for one use. */
  spareRefreshToken: string;
  sparePlanIds: string[];
  authProvider: { id: string; providerId: string; issuerUrl: string };
  /** A member outside the tree with two payout accounts, and a cursor behind the first. */
  payee: { id: string; accountId: string; cursor: string };
  /** Some that can be deleted. */
  spareAuthProviderIds: string[];
  /** A pending verification of a member beside the others, and one of its documents. */
  kycReview: { kycId: string; documentId: string };
  canaries: string[];
}

export interface World {
  app: TestApp;
  /** A LIVE, A SANDBOX, B LIVE, B SANDBOX. */
  sides: Side[];
  /** Keys that must not work, by what is wrong with them. */
  badKeys: Record<'revoked' | 'disabled' | 'expired', string>;
  /** A LIVE key with every scope but this one. */
  keysWithout: Readonly<Record<string, string>>;
}

export async function plantWorld(app: TestApp): Promise<World> {
  const { tenants } = app;
  const sides: Side[] = [];
  for (const tenant of ['A', 'B']) {
    const { tenantId, liveKey, sandboxKey } = await app.newTenant();
    sides.push(await plantSide(app, { name: `${tenant} LIVE`, tenantId, environment: 'LIVE', key: liveKey }));
    sides.push(await plantSide(app, { name: `${tenant} SANDBOX`, tenantId, environment: 'SANDBOX', key: sandboxKey }));
  }
  const tenantId = sides[0]?.tenantId ?? '';
  const newKey = (scopes?: string[]) => tenants.createKey({ tenantId, environment: 'LIVE', scopes });
  const [revoked, disabled, expired] = await Promise.all([newKey(), newKey(), newKey()]);
  await tenants.stopKey(revoked.keyId, 'revoke');
  await tenants.stopKey(disabled.keyId, 'disable');
  await app.database.asSuperuser("update api_key set expires_at = now() - interval '1 second' where id = $1", [expired.keyId]);
  const keysWithout: Record<string, string> = {};
  const keyIdsWithout: string[] = [];
  const scopes = scopesOf(house);
  for (const scope of scopes) {
    const { apiKey, keyId } = await newKey(scopes.filter((other) => other !== scope));
    keysWithout[scope] = apiKey;
    keyIdsWithout.push(keyId);
  }
  // Of the family of the side's key: what that one was answered is stored for them too, were they not refused first.
  const [first] = sides;
  await app.database.asSuperuser(
    `update api_key set family_id = (select id from api_key where hash = $3)
     where tenant_id = $1 and environment = 'LIVE' and id = any ($2)`,
    [tenantId, keyIdsWithout, hashApiKey(app.config.secrets.apiKeyPepper, first?.key ?? '')],
  );
  return {
    app,
    sides,
    badKeys: { revoked: revoked.apiKey, disabled: disabled.apiKey, expired: expired.apiKey },
    keysWithout,
  };
}

type SideStart = Pick<Side, 'name' | 'tenantId' | 'environment' | 'key'>;

async function plantSide(app: TestApp, start: SideStart): Promise<Side> {
  const side = await plantObjects(app, start);
  for (const { name, value } of await gatherFromFeatures('matrix*.ts')) {
    if (name === 'plantOnSide') await (value as PlantOnSide)(app, side);
  }
  return side;
}

async function plantObjects(app: TestApp, start: SideStart): Promise<Side> {
  const mark = `canary${randomBytes(6).toString('hex')}`;
  const post = async (target: string, body: object): Promise<Record<string, string>> => {
    const answer = await call(app.baseUrl, { method: 'POST', target, headers: { 'x-tenant-api-key': start.key }, body });
    return bodyOf(answer, 201);
  };
  const member = (role: string, fields: object) =>
    post('/api/v1/users', {
      email: `${mark}-${role}@side.example`,
      name: `${mark} ${role} name`,
      external_id: `${mark}-${role}-external`,
      ...fields,
    });
  const root = await member('root', { membership_tier: 'DIRECTOR' });
  const child = await member('child', { parent_id: root['id'] });
  const grandchild = await member('grandchild', { parent_id: child['id'] });
  const sibling = await member('sibling', { parent_id: root['id'] });
  const payee = await plantPayee(app, start, await member('payee', {}));
  const lead = await post('/api/v1/leads/capture', {
    email: `${mark}-lead@side.example`,
    name: `${mark} lead name`,
    phone: mark.slice(0, 32),
    source: `${mark} source`,
    referral_code: root['referral_code'],
  });
  const customerExternalId = `${mark}-customer`;
  const newKeyId = async (use: string) => (await post('/api/v1/admin/api-keys', { name: `${mark} ${use}` }))['id'] ?? '';
  const keyIds = { toRevoke: await newKeyId('to revoke'), toRoll: await newKeyId('to roll') };
  const purchase = await post('/api/v1/events/purchase', {
    external_event_id: `${mark}-event`,
    amount_minor: 10_000,
    currency: 'USD',
    customer: { external_id: customerExternalId, email: `${mark}-customer@side.example`, name: `${mark} customer name` },
    attribution: { user_id: root['id'] },
    metadata: { note: `${mark} metadata` },
    line_items: [{ sku: `${mark} sku`, amount_minor: 10_000 }],
  });
  const [line] = (purchase as unknown as { commissions: { id: string }[] }).commissions;
  await post('/api/v1/events/refund', {
    external_event_id: `${mark}-refund`,
    purchase_external_event_id: `${mark}-event`,
    amount_minor: 1,
    reason: `${mark} reason`,
  });
  await post('/api/v1/events/commission', {
    external_event_id: `${mark}-bonus`,
    type: 'bonus',
    user_id: root['id'],
    amount_minor: 100,
    currency: 'USD',
    description: `${mark} description`,
    actor: `${mark} actor`,
  });
  /** The cursor behind the first row of a list. */
  const cursorOf = async (target: string, field: string): Promise<string> => {
    const list = await call(app.baseUrl, { method: 'GET', target, headers: { 'x-tenant-api-key': start.key } });
    return bodyOf(list, 200)[field] ?? '';
  };
  const kyc = await call(app.baseUrl, {
    method: 'POST',
    target: `/api/v1/members/${root['id']}/kyc/start`,
    headers: { 'x-tenant-api-key': start.key },
    body: {},
  });
  const plan = await post('/api/v1/commission-plans', { name: `${mark} plan`, definition: defaultPlanFor('USD') });
  const version = await post(`/api/v1/commission-plans/${plan['id']}/publish`, { effectiveFrom: '2099-01-01T00:00:00Z' });
  const authProvider = await post('/api/v1/admin/auth/providers', {
    providerId: `${mark}-provider`,
    issuerUrl: app.issuer.issuerUrl,
    allowedAudiences: [`${mark} audience`],
  });
  const applicant = await member('applicant', {});
  const kycReview = await plantReview(app, start, { memberId: applicant['id'] ?? '', mark });
  const ids = [authProvider, applicant, root, child, grandchild, sibling, lead, plan, version].map((body) => body['id'] ?? '');
  return {
    ...start,
    root: { id: root['id'] ?? '', email: root['email'] ?? '', referralCode: root['referral_code'] ?? '' },
    child: { id: child['id'] ?? '', email: child['email'] ?? '' },
    grandchild: { id: grandchild['id'] ?? '' },
    sibling: { id: sibling['id'] ?? '' },
    lead: { id: lead['id'] ?? '', receiptId: lead['attribution_receipt_id'] ?? '' },
    purchase: {
      eventId: purchase['event_id'] ?? '',
      externalEventId: `${mark}-event`,
      customerExternalId,
      commissionId: line?.id ?? '',
    },
    keyIds,
    cursor: await cursorOf('/api/v1/users?limit=1', 'next_cursor'),
    eventCursor: await cursorOf('/api/v1/events?limit=1', 'next_cursor'),
    commissionCursor: await cursorOf('/api/v1/commissions?limit=1', 'nextCursor'),
    downlineCursor: await cursorOf(`/api/v1/members/${root['id']}/downline?limit=1`, 'nextCursor'),
    uplineCursor: await cursorOf(`/api/v1/members/${grandchild['id']}/upline?limit=1`, 'nextCursor'),
    planId: plan['id'] ?? '',
    spareRefreshToken: (await plantSession(app, start, grandchild['id'] ?? '')).refreshToken,
    sparePlanIds: await plantSparePlans(app, start),
    authProvider: { id: authProvider['id'] ?? '', providerId: `${mark}-provider`, issuerUrl: app.issuer.issuerUrl },
    payee,
    spareAuthProviderIds: await plantSpareProviders(app, start),
    kycReview,
    canaries: [
      mark,
      start.key,
      ...Object.values(keyIds),
      ...Object.values(kycReview),
      purchase['event_id'] ?? '',
      root['referral_code'] ?? '',
      child['referral_code'] ?? '',
      grandchild['referral_code'] ?? '',
      sibling['referral_code'] ?? '',
      bodyOf(kyc, 200)['kycRecordId'] ?? '',
      payee.id,
      payee.accountId,
      ...ids,
    ],
  };
}

async function plantPayee(app: TestApp, { key }: SideStart, member: Record<string, string>): Promise<Side['payee']> {
  const id = member['id'] ?? '';
  const headers = { 'x-tenant-api-key': key };
  const send = (method: string, target: string, body?: object) => call(app.baseUrl, { method, target, headers, body });
  bodyOf(await send('PATCH', `/api/v1/members/${id}/profile`, COMPLETE_PROFILE), 200);
  const account = bodyOf(await send('POST', accountsPath(id), sepaAccount()), 201);
  bodyOf(await send('POST', accountsPath(id), sepaAccount()), 201);
  const { nextCursor = '' } = bodyOf(await send('GET', `${accountsPath(id)}?limit=1`), 200);
  return { id, accountId: account['id'] ?? '', cursor: nextCursor };
}

/** For as many deletions as a suite may try. */
async function plantSparePlans({ database }: TestApp, { tenantId, environment }: SideStart): Promise<string[]> {
  const rows = await database.asSuperuser<{ id: string }>(
    `insert into commission_plan (tenant_id, environment, name) select $1, $2, 'Spare' from generate_series(1, 500) returning id`,
    [tenantId, environment],
  );
  return rows.map(({ id }) => id);
}

async function plantSpareProviders({ database, issuer }: TestApp, { tenantId, environment }: SideStart): Promise<string[]> {
  const rows = await database.asSuperuser<{ id: string }>(
    `insert into auth_provider (tenant_id, environment, provider_id, issuer_url, jwks_uri, allowed_audiences, auto_create_users,
                                trust_email)
     select $1, $2, 'spare-' || lower($2) || n, $3, $4, '{app}', true, false from generate_series(1, 500) n returning id`,
    [tenantId, environment, issuer.issuerUrl, issuer.jwksUri],
  );
  return rows.map(({ id }) => id);
}

async function plantReview(
  app: TestApp,
  start: SideStart,
  { memberId, mark }: { memberId: string; mark: string },
): Promise<Side['kycReview']> {
  const kycId = await plantRecord(app, start, { memberId, assignedTo: mark });
  await plantRequired(app, start, kycId);
  const document = await plantDocument(app, start, kycId, 'proof_of_address', { fileName: `${mark}.png` });
  return { kycId, documentId: document.id };
}

function bodyOf(answer: CallAnswer, status: number): Record<string, string> {
  if (answer.status !== status) throw new Error(`the world could not be planted: ${answer.status} ${answer.text}`);
  return answer.json as Record<string, string>;
}

/** The members that a member reaches: itself and those below it. */
export function reachOf({ root, child, grandchild, sibling }: Side, memberId: string): string[] {
  if (memberId === root.id) return [root.id, child.id, grandchild.id, sibling.id];
  return memberId === child.id ? [child.id, grandchild.id] : [memberId];
}

/** The first foreign canary in an answer that the caller did not send; undefined when there is none. */
export function findLeak(world: World, side: Side | undefined, sent: string, shown: string): string | undefined {
  for (const other of world.sides) {
    if (other === side) continue;
    const ownTenant = side?.tenantId === other.tenantId;
    const canaries = ownTenant ? other.canaries : [...other.canaries, other.tenantId];
    const leaked = canaries.find((canary) => shown.includes(canary) && !sent.includes(canary));
    if (leaked !== undefined) return `${leaked} of ${other.name}`;
  }
  return undefined;
}
