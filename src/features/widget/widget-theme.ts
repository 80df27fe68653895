/** How a widget looks: what a tenant may say of it, and what becomes of that. Source: docs/specification/widget.md#theme. */
import { z } from 'zod';
import { type Colour, colourOf, readableOn, textOn } from './colour.ts';

export const MODES = ['light', 'dark', 'system'] as const;

/** Of text and of what carries meaning: WCAG 2.2, criterion 1.4.3. */
const LEAST_CONTRAST = 4.5;
/** What stands behind text in the frame, as its styles have it; a test compares them. */
export const GROUNDS = {
  light: ['#ffffff', '#f6f7f9'],
  dark: ['#16181d', '#0f1115'],
} as const satisfies Record<string, readonly Colour[]>;
const ACCENT: Colour = '#3a4bd0';
const CORNER = 8;

export const widgetTheme = z
  .strictObject({
    accent: z
      .string()
      .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'must be a colour, as #3a4bd0')
      .optional()
      .meta({ description: 'Of links, buttons and bars. Where text in it could not be read it is made darker or lighter' }),
    corner: z.int().min(0).max(24).optional().meta({ description: 'Radius of corners in pixels' }),
    fontFamily: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9 ,-]{0,99}$/, 'must be names of fonts, with commas between them')
      .optional()
      .meta({ description: 'Of fonts that are installed; no font is loaded' }),
    mode: z.enum(MODES).optional().meta({ description: '`light`, `dark`, or `system`: as the browser is set, the default' }),
  })
  .meta({ id: 'WidgetTheme' });

export type WidgetTheme = z.output<typeof widgetTheme>;

interface Accent {
  accent: Colour;
  /** Of text on the accent. */
  onAccent: Colour;
}

/** What the frame is drawn with. */
export interface EffectiveTheme {
  mode: (typeof MODES)[number];
  corner: number;
  fontFamily: string | null;
  light: Accent;
  dark: Accent;
}

/** Of several the last that says something wins. */
export function effectiveTheme(...given: readonly WidgetTheme[]): EffectiveTheme {
  const theme: WidgetTheme = Object.assign({}, ...given);
  const wanted = theme.accent === undefined ? ACCENT : colourOf(theme.accent);
  const accentOn = (grounds: readonly Colour[]): Accent => {
    const accent = readableOn(wanted, grounds, LEAST_CONTRAST);
    return { accent, onAccent: textOn(accent, LEAST_CONTRAST) };
  };
  return {
    mode: theme.mode ?? 'system',
    corner: theme.corner ?? CORNER,
    fontFamily: theme.fontFamily ?? null,
    light: accentOn(GROUNDS.light),
    dark: accentOn(GROUNDS.dark),
  };
}
