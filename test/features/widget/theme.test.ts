/** The look of a widget: accents that can be read, whatever a tenant wants. Sources: docs/specification/widget.md#contrast, WCAG 2.2, criterion 1.4.3. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Colour, contrast } from '../../../src/features/widget/colour.ts';
import { effectiveTheme, GROUNDS, widgetTheme } from '../../../src/features/widget/widget-theme.ts';

const styles = readFileSync(new URL('../../../src/features/widget/browser/frame.css', import.meta.url), 'utf8');
const pairOf = (name: string): string[] =>
  new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(styles)?.slice(1) ?? [];

const accents = fc.integer({ min: 0, max: 0xffffff }).map((value): Colour => `#${value.toString(16).padStart(6, '0')}`);

test('contrast is 21 of black on white, and 1 of a colour on itself', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#3a4bd0', '#3a4bd0')).toBe(1);
});

test('the grounds are those of the styles', () => {
  const [[lightSurface, darkSurface], [lightGround, darkGround]] = [pairOf('surface'), pairOf('ground')];
  expect([lightSurface, lightGround]).toEqual([...GROUNDS.light]);
  expect([darkSurface, darkGround]).toEqual([...GROUNDS.dark]);
});

describe('an accent', () => {
  test('is read on every ground, and what stands on it is read too, whichever it is', () => {
    fc.assert(
      fc.property(accents, (accent) => {
        const theme = effectiveTheme({ accent });
        for (const mode of ['light', 'dark'] as const) {
          for (const ground of GROUNDS[mode]) expect(contrast(theme[mode].accent, ground)).toBeGreaterThanOrEqual(4.5);
          expect(contrast(theme[mode].onAccent, theme[mode].accent)).toBeGreaterThanOrEqual(4.5);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('that can be read stays as it is', () => {
    expect(effectiveTheme({ accent: '#0A5' }).light.accent).not.toBe('#00aa55');
    expect(effectiveTheme({ accent: '#0a5f3b' }).light.accent).toBe('#0a5f3b');
    expect(effectiveTheme({ accent: '#ABC' }).dark.accent).toBe('#aabbcc');
  });
});

test('of two themes the later one counts where it says something', () => {
  expect(effectiveTheme({ corner: 2, mode: 'dark' }, { corner: 20 })).toMatchObject({
    corner: 20,
    mode: 'dark',
    fontFamily: null,
  });
  expect(effectiveTheme({}, {})).toMatchObject({ corner: 8, mode: 'system' });
});

test('no theme that is taken holds a sign that a style sheet could end at', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (accent, fontFamily) => {
      const parsed = widgetTheme.safeParse({ accent, fontFamily });
      if (parsed.success) expect(`${parsed.data.accent}${parsed.data.fontFamily}`).toMatch(/^[#\w ,-]*$/);
    }),
    { numRuns: 2_000 },
  );
});
