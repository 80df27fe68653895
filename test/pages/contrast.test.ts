/** The contrast of the colours, computed from the tokens. Sources: docs/specification/pages.md#colours, WCAG 2.2, criteria 1.4.3 and 1.4.11. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const tokens = readFileSync(new URL('../../src/pages/styles/tokens.css', import.meta.url), 'utf8');
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

function colour(name: string, scheme: Scheme): string {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(tokens);
  const value = found?.[scheme === 'light' ? 1 : 2];
  if (value === undefined) throw new Error(`there is no colour ${name}`);
  return value;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test('black on white is 21, a colour on itself 1', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#3a4bd0', '#3a4bd0')).toBe(1);
});

const TEXTS: [string, string][] = [
  ['text', 'surface'],
  ['text', 'background'],
  ['text', 'hover'],
  ['muted', 'surface'],
  ['muted', 'background'],
  ['muted', 'hover'],
  ['accent', 'surface'],
  ['accent', 'background'],
  ['accent', 'hover'],
  ['on-accent', 'accent'],
  ['bad', 'surface'],
  ['good', 'surface'],
  ['waiting', 'stripe'],
  ['text', 'neutral-tint'],
  ...['good', 'waiting', 'bad', 'moving', 'neutral'].map((tint): [string, string] => [tint, `${tint}-tint`]),
];

test.each(TEXTS.flatMap(([text, ground]) => SCHEMES.map((scheme) => [text, ground, scheme] as const)))(
  'the text %s on %s is readable in the %s scheme',
  (text, ground, scheme) => {
    expect(contrast(colour(text, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(4.5);
  },
);

test.each(
  ['control', 'accent'].flatMap((name) =>
    ['surface', 'background'].flatMap((ground) => SCHEMES.map((scheme) => [name, ground, scheme] as const)),
  ),
)('the border %s on %s is seen in the %s scheme', (name, ground, scheme) => {
  expect(contrast(colour(name, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(3);
});

test.each(
  ['good', 'waiting', 'bad', 'moving', 'neutral'].flatMap((tint) => SCHEMES.map((scheme) => [`${tint}-mark`, scheme] as const)),
)('a bar in %s is seen in the %s scheme, and is calmer than the text of its state', (mark, scheme) => {
  const onSurface = contrast(colour(mark, scheme), colour('surface', scheme));
  expect(onSurface).toBeGreaterThanOrEqual(3);
  expect(onSurface).toBeLessThan(contrast(colour(mark.replace('-mark', ''), scheme), colour('surface', scheme)));
});
