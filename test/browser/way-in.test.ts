/** The pages that a provider and the links of mails lead to, as whoever opens them sees them. */
import { createHash, randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRefusals } from '../../src/features/mail/refusals.ts';
import { staffOf } from '../support/app/test-people.ts';
import type { ShopWorld } from '../support/pages/shop-world.ts';
import { setStaffProvider } from '../support/staff/staff-provider.ts';
import { startBrowser } from './support/chromium.ts';
import { lookAt } from './support/look-at.ts';
import { LOOKS } from './support/watched-page.ts';
import { openWorld } from './support/world.ts';

let browser: Browser;
let world: ShopWorld;
const links = { notMe: '', unsubscribe: '' };

beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  const { app, tenant, people } = world;
  const { tenantId } = tenant;
  const { sessions } = staffOf(app);
  const session = await sessions.resolve(people.owner.cookie);
  if (!session) throw new Error('the owner is not signed in');
  const owner = {
    staffId: session.staffId,
    tenantId,
    email: session.email,
    role: 'owner',
    cookie: people.owner.cookie,
    sessionId: session.id,
    session: async () => ({ ...session, hasFactor: true, hasFreshFactor: true }),
  } as const;
  const provider = { issuerUrl: app.issuer.issuerUrl, clientId: 'commissions', clientSecret: 'secret' };
  await setStaffProvider(app, owner, { isOn: true, ...provider });
  const token = randomBytes(32).toString('base64url');
  await app.database.asSuperuser(
    `insert into staff_challenge (tenant_id, kind, token_hash, staff_id, session_id, expires_at)
     values ($1, 'not_me', $2, $3, $4, now() + interval '1 hour')`,
    [tenantId, createHash('sha256').update(token).digest(), session.staffId, session.id],
  );
  const [member] = await app.database.asSuperuser<{ id: string }>(
    "select id from member where tenant_id = $1 and environment = 'LIVE' limit 1",
    [tenantId],
  );
  const { frames, ownAddress } = app.composition;
  const refusals = createRefusals({ frames, ownAddress, pepper: app.config.secrets.apiKeyPepper });
  links.notMe = `/dashboard/not-me/${token}`;
  links.unsubscribe = new URL(refusals.linkFor({ tenantId, environment: 'LIVE' }, member?.id ?? '')).pathname;
});
afterAll(() => browser.close());

describe.each(LOOKS)('in $theme, $width wide', (look) => {
  test.each([
    ['which tenant', () => '/dashboard/sign-in/sso', 200],
    ['the way to the provider', () => `/dashboard/sign-in/sso?tenant=${world.tenant.slug}`, 200],
    ['a tenant without a provider', () => '/dashboard/sign-in/sso?tenant=nobody', 404],
    ['an answer that does not hold', () => `/dashboard/sign-in/sso-callback/${world.tenant.tenantId}?code=x&state=y`, 403],
    ['this was not me', () => links.notMe, 200],
    ['a link that was used', () => '/dashboard/not-me/used', 404],
    ['signed out everywhere', () => `/dashboard/not-me-done?link=${'A'.repeat(43)}`, 200],
    ['no more mail', () => links.unsubscribe, 200],
    ['a link that is not ours', () => '/unsubscribe/x', 404],
  ])('%s', async (name, path, status) => {
    const address = world.origin + path();
    expect(await lookAt(browser, { address, look, status, picture: `way-in-${name.replaceAll(' ', '-')}` })).toEqual([]);
  });
});
