/** Dialogs of what cannot be taken back, open: in the picture that axe has of a page they are closed, and it finds nothing in them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import type { ShopWorld } from '../support/pages/shop-world.ts';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults, widthFaults } from './support/examine.ts';
import { type Look, openAs } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

let browser: Browser;
let world: ShopWorld;
let keyId: string;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  const client = apiClient(world.app, world.tenant.liveKey);
  const made = await client.post('/api/v1/admin/api-keys', { name: 'Of the dialogs', preset: 'reporting' });
  keyId = (made.body as { id: string }).id;
});
afterAll(() => browser.close());

const LOOKS: readonly Look[] = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 360 },
];

/** Opens the page, does the way to what is looked at, and says all that is wrong with it. */
async function look(path: string, look: Look, way: (page: Page) => Promise<void>): Promise<string[]> {
  const { context, page, faults } = await openAs(browser, look, world.people.owner.cookie);
  try {
    await page.goto(pageAt(world, world.tenant, path));
    await way(page);
    return [...(await accessibilityFaults(page)), ...(await widthFaults(page)), ...(await faults())];
  } finally {
    await context.close();
  }
}

const commission = (): string => `/commissions/${world.story.commissions[0]?.id}`;
const member = (): string => `/members/${world.story.members.dan.id}`;
const key = (): string => `/keys/${keyId}`;

describe.each(LOOKS)('in $theme, $width wide', (at) => {
  test.each([
    ['a hold of a commission', commission, 'Hold…', 'hold', 'Put this commission on hold?'],
    ['a void of a commission', commission, 'Void…', 'void', 'Void this commission for good?'],
    ['a hold of payouts', member, 'Hold payouts…', 'payout-hold', 'Hold'],
    ['an erasure', member, 'Erase…', 'erase-member', 'Erase the personal data of Dan Leaf?'],
    ['the roll of a key', key, 'Roll…', 'roll', 'Roll this key'],
    ['the revocation of a key', key, 'Revoke…', 'revoke', 'Revoke this key'],
  ] as const)('%s', async (_what, path, opener, id, title) => {
    const found = await look(path(), at, async (page) => {
      await page.getByRole('link', { name: opener, exact: true }).click();
      const dialog = page.locator(`dialog#${id}:modal`);
      await dialog.getByRole('heading', { name: title }).waitFor();
    });
    expect(found).toEqual([]);
  });

  test('a move, before it is confirmed', async () => {
    const { ada } = world.story.members;
    const found = await look(`${member()}/move?to=${ada.id}`, at, async (page) => {
      await page.getByRole('heading', { name: 'Dan Leaf moves under Ada Root, alone' }).waitFor();
      await page.getByRole('button', { name: 'Move Dan Leaf' }).waitFor();
    });
    expect(found).toEqual([]);
  });

  test('a key, shown once', async () => {
    const found = await look('/keys/new', at, async (page) => {
      await page.getByRole('textbox', { name: 'Name' }).fill(`Shown ${at.theme}`);
      await page.getByRole('button', { name: 'Make a key for LIVE' }).click();
      const dialog = page.locator('dialog#secret[open]');
      await dialog.getByRole('heading', { name: 'Your new key' }).waitFor();
      await dialog.getByRole('button', { name: 'Copy the key' }).waitFor();
    });
    expect(found).toEqual([]);
  });
});
