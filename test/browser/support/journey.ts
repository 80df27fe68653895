/** A person's way through the pages by clicks alone: how many it took, how long, and what was wrong on the way. */
import type { Browser, Locator, Page } from 'playwright-core';
import { openAs } from './watched-page.ts';

export interface Journey {
  page: Page;
  /** Clicks what has that name, the first `within` a part of the page, and waits for where it leads. */
  click(name: string | RegExp, role?: 'link' | 'button' | 'option', within?: Locator): Promise<void>;
  clicks(): number;
  seconds(): number;
  /** What scripts and the policy had to say until now. */
  faults(): Promise<string[]>;
  /** The same, at its end. */
  end(): Promise<string[]>;
}

export async function beginJourney(browser: Browser, address: string, cookie?: string): Promise<Journey> {
  const { context, page, faults } = await openAs(browser, { theme: 'light', width: 1440 }, cookie);
  await page.goto(address);
  const began = performance.now();
  let clicks = 0;
  return {
    page,
    async click(name, role = 'link', within) {
      clicks += 1;
      await (within ?? page).getByRole(role, { name }).first().click();
      await page.waitForLoadState();
    },
    clicks: () => clicks,
    seconds: () => (performance.now() - began) / 1_000,
    faults,
    async end() {
      const found = await faults();
      await context.close();
      return found;
    },
  };
}
