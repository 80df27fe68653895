/**
 * Themes, languages and texts that would do something if the frame put them in as they are. Sources:
 * docs/specification/widget.md#theme, docs/specification/widget.md#locale.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { beginWidget } from '../support/widget/widget-session.ts';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults, hostilityFaults, widthFaults } from './support/examine.ts';
import { MARKUP, TURNING } from './support/hostile-words.ts';
import { type HostSite, startHost } from './support/widget-host.ts';
import { choose, drawn, NARROW, showWidget } from './support/widget-page.ts';
import { openWidgetShop, type WidgetShop } from './support/widget-shop.ts';

let browser: Browser;
let shop: WidgetShop;
let host: HostSite;
beforeAll(async () => {
  [browser, shop, host] = await Promise.all([startBrowser(), openWidgetShop(), startHost()]);
});
afterAll(async () => {
  await browser.close();
  host.close();
});

const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(7);
const WORDS = [
  ...MARKUP,
  TURNING,
  LONG,
  `\u200B\u200D\u2060zero\uFEFFwidth\u200F`,
  'محمد بن عبد الله',
  `Z${'\u0335\u0321\u0327'.repeat(12)} \u{1F468}\u200D\u{1F469}\u200D\u{1F467}`,
  '__proto__',
  // Without a blank: names of others are cut at the first.
  '<b/data-hostile=13>bold',
];

const at = (theme: unknown, mode: 'light' | 'dark' = 'light') => ({ theme, look: { theme: mode, width: NARROW } }) as const;

describe('a look of the host page that is none', () => {
  const looks: Record<string, unknown> = {
    'a colour by name': { accent: 'red' },
    'a colour that ends a rule': { accent: '#fff;}*{display:none!important' },
    'an address as a colour': { accent: 'url(https://evil.example/x)' },
    'a font that ends a rule': { fontFamily: 'a";}*{display:none}' },
    'a font from elsewhere': { fontFamily: "x, url('https://evil.example/f')" },
    'styles of its own': { css: '*{display:none}' },
    'a corner without an end': { corner: 1e9 },
    'no number': { corner: '8px;}' },
    'a list': [{ accent: '#ff0000' }],
    'a text that is no JSON': '{"accent":',
    'a number': 5,
    'very much of it': { fontFamily: 'a'.repeat(20_000) },
    'the name of what all objects have': JSON.parse('{"__proto__":{"accent":"#000000"}, "constructor": 1}'),
  };

  test.each(Object.keys(looks))('%s: it is told, and the page is drawn without it', async (what) => {
    const shown = await showWidget(browser, host, await shop.begin([host.origin]), at(looks[what]));
    const frame = await shown.frame();
    expect(await shown.errors()).toEqual(['theme']);
    expect(await frame.locator('.card').first().isVisible()).toBe(true);
    expect(await hostilityFaults(frame)).toEqual([]);
    expect(await shown.faults()).toEqual([]);
    await shown.close();
  });

  test('a ring: the same', async () => {
    const shown = await showWidget(browser, host, await shop.begin([host.origin]), {
      ...at(undefined),
      atOnce: true,
      tokens: [''],
    });
    await shown.page.evaluate('widget.destroy(); undefined');
    const given = await shop.begin([host.origin]);
    await shown.page.evaluate(`(async () => {
      const theme = {}; theme.self = theme; heard.length = 0;
      const { mount } = await import('${shop.service}/widget/embed.js');
      mount({ element: document.querySelector('#here'), theme, onError: ({ code }) => heard.push(code), ...${JSON.stringify({ embedUrl: given.embedUrl })},
        getToken: () => ${JSON.stringify(given.widgetToken)} }); })()`);
    await drawn(await shown.frame());
    expect(await shown.errors()).toEqual(['theme']);
    await shown.close();
  });
});

describe('an accent', () => {
  test.each(['#ffff00', '#ffffff', '#000000', '#808080'])('of %s can be read, by day and by night', async (accent) => {
    for (const mode of ['light', 'dark'] as const) {
      const shown = await showWidget(browser, host, await shop.begin([host.origin]), at({ accent, corner: 24, mode }, mode));
      const frame = await shown.frame();
      await choose(frame, 1);
      expect(await accessibilityFaults(frame)).toEqual([]);
      const { corner, ground } = await frame.evaluate<{ corner: string; ground: string }>(
        "({ corner: getComputedStyle(document.querySelector('.card')).borderRadius, ground: getComputedStyle(document.documentElement).backgroundColor })",
      );
      expect(corner).toBe('24px');
      expect(ground).toBe(mode === 'light' ? 'rgb(246, 247, 249)' : 'rgb(15, 17, 21)');
      expect(await shown.errors()).toEqual([]);
      await shown.close();
    }
  });

  test('and a mode of the host page count over those of the session and of the reader', async () => {
    const given = await shop.begin([host.origin], undefined, { theme: { mode: 'light', fontFamily: 'Georgia, serif' } });
    const shown = await showWidget(browser, host, given, at('{"mode":"dark"}', 'light'));
    const frame = await shown.frame();
    const look =
      '(({ backgroundColor, fontFamily }) => backgroundColor + fontFamily)(getComputedStyle(document.documentElement))';
    expect(await frame.evaluate(look)).toMatch(/^rgb\(15, 17, 21\)"?Georgia"?, serif/);
    expect(await shown.faults()).toEqual([]);
    await shown.close();
  });
});

describe('a language', () => {
  const languages: [string, unknown, string][] = [
    ['that is none', 'xx', 'en'],
    ['with digits of its own', 'de-DE-u-nu-arab', 'de-DE'],
    ['without an end', 'de-'.repeat(400), 'en'],
    ['that is markup', '<script>alert(1)</script>', 'en'],
    ['that is a path', '../../words-de', 'en'],
    ['that all objects have', 'constructor', 'en'],
    ['that is no text', { toString: 'de' }, 'en'],
    ['that is empty', '', 'en'],
    ['that is underlined', 'de_DE', 'en'],
    ['that is written from the right', 'ar', 'en'],
  ];
  test.each(languages)('%s', async (_what, locale, expected) => {
    const shown = await showWidget(browser, host, await shop.begin([host.origin]), {
      locale,
      look: { theme: 'light', width: NARROW },
    });
    const frame = await shown.frame();
    expect(await frame.evaluate('document.documentElement.lang')).toMatch(new RegExp(`^${expected}`));
    const text = await frame.evaluate<string>('document.body.innerText');
    expect(text).toMatch(/€\s?\d|\d\s?€/);
    expect(text).toContain(expected === 'en' ? 'Next payout' : 'Nächste Auszahlung');
    expect(await hostilityFaults(frame)).toEqual([]);
    expect(await widthFaults(frame)).toEqual([]);
    expect(await shown.faults()).toEqual([]);
    expect(await shown.errors()).toEqual([]);
    await shown.close();
  });
});

describe('a text of the tenant or of a member', () => {
  let client: ApiClient;
  let memberId: string;
  let planted = 0;
  beforeAll(async () => {
    client = apiClient(shop.app, (await shop.app.newTenant({ currency: 'EUR' })).sandboxKey);
    const settings = { referrals: { allowedDestinationHosts: ['shop.example'] }, members: { downlineVisibility: 'full' } };
    const { status, text } = await client.patch('/api/v1/admin/settings', settings);
    expect(status, text).toBe(200);
    const { id } = await client.newMember({ name: 'Vic', membership_tier: 'DIRECTOR' });
    memberId = id;
    for (const name of WORDS) {
      planted +=
        (await client.post('/api/v1/users', { email: `${crypto.randomUUID()}@x.example`, name, parent_id: id })).status === 201
          ? 1
          : 0;
      const destination_url = `https://shop.example/?q=${name.slice(0, 200)}`;
      const link = { user_id: id, name: name.slice(0, 255), destination_url };
      const made = await client.post('/api/v1/referrals/links', link);
      if (made.status !== 201)
        await client.post('/api/v1/referrals/links', { ...link, destination_url: 'https://shop.example/' });
    }
  });

  test.each([1, 3])('is shown as a text: page %i', async (nr) => {
    expect(planted).toBeGreaterThan(15);
    const given = await beginWidget(client, memberId, { allowedOrigins: [host.origin] });
    const shown = await showWidget(browser, host, given, { look: { theme: 'light', width: NARROW } });
    const frame = await shown.frame();
    await choose(frame, nr);
    const rows = () => frame.locator('.row').count();
    while ((await frame.locator('.more button').count()) > 0) {
      const before = await rows();
      await frame.locator('.more button').click();
      await expect.poll(rows).toBeGreaterThan(before);
    }
    expect(await rows()).toBeGreaterThan(15);
    for (const one of await frame.locator('[aria-controls]', { hasText: 'QR' }).all()) await one.click();
    if (nr === 1) await expect.poll(() => frame.locator('img.qr').count()).toBeGreaterThan(15);
    // The pictures are of the frame's own making.
    expect((await hostilityFaults(frame)).filter((fault) => !fault.includes(`blob:${shop.service}`))).toEqual([]);
    expect(await widthFaults(frame)).toEqual([]);
    expect(await accessibilityFaults(frame)).toEqual([]);
    expect(await shown.faults()).toEqual([]);
    await shown.close();
  });

  test('that a member types becomes a text of its link', async () => {
    const given = await beginWidget(client, (await client.newMember()).id, { allowedOrigins: [host.origin] });
    const shown = await showWidget(browser, host, given, { look: { theme: 'light', width: NARROW } });
    const frame = await shown.frame();
    await choose(frame, 1);
    for (const [nr, word] of WORDS.slice(0, 4).entries()) {
      if (nr > 0) await frame.locator('summary').click();
      await frame.locator('[name=name]').fill(word);
      await frame.locator('[type=submit]').click();
      await expect.poll(() => frame.locator('.row').count()).toBe(nr + 1);
      expect(await frame.locator('.row strong').first().textContent()).toBe(word);
    }
    await frame.locator('summary').click();
    for (const [field, word] of [
      ['destinationUrl', 'javascript:alert(1)'],
      ['destinationUrl', 'https://evil.example/'],
      ['slug', '"><b data-hostile>'],
    ] as const) {
      const before = await frame.locator(`[name=${field}]`).inputValue();
      await frame.locator(`[name=${field}]`).fill(word ?? '');
      await frame.locator('[type=submit]').click();
      await expect.poll(() => frame.locator(`[name=${field}]`).getAttribute('aria-invalid')).toBe('true');
      expect(await frame.locator(`[name=${field}]`).inputValue()).toBe(word);
      await frame.locator(`[name=${field}]`).fill(before);
    }
    expect(await frame.locator('.row').count()).toBe(4);
    expect(await hostilityFaults(frame)).toEqual([]);
    expect(await widthFaults(frame)).toEqual([]);
    expect(await accessibilityFaults(frame)).toEqual([]);
    expect(await shown.faults()).toEqual([]);
    await shown.close();
  });
});
