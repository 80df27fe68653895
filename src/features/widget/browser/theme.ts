/** How the frame looks: each value is checked again before it becomes part of a style sheet. Source: docs/specification/widget.md#theme. */
import type { Colours, EffectiveTheme } from './answers.ts';

const COLOUR = /^#[0-9a-f]{6}$/;
const FONTS = /^[A-Za-z0-9][A-Za-z0-9 ,-]{0,99}$/;
const GENERIC = new Set(['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'system-ui', 'ui-sans-serif', 'ui-serif']);

let sheet: CSSStyleSheet | undefined;

/** Takes what is good of a theme. Nothing of the document changes where nothing of the look does. */
export function applyTheme(given: unknown): void {
  const theme = (given ?? {}) as Partial<EffectiveTheme>;
  const { mode, corner, fontFamily } = theme;
  const root = document.documentElement;
  if (mode === 'light' || mode === 'dark') root.dataset['mode'] = mode;
  else delete root.dataset['mode'];
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.insertRule(':root {}');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  const rule = sheet.cssRules[0] as CSSStyleRule;
  const light = coloursOf(theme.light);
  const dark = coloursOf(theme.dark);
  if (light && dark) {
    rule.style.setProperty('--accent', `light-dark(${light.accent}, ${dark.accent})`);
    rule.style.setProperty('--on-accent', `light-dark(${light.onAccent}, ${dark.onAccent})`);
  }
  if (typeof corner === 'number' && corner >= 0 && corner <= 24) rule.style.setProperty('--corner', `${corner}px`);
  if (typeof fontFamily === 'string' && FONTS.test(fontFamily)) rule.style.setProperty('--font', quoted(fontFamily));
}

function coloursOf(given: Partial<Colours> | undefined): Colours | undefined {
  const { accent = '', onAccent = '' } = given ?? {};
  return COLOUR.test(accent) && COLOUR.test(onAccent) ? { accent, onAccent } : undefined;
}

function quoted(fonts: string): string {
  const names = fonts.split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => (GENERIC.has(name.toLowerCase()) ? name.toLowerCase() : `"${name}"`))
    .join(', ');
}
