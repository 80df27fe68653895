/** What a soak does beside sales: the longer ways through the service, one after the other, again and again. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { fetch as send } from 'undici';
import type { TestIssuer } from '../support/identity/test-issuer.ts';
import type { Answer, Request } from '../support/trial/caller.ts';
import type { Tenant } from '../support/trial/shop.ts';
import type { Trial } from '../support/trial/trial.ts';

const AUDIENCE = 'soak-app';
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const DOCUMENTS = ['government_id_front', 'government_id_back', 'selfie'];

export interface Chores {
  /** Does the next one to its end. */
  next(): Promise<void>;
  /** By name, how often each was done. */
  done: Record<string, number>;
}

export async function openChores(trial: Trial, tenant: Tenant, issuer: TestIssuer): Promise<Chores> {
  const { liveKey, sandboxKey, tenantId } = tenant;

  /** Sends until it is answered; throws unless the answer is a success. */
  async function call<Body = Record<string, unknown>>(wanted: Omit<Request, 'key'> & { key?: string }): Promise<Body> {
    const answer: Answer = await trial.caller.send({ key: liveKey, ...wanted });
    if (answer.status >= 300) throw new Error(`${wanted.method} ${wanted.path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer.json as Body;
  }
  const post = <Body = Record<string, unknown>>(path: string, body: object = {}, key = liveKey): Promise<Body> =>
    call<Body>({ method: 'POST', path, key, body, idempotencyKey: randomUUID() });
  const get = <Body = Record<string, unknown>>(path: string, key = liveKey): Promise<Body> =>
    call<Body>({ method: 'GET', path, key });
  const newMember = (key = liveKey): Promise<{ id: string; referral_code: string }> =>
    post('/api/v1/users', { email: `${randomUUID()}@soak.example`, membership_tier: 'SENIOR' }, key);

  const { providerId } = await post<{ providerId: string }>('/api/v1/admin/auth/providers', {
    providerId: 'soak-login',
    issuerUrl: issuer.issuerUrl,
    allowedAudiences: [AUDIENCE],
  });

  /** A person comes in by the tenant's own provider, reads as itself, refreshes and leaves. */
  async function signIn(): Promise<void> {
    const token = await new SignJWT({ email: `${randomUUID()}@person.example`, name: 'Ada Example' })
      .setProtectedHeader({ alg: 'ES256', kid: issuer.kid })
      .setIssuer(issuer.issuerUrl)
      .setAudience(AUDIENCE)
      .setSubject(randomUUID())
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(issuer.privateKey);
    const body = { provider: providerId, token };
    const path = '/api/v1/auth/exchange';
    const session = await call<{ accessToken: string; refreshToken: string }>({
      method: 'POST',
      path,
      body,
      headers: { 'x-tenant-id': tenantId },
    });
    await call({ method: 'GET', path: '/api/v1/members/me', headers: { authorization: `Bearer ${session.accessToken}` } });
    const { refreshToken } = await post<{ refreshToken: string }>('/api/v1/auth/refresh', { refreshToken: session.refreshToken });
    await call({ method: 'POST', path: '/api/v1/auth/revoke', body: { token: refreshToken } });
  }

  /** A member is verified by documents, sent to the disk by signed URLs. */
  async function verify(): Promise<void> {
    const { id } = await newMember();
    const { kycRecordId } = await post<{ kycRecordId: string }>(`/api/v1/members/${id}/kyc/start`);
    for (const documentType of DOCUMENTS) {
      const file = { fileName: 'dot.png', mimeType: 'image/png' };
      const documents = `/api/v1/members/${id}/kyc/documents`;
      const upload = await post<{ uploadUrl: string; filePath: string }>(`${documents}/upload-url`, { ...file, documentType });
      const { pathname, search } = new URL(upload.uploadUrl);
      const sent = await send(`${trial.apis[0]?.baseUrl}${pathname}${search}`, {
        method: 'PUT',
        headers: { 'content-type': 'image/png' },
        body: DOT,
      });
      await sent.text();
      if (!sent.ok) throw new Error(`an upload was answered ${sent.status}`);
      await post(documents, { ...file, fileSize: DOT.length, filePath: upload.filePath });
    }
    await post(`/api/v1/admin/kyc/${kycRecordId}/approve`);
  }

  async function untilDone(path: string): Promise<void> {
    for (const until = Date.now() + 60_000; Date.now() < until; await sleep(250)) {
      const { status } = await get<{ status: string }>(path);
      if (status === 'completed') return;
      if (!['queued', 'running', 'pending'].includes(status)) throw new Error(`${path} is ${status}`);
    }
    throw new Error(`${path} was not done within 60 s`);
  }

  async function importMembers(): Promise<void> {
    const rows = Array.from({ length: 20 }, () => `${randomUUID()}@soak.example`);
    const { id } = await call<{ id: string }>({
      method: 'POST',
      path: '/api/v1/imports?kind=members&mode=apply',
      headers: { 'content-type': 'text/csv' },
      body: ['email', ...rows, ''].join('\n'),
      idempotencyKey: randomUUID(),
    });
    await untilDone(`/api/v1/imports/${id}`);
  }

  async function exportMembers(): Promise<void> {
    const { id } = await post<{ id: string }>('/api/v1/exports', { kind: 'members', format: 'csv', filters: { isActive: true } });
    await untilDone(`/api/v1/exports/${id}`);
    const { url } = await call<{ url: string }>({ method: 'POST', path: `/api/v1/exports/${id}/download-url`, body: {} });
    const { pathname, search } = new URL(url);
    const file = await send(`${trial.apis[0]?.baseUrl}${pathname}${search}`);
    const text = await file.text();
    if (!file.ok || !text.includes('email')) throw new Error(`an export was answered ${file.status}`);
  }

  /** A SANDBOX from nothing: sales, a clock that is moved, a run of payouts by the simulated vendor, and a reset. */
  async function payInSandbox(): Promise<void> {
    const key = sandboxKey;
    await post('/api/v1/sandbox/reset', {}, key);
    const payments = { provider: 'payvendor', requireKyc: false, accountCooldownHours: 0 };
    await call({ method: 'PATCH', path: '/api/v1/admin/settings', key, body: { payments } });
    const { id } = await newMember(key);
    const address = { addressLine1: '1 Main St', city: 'Boston', state: 'MA', postalCode: '02101', countryCode: 'USA' };
    const person = { givenName: 'Bob', surname: 'Lee', dateOfBirth: '1990-01-31', countryCode: 'USA', address };
    await call({ method: 'PATCH', path: `/api/v1/members/${id}/profile`, key, body: person });
    const bankAccount = { routingNumber: '110000000', accountNumber: '000123456789', accountHolderName: 'Bob Lee' };
    await post(`/api/v1/members/${id}/payout-accounts`, { methodType: 'us_bank_transfer', currency: 'USD', bankAccount }, key);
    const purchase = { amount_minor: 100_000, currency: 'USD', customer: { external_id: 'customer-1' } };
    await post('/api/v1/events/purchase', { external_event_id: randomUUID(), ...purchase, attribution: { user_id: id } }, key);
    await post('/api/v1/sandbox/clock', { advanceSeconds: 2_764_800 }, key);
    const run = await post<{ id: string; payoutCount: number }>('/api/v1/payout-runs', { currency: 'USD' }, key);
    await post(`/api/v1/payout-runs/${run.id}/approve`, {}, key);
    await post(`/api/v1/payout-runs/${run.id}/execute`, {}, key);
    for (const until = Date.now() + 60_000; ; await sleep(500)) {
      const { status } = await get<{ status: string }>(`/api/v1/payout-runs/${run.id}`, key);
      if (status === 'completed') return;
      if (Date.now() > until) throw new Error(`the payout run is ${status} after 60 s`);
    }
  }

  /** A link that is followed, and a key that is made, rolled and revoked. */
  async function keysAndLinks(): Promise<void> {
    const { id } = await newMember();
    const { url } = await post<{ url: string }>('/api/v1/referrals/links', {
      user_id: id,
      destination_url: 'https://shop.example/soak',
    });
    const followed = await send(`${trial.apis[0]?.baseUrl}${new URL(url).pathname}`, { redirect: 'manual' });
    await followed.text();
    if (followed.status !== 302) throw new Error(`a link was answered ${followed.status}`);
    const made = await call<{ id: string }>({
      method: 'POST',
      path: '/api/v1/admin/api-keys',
      body: { name: 'soak', scopes: ['users:read'] },
    });
    await call({ method: 'DELETE', path: `/api/v1/admin/api-keys/${made.id}` });
  }

  const all = { signIn, verify, keysAndLinks, importMembers, exportMembers, payInSandbox };
  const names = Object.keys(all) as (keyof typeof all)[];
  const done: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  let turn = 0;
  return {
    done,
    async next() {
      const name = names[turn++ % names.length] ?? 'signIn';
      await all[name]();
      done[name] = (done[name] ?? 0) + 1;
    },
  };
}
