/** A host page in the browser with the frame in it, and all that either of them says, stores or asks. */
import type { Browser, BrowserContextOptions, Frame, Page, Request } from 'playwright-core';
import type { GivenToken } from '../../support/widget/widget-session.ts';
import { type Look, openContext } from './watched-page.ts';
import { type HostSite, hostPage, strictPolicy } from './widget-host.ts';

export interface Shown {
  page: Page;
  /** The document of the frame; waits for it. */
  frame(): Promise<Frame>;
  /** What `onError` heard. */
  errors(): Promise<string[]>;
  /** Violations of either policy, what a console says, dialogs, failed scripts, requests to anybody else. */
  faults(): Promise<string[]>;
  requests: Request[];
  close(): Promise<void>;
}

export interface Shows {
  look?: Look;
  /** Default the allowed one. */
  origin?: string;
  /** Tokens in their order; the last is given again and again. An empty one stands for a failure. Default the session's own. */
  tokens?: readonly string[];
  theme?: unknown;
  locale?: unknown;
  /** Does not wait until something is drawn. */
  atOnce?: boolean;
  /** Time goes on in the pages, and the test may hurry it. */
  clock?: boolean;
  context?: BrowserContextOptions;
}

/** At the widest place of a page of a tenant, and at the narrowest. */
export const NARROW = 320;

/** Opens a page under the strictest policy and mounts the frame in it, as the tenant's own script would. */
export async function showWidget(
  browser: Browser,
  host: HostSite,
  given: Pick<GivenToken, 'embedUrl' | 'widgetToken'>,
  shows: Shows = {},
): Promise<Shown> {
  const service = new URL(given.embedUrl).origin;
  const shown = await openHost(browser, service, shows);
  host.put('/', { body: hostPage(service, '<div id="here"></div>'), policy: strictPolicy(service) });
  await shown.page.goto(shows.origin ?? host.origin);
  await mountIn(shown.page, given, shows);
  if (!shows.atOnce) await drawn(await shown.frame());
  return shown;
}

/** A page of its own, watched; nothing is loaded yet. */
export async function openHost(browser: Browser, service: string, shows: Shows = {}): Promise<Shown> {
  const look = shows.look ?? { theme: 'light', width: 720 };
  const { context, page, faults } = await openContext(browser, look, shows.context);
  if (shows.clock) await page.clock.install();
  const requests: Request[] = [];
  const said: string[] = [];
  page.on('request', (request) => requests.push(request));
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) said.push(`console ${message.type()}: ${message.text()}`);
  });
  return {
    page,
    requests,
    frame: () => frameOf(page),
    errors: () => page.evaluate<string[]>('globalThis.heard ?? []'),
    async faults() {
      const ofFrames = await Promise.all(page.frames().slice(1).map(violationsOf));
      const foreign = new RegExp(`^asked another origin: ${service.replaceAll('.', '\\.')}/widget/`);
      return [...(await faults()).filter((one) => !foreign.test(one)), ...ofFrames.flat(), ...said.splice(0)];
    },
    close: () => context.close(),
  };
}

/** By the module that the page has loaded: importing it anew gives the same one, under the page's policy. */
export async function mountIn(
  page: Page | Frame,
  { embedUrl, widgetToken }: Pick<GivenToken, 'embedUrl' | 'widgetToken'>,
  { tokens = [widgetToken], theme, locale }: Shows = {},
): Promise<void> {
  const asked = { embedUrl, tokens, theme, locale, module: `${new URL(embedUrl).origin}/widget/embed.js` };
  await page.evaluate(`(async ({ module, tokens, ...options }) => {
    const { mount } = await import(module);
    Object.assign(globalThis, { heard: [], asked: 0 });
    globalThis.tokens = tokens;
    globalThis.widget = mount({
      element: document.querySelector('#here'),
      getToken: async () => {
        const token = globalThis.tokens[Math.min(globalThis.asked++, globalThis.tokens.length - 1)];
        if (!token) throw new Error('no token');
        return token;
      },
      onError: ({ code }) => heard.push(code),
      ...options,
    });
  })(${JSON.stringify(asked)})`);
}

async function frameOf(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('iframe', { state: 'attached' });
  const frame = await element.contentFrame();
  if (!frame) throw new Error('the iframe has no document');
  return frame;
}

/** Waits until the page that is chosen says something. */
export async function drawn(frame: Frame): Promise<void> {
  await frame.waitForSelector('main:not([aria-busy]) > :not(.unseen)');
  await frame.locator('.skeleton, [aria-busy]').first().waitFor({ state: 'detached' });
}

/** Chooses a page of the frame by its tab. */
export async function choose(frame: Frame, nr: number): Promise<void> {
  await frame.locator('[role=tab]').nth(nr).click();
  await drawn(frame);
}

async function violationsOf(frame: Frame): Promise<string[]> {
  // A document that the browser refused has nothing to ask.
  const found = await frame.evaluate<string[]>('globalThis.policyViolations?.splice(0) ?? []').catch(() => []);
  return found.map((text) => `policy of the frame: ${text}`);
}

/** How high the frame is drawn in the page around it, and how high it would like to be. */
export async function heights({ page }: Pick<Shown, 'page'>): Promise<{ given: number; wanted: number }> {
  const given = await page.evaluate<number>("document.querySelector('iframe').getBoundingClientRect().height");
  const frame = await frameOf(page);
  const wanted = await frame.evaluate<number>('Math.ceil(document.documentElement.getBoundingClientRect().height)');
  return { given, wanted };
}
