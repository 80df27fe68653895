/**
 * What pages look like in the states that their addresses alone do not bring about: lists of a reason, runs under way and
 * failed, books that differ, payouts that are frozen. Nothing for axe to find, nothing that the policy stops, no sideways
 * scroll. Source: docs/specification/pages.md#payouts.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { type PlantedPerson, plantPerson } from '../support/pages/plant-person.ts';
import { type PageTenant, pageTenant, requestPage, type ShopWorld } from '../support/pages/shop-world.ts';
import {
  act,
  approveKyc,
  type DraftBody,
  draft,
  earn,
  execute,
  payable,
  plantAccount,
  startPayouts,
} from '../support/payments/payout-world.ts';
import { startBrowser } from './support/chromium.ts';
import { lookAt } from './support/look-at.ts';
import type { Look } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

const LOOKS: readonly Look[] = [
  { theme: 'dark', width: 360 },
  { theme: 'light', width: 1440 },
];

interface Shop {
  tenant: PageTenant;
  client: ApiClient;
  owner: PlantedPerson;
}

let browser: Browser;
let world: ShopWorld;
let shop: Shop;
/** Whose books are made to differ. */
let other: Shop;
/** By what has become of them. */
let runs: Record<'failed' | 'executing' | 'cancelled' | 'approved' | 'stale' | 'changed' | 'blocked' | 'differing', DraftBody>;
let documents: { kycId: string; ids: string[] };
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  [shop, other] = [await newShop(), await newShop()];
  runs = await plantRuns();
  documents = await documentsOfStory();
});
afterAll(() => browser.close());

async function newShop(): Promise<Shop> {
  const { app } = world;
  const tenant = await pageTenant(app, await app.newTenant({ currency: 'USD', timeZone: 'Europe/Berlin' }));
  const owner = await plantPerson(app.database.asSuperuser, tenant.tenantId, { role: 'owner' });
  return { tenant, owner, client: apiClient(app, tenant.liveKey) };
}

const sql = (text: string, values: unknown[] = []): Promise<unknown> => world.app.database.asSuperuser(text, values);

async function plantRuns(): Promise<typeof runs> {
  const { app } = world;
  const { client } = shop;
  const scopeOf = ({ tenant }: Shop) => ({ tenantId: tenant.tenantId, environment: 'LIVE' }) as const;
  const scope = scopeOf(shop);
  const settings = { schedule: [{ currency: 'USD', cadence: 'monthly', days: [1], cutoff: 'now' }] };
  await done(client.patch('/api/v1/admin/settings', { payments: settings }));
  const start = async (...amounts: number[]): Promise<DraftBody> => {
    for (const amount of amounts) await payable(app, scope, client, amount);
    const run = await execute(client);
    await startPayouts(app, scope);
    return run;
  };
  const failed = await start(9_000, 8_000, 7_000);
  for (const [nr, { id }] of failed.payouts.entries()) {
    const [deed, body] = nr === 0 ? ['settle', { reference: 'SEPA-7' }] : ['return', { reason: 'The account was closed' }];
    await done(client.post(`/api/v1/payouts/${id}/${deed}`, body));
  }
  // Whose payouts have failed are paid by it.
  const executing = await start(6_000);
  const next = async (amount: number): Promise<DraftBody> => {
    await payable(app, scope, client, amount);
    return draft(client);
  };
  const cancelled = await next(5_100);
  await act(client, cancelled.id, 'cancel');
  const approved = await draft(client);
  await act(client, approved.id, 'approve');
  const stale = await next(5_200);
  await sql("update payout_run set created_at = created_at - interval '25 hours' where id = $1", [stale.id]);
  const changed = await next(5_300);
  await hold(changed.payouts[0]?.userId ?? '');
  await hold((await payable(app, scope, client, 5_400)).id);
  const unverified = await client.newMember({ name: 'Una Unverified' });
  await plantAccount(app, scope, unverified.id);
  await earn(app, scope, client, unverified, 5_500);
  const accountless = await client.newMember({ name: 'Nora Nowhere' });
  await approveKyc(app, accountless.id);
  await earn(app, scope, client, accountless, 5_600);
  await earn(app, scope, client, await client.newMember({ name: 'Lou Little' }), 120);
  const blocked = await next(5_700);
  // For the draft as it would be.
  await payable(app, scope, client, 5_800);
  await payable(app, scopeOf(other), other.client, 6_000);
  return { failed, executing, cancelled, approved, stale, changed, blocked, differing: await draft(other.client) };
}

async function done(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`a state was refused: ${status} ${text}`);
}

const hold = (memberId: string): Promise<void> =>
  done(shop.client.put(`/api/v1/members/${memberId}/payout-hold`, { reason: 'Asks for another account' }));

async function documentsOfStory(): Promise<typeof documents> {
  const client = apiClient(world.app, world.tenant.liveKey);
  const { id } = world.story.members.cleo;
  const { body } = await client.get(`/api/v1/admin/kyc?userId=${id}`);
  const kycId = (body as { data: { id: string }[] }).data[0]?.id ?? '';
  const found = (await client.get(`/api/v1/admin/kyc/${kycId}`)).body as { documents: { id: string }[] };
  return { kycId, ids: found.documents.map((one) => one.id) };
}

