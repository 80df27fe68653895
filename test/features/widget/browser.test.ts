/** What browsers load of the widget: its size, what it must not use, its colours, its words and its sums. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@babel/parser';
import { describe, expect, test } from 'vitest';
import { FIRST_MODULES, joinModules } from '../../../src/features/widget/join-modules.ts';
import { widgetAssets } from '../../../src/features/widget/widget-assets.ts';
import type { Asset } from '../../../src/pages/asset-files.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../src/features/widget/browser');
const css = readFileSync(path.join(FOLDER, 'frame.css'), 'utf8');

const { embed, frame } = widgetAssets();

/** As it is served; undefined for what is part of another file. */
function served(name: string): Asset | undefined {
  if (name === 'embed.js') return embed;
  const version = frame.url('frame.js').split('/').at(-2) ?? '';
  return frame.find(version, name);
}

const loaded = readdirSync(FOLDER)
  .map((file) => file.replace(/\.ts$/, '.js'))
  .filter((name) => name.endsWith('.js') && served(name) !== undefined);

function textOf(name: string): string {
  return served(name)?.plain.toString() ?? '';
}

test('embed.js has at most 3,000 bytes', () => {
  expect(embed.plain.length).toBeGreaterThan(1000);
  expect(embed.plain.length).toBeLessThanOrEqual(3000);
});

test('the first view has at most 40 kB beside its page and its figures, which leave room for 5 of them', () => {
  for (const language of ['words-en.js', 'words-de.js']) {
    const size = ['frame.css', 'frame.js', language].reduce((sum, name) => sum + (served(name)?.gzip.length ?? Number.NaN), 0);
    expect(size).toBeGreaterThan(5000);
    expect(size).toBeLessThanOrEqual(35_000);
  }
});

test('what is joined is one module in which no name stands twice, and nothing loads the parts of it', () => {
  expect(() => parse(textOf('frame.js'), { sourceType: 'module' })).not.toThrow();
  for (const part of FIRST_MODULES.slice(0, -1)) {
    expect(served(part), part).toBeUndefined();
    for (const name of loaded) expect(textOf(name), name).not.toContain(`'./${part}'`);
  }
  expect(textOf('links.js')).toContain("from './frame.js'");
});

test('every module that another one loads is there', () => {
  for (const name of loaded) {
    for (const [, other = ''] of textOf(name).matchAll(/'\.\/([\w-]+\.[jt]s)'/g))
      expect(served(other), `${other} of ${name}`).toBeDefined();
  }
});

test('an import by another name, of another form or of nothing is refused', () => {
  const kit = 'export const h = 1;';
  const join = (text: string): unknown => joinModules({ 'kit.js': kit, 'frame.js': text }, ['kit.js', 'frame.js']);
  expect(join("import { h } from './kit.js';\nh;")).toEqual({ 'frame.js': `${kit}\nh;` });
  expect(() => join("import { h as make } from './kit.js';")).toThrow('another name');
  expect(() => join("import * as kit from './kit.js';")).toThrow('form that is not known');
  expect(() => joinModules({ 'frame.js': '' }, ['kit.js', 'frame.js'])).toThrow('no module kit.js');
});

