/** A page of the browser, and everything it says that it should not: scripts that failed, what the policy stopped, dialogs. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { cookieNameOf } from '../../../src/features/staff/open/session-cookie.ts';

export type Theme = 'light' | 'dark';

export interface Look {
  theme: Theme;
  width: number;
}

/** The narrowest telephone and a usual screen. */
export const WIDTHS = [360, 1440] as const;
export const LOOKS: readonly Look[] = (['light', 'dark'] as const).flatMap((theme) => WIDTHS.map((width) => ({ theme, width })));

export interface WatchedContext {
  context: BrowserContext;
  page: Page;
  /** What was wrong since it was last asked. */
  faults(): Promise<string[]>;
}

export interface WatchOptions extends BrowserContextOptions {
  /** Origins that the page may ask besides its own, as a bucket's. */
  mayAsk?: readonly string[];
}

/** In every document before its own scripts: notes what the policy stops, in the frame's own memory. */
const NOTE_VIOLATIONS = `
  globalThis.policyViolations = [];
  addEventListener('securitypolicyviolation', (event) => {
    policyViolations.push(event.effectiveDirective + ' stopped ' + (event.blockedURI || 'inline') + ' at ' +
      (event.sourceFile || location.pathname) + ':' + event.lineNumber + ' ' + event.sample);
  });`;

/** Chromium says this of a failed request whatever the page does about it; the answer itself is watched instead. */
const OF_A_REQUEST = /^Failed to load resource/;

export async function openContext(
  browser: Browser,
  { theme, width }: Look,
  { mayAsk = [], ...options }: WatchOptions = {},
): Promise<WatchedContext> {
  const context = await browser.newContext({
    viewport: { width, height: width < 700 ? 800 : 900 },
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(20_000);
  await context.addInitScript({ content: NOTE_VIOLATIONS });
  let noted: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !OF_A_REQUEST.test(message.text()))
      noted.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => noted.push(`script: ${error.message}`));
  page.on('crash', () => noted.push('the page crashed'));
  page.on('dialog', (dialog) => {
    noted.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('response', (answer) => {
    if (answer.status() >= 500) noted.push(`${answer.status()} of ${answer.url()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    const own = page.url().startsWith('http') ? new URL(page.url()).origin : origin;
    if (protocol.startsWith('http') && origin !== own && !mayAsk.includes(origin))
      noted.push(`asked another origin: ${request.url()}`);
  });
  return {
    context,
    page,
    async faults() {
      const violations = await page.evaluate<string[]>('globalThis.policyViolations?.splice(0) ?? []');
      const all = [...noted, ...violations.map((text) => `policy: ${text}`)];
      noted = [];
      return all;
    },
  };
}

/** A browser's context in which somebody is signed in; nobody without a cookie. */
export async function openAs(browser: Browser, look: Look, cookie?: string, options?: WatchOptions): Promise<WatchedContext> {
  const watched = await openContext(browser, look, options);
  if (cookie === undefined) return watched;
  const session = { name: cookieNameOf(false), value: cookie, domain: 'localhost', path: '/' };
  await watched.context.addCookies([{ ...session, httpOnly: true, sameSite: 'Lax' }]);
  return watched;
}