/** The words are there once the state is reached. */
type State = [what: string, path: () => string, words: string];

const STATES: State[] = [
  ['runs, with drafts that wait and a schedule', () => '/payouts', 'Waiting for approval'],
  ['no run of a state', () => '/payouts?status=cancelled&currency=JPY', 'None matches these filters.'],
  ['a draft as it would be', () => '/payouts/runs/new?currency=USD', 'to 1 member'],
  ['a draft of nothing', () => '/payouts/runs/new?currency=JPY', 'No cleared commission in JPY'],
  ...['HELD', 'KYC_REQUIRED', 'NO_ACCOUNT', 'BELOW_MINIMUM', 'NAME_MISMATCH'].map(
    (reason): State => [`members left out: ${reason}`, () => `/payouts/runs/${runs.blocked.id}?reason=${reason}`, 'Left out: '],
  ),
  ['a draft older than a day', () => `/payouts/runs/${runs.stale.id}`, 'This draft is older than a day.'],
  ['its approval', () => `/payouts/runs/${runs.stale.id}/approve`, 'Look at it, and draw it again'],
  ['an approval of what has changed', () => `/payouts/runs/${runs.changed.id}/approve`, 'would be cancelled at the execution'],
  ['a run to be paid', () => `/payouts/runs/${runs.approved.id}/watch`, 'Pay US$'],
  ['a draft that is not approved, at its last step', () => `/payouts/runs/${runs.changed.id}/watch`, 'It is not approved yet.'],
  ['a run under way, paid by hand', () => `/payouts/runs/${runs.executing.id}/watch`, 'To be paid by hand'],
  ['a run that has failed in part', () => `/payouts/runs/${runs.failed.id}/watch`, 'The account was closed'],
  ['a run that was cancelled', () => `/payouts/runs/${runs.cancelled.id}/watch`, 'The run was cancelled.'],
  ['its approval', () => `/payouts/runs/${runs.cancelled.id}/approve`, 'The run was cancelled.'],
  ['a payout that was paid', () => `/payouts/${runs.failed.payouts[0]?.id}`, 'SEPA-7'],
  ['a payout that has failed', () => `/payouts/${runs.failed.payouts[1]?.id}`, 'Retry…'],
  ['a payout to be settled', () => `/payouts/${runs.executing.payouts[0]?.id}`, 'It is paid…'],
  ['a payout that waits', () => `/payouts/${runs.approved.payouts[0]?.id}`, 'Cancel it…'],
  ['payouts of a run', () => `/payouts/all?runId=${runs.failed.id}&status=failed`, 'It did not arrive'],
  [
    'accounts under another name, of which there are none',
    () => '/payouts/accounts?nameMatch=mismatch',
    'None matches these filters.',
  ],
  ['accounts of who is on hold', () => '/payouts/accounts?onHold=true', 'Member on hold'],
  ['what was judged after a restore', () => '/payouts/all?reconciled=recorded', 'Paid meanwhile, and entered.'],
  ['holds in force', () => '/payouts/holds', 'Asks for another account'],
  ['the years of a member', () => `/payouts/tax?member=${runs.failed.payouts[0]?.userId}`, 'The payouts one by one'],
  ['the years of nobody', () => '/payouts/tax?member=nobody-is-called-so', 'No single member has this id'],
];

describe.each(LOOKS)('in $theme, $width wide', (look) => {
  async function faultsOf({ tenant, owner }: Pick<Shop, 'tenant' | 'owner'>, path: string, words: string): Promise<string[]> {
    const address = pageAt(world, tenant, path);
    const { html } = await requestPage(world, { path: address.replace(world.origin, ''), cookie: owner.cookie });
    return [
      ...(html.includes(words) ? [] : [`says nothing of “${words}”`]),
      ...(await lookAt(browser, { address, look, cookie: owner.cookie })),
    ];
  }

  test.each(STATES)('%s', async (_what, path, words) => {
    expect(await faultsOf(shop, path(), words)).toEqual([]);
  });

  test('books that differ', async () => {
    const [payout] = runs.differing.payouts;
    const say = (by: number) => sql('update payout set amount_minor = amount_minor + $2 where id = $1', [payout?.id, by]);
    await say(1);
    try {
      for (const step of ['', '/approve'])
        expect(await faultsOf(other, `/payouts/runs/${runs.differing.id}${step}`, 'The books differ by')).toEqual([]);
    } finally {
      await say(-1);
    }
  });

  test('payouts that are frozen', async () => {
    await sql('update payout_freeze set frozen_at = now()');
    try {
      for (const path of ['', `/runs/${runs.approved.id}`, `/runs/${runs.approved.id}/watch`])
        expect(await faultsOf(shop, `/payouts${path}`, 'Payouts are frozen.')).toEqual([]);
    } finally {
      await sql('update payout_freeze set frozen_at = null');
    }
  });

  test('two documents of a verification, and one that was not named', async () => {
    const shows = [documents.ids.slice(0, 2).join('.'), documents.ids[2] ?? ''];
    const whose = { tenant: world.tenant, owner: world.people.owner };
    for (const show of shows)
      expect(await faultsOf(whose, `/verification/${documents.kycId}?show=${show}`, '<img src=')).toEqual([]);
  });
});