/** What would make markup of a text, keep something, or tell somebody else. */
const FORBIDDEN =
  /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|\beval\b|new Function|localStorage|sessionStorage|indexedDB|document\.cookie|\bcaches\b|\bhistory\b|console\.|sendBeacon|setAttribute\('style|setHTML/;

test.each(loaded)('%s makes no markup of texts, keeps nothing and logs nothing', (name) => {
  expect(FORBIDDEN.exec(textOf(name))?.[0]).toBeUndefined();
});

describe('colours', () => {
  const SCHEMES = ['light', 'dark'] as const;
  const colour = (name: string, scheme: 'light' | 'dark'): string => {
    const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css);
    const value = found?.[scheme === 'light' ? 1 : 2];
    if (value === undefined) throw new Error(`there is no colour ${name}`);
    return value;
  };
  const luminance = (hex: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one: string, other: string): number => {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const TEXTS = [
    ...['text', 'muted', 'accent', 'bad'].flatMap((text) => [
      [text, 'surface'],
      [text, 'ground'],
    ]),
    ['text', 'hover'],
    ['on-accent', 'accent'],
    ...['good', 'waiting', 'bad', 'moving', 'neutral'].map((tint) => [tint, `${tint}-tint`]),
  ] as [string, string][];

  test.each(TEXTS.flatMap(([text, ground]) => SCHEMES.map((scheme) => [text, ground, scheme] as const)))(
    'the text %s on %s is readable in the %s scheme',
    (text, ground, scheme) => {
      expect(contrast(colour(text, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each(SCHEMES)('the edge of a control can be seen in the %s scheme', (scheme) => {
    for (const ground of ['surface', 'ground']) {
      expect(contrast(colour('control', scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(3);
    }
  });
});

/** Texts of all depths, with those that functions make. */
function texts(words: unknown, at = ''): [string, string][] {
  if (typeof words === 'function') return [[at, String(words('commission', 'A', 'B'))]];
  if (typeof words === 'string') return [[at, words]];
  return Object.entries(words as object).flatMap(([name, value]) => texts(value, `${at}.${name}`));
}

describe('words', async () => {
  const [english, german] = await Promise.all(
    ['words-en.ts', 'words-de.ts'].map(async (name) => {
      const { words } = await import(/* @vite-ignore */ path.join(FOLDER, name));
      return texts(words);
    }),
  );

  test('no text of a language is empty, and none has what reads as a mistake', () => {
    for (const [at, text] of [...(english ?? []), ...(german ?? [])]) {
      expect(text, at).not.toBe('');
      expect(text, at).not.toMatch(/undefined|\[object|null| {2}/);
    }
  });

  test('what is the same in both languages is a word of both', () => {
    const same = english?.filter(([at, text], index) => german?.[index]?.[0] === at && german[index][1] === text);
    expect(same?.map(([at]) => at)).toEqual([
      '.dir',
      '.page.links',
      '.page.team',
      '.earnings.kind.bonus',
      '.why.rounded',
      '.team.tier.SENIOR',
      '.team.tier.MANAGER',
    ]);
  });
});

describe('figures and days', async () => {
  const kit = await import(/* @vite-ignore */ path.join(FOLDER, 'kit.ts'));
  const money = (amount: string, currency = 'EUR') => ({ amount, currency });

  test('a difference is exact, with the digits of the currency', () => {
    expect(kit.difference(money('20.00'), money('16.80'))).toEqual(money('3.20'));
    expect(kit.difference(money('0.05'), money('0.06'))).toEqual(money('-0.01'));
    expect(kit.difference(money('9999999999999.99'), money('-0.01'))).toEqual(money('10000000000000.00'));
    expect(kit.difference(money('500', 'JPY'), money('1', 'JPY'))).toEqual(money('499', 'JPY'));
    expect(kit.difference(money('1.000', 'KWD'), money('0.999', 'KWD'))).toEqual(money('0.001', 'KWD'));
  });

  test('an amount is drawn with every digit it has', () => {
    const { money: draw } = kit.makeFormat('en-GB', 'Europe/Berlin');
    expect(draw(money('9007199254740993.01'))).toBe('€9,007,199,254,740,993.01');
    expect(draw(money('-0.10'))).toBe('-€0.10');
    expect(draw(money('1200', 'JPY'))).toBe('JP¥1,200');
    expect(draw(money('1.005', 'KWD'))).toMatch(/^KWD\s1\.005$/);
    expect(draw(money('1.00', '<b>'))).toBe('1.00 <b>');
  });

  test('a rate between smallest units is told between whole ones', () => {
    expect(kit.rateOf(money('1.00'), money('1', 'JPY'), { numerator: 8, denominator: 5 })).toBeCloseTo(160, 9);
    expect(kit.rateOf(money('1', 'JPY'), money('1.00'), { numerator: 5, denominator: 8 })).toBeCloseTo(0.00625, 9);
  });

  test('days are those of the zone; a zone that is none is UTC', () => {
    expect(kit.makeFormat('en-GB', 'Europe/Berlin').day('2020-12-31T23:30:00Z')).toBe('1 January 2021');
    expect(kit.makeFormat('en-GB', '<script>').day('2020-12-31T23:30:00Z')).toBe('31 December 2020');
    expect(kit.makeFormat('de', 'Asia/Tokyo').month('2026-03')).toBe('März 2026');
  });

  test.each([
    ['de-AT', 'de-AT'],
    ['de-AT-u-nu-arab-ca-buddhist', 'de-AT'],
    ['"><img src=x>', 'fr'],
    ['x'.repeat(40), 'fr'],
    ['', 'fr'],
    [{ language: 'de' }, 'fr'],
    [null, 'fr'],
  ])('of the locale %j comes %s', (wanted, locale) => {
    expect(kit.knownLocale(wanted, 'fr')).toBe(locale);
  });
});
