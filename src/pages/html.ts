/**
 * The one way to text of pages: a tagged template that escapes whatever is not `Html`. Where a value stands in the
 * template is looked at once: in an attribute without quotes, in a style, in a script or in a handler of events it is
 * refused, and an address leads nowhere but to pages. Source: docs/specification/pages.md#escaping.
 */

declare const made: unique symbol;

/** Text that may go to a browser as it is. Only `html` and `trusted` make it. */
export class Html {
  declare readonly [made]: true;
  readonly text: string;
  constructor(key: symbol, text: string) {
    if (key !== MAKER) throw new Error('Html is made by html`…`');
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

const MAKER = Symbol('maker of Html');

/** What may stand in a template. `false`, `null` and `undefined` draw nothing, a list draws its items. */
export type Drawn = Html | string | number | bigint | false | null | undefined | readonly Drawn[];

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign) : text;
}

/** Makes Html; throws where a value stands at a place that no escaping makes safe. */
export function html(strings: TemplateStringsArray, ...values: readonly Drawn[]): Html {
  const places = placesOf(strings);
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) {
    text += drawAt(places[index] ?? 'text', value) + (strings[index + 1] ?? '');
  }
  return new Html(MAKER, text);
}

/** Text of our own that is markup already, as a path of an icon: never anything that came from outside. */
export function trusted(ownMarkup: string): Html {
  return new Html(MAKER, ownMarkup);
}

/** Draws nothing; as the alternative of a condition. */
export const nothing: Html = trusted('');

export function joined(items: readonly Drawn[], between: Drawn = ''): Html {
  return html`${items.flatMap((item, index) => (index === 0 ? [item] : [between, item]))}`;
}

/** Where a value stands: in text, inside a tag, in a quoted attribute, or in one that is an address. */
type Place = 'text' | 'tag' | 'attribute' | 'address';

const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'hx-get', 'hx-post', 'data-href', 'poster']);
const REFUSED = /^(?:style|srcdoc|on\w+|hx-on\b.*|hx-vals)$/i;

const known = new WeakMap<TemplateStringsArray, readonly Place[]>();

function placesOf(strings: TemplateStringsArray): readonly Place[] {
  const before = known.get(strings);
  if (before) return before;
  const places = findPlaces(strings);
  known.set(strings, places);
  return places;
}

/** Reads our own markup as far as is needed to know where its gaps are. */
function findPlaces(strings: readonly string[]): Place[] {
  const places: Place[] = [];
  let inTag = false;
  let inQuotes = false;
  let attribute = '';
  let empty = true;
  // A piece of a tag alone, as html` id="${id}"`.
  if (/^\s+[\w:@-]+="/.test(strings[0] ?? '')) inTag = true;
  for (const text of strings.slice(0, -1)) {
    for (let at = 0; at < text.length; at += 1) {
      const sign = text[at] ?? '';
      if (inQuotes) {
        if (sign === '"') inQuotes = false;
        else empty = false;
      } else if (inTag) {
        if (sign === '>') inTag = false;
        else if (sign === "'") throw new Error(`html: attributes have double quotes: ${text.slice(0, at + 1)}`);
        else if (sign === '"') {
          inQuotes = true;
          empty = true;
          attribute = /([\w:@.-]+)=$/.exec(text.slice(0, at))?.[1] ?? '';
        }
      } else if (sign === '<' && /^<(?:script|style)\b/i.test(text.slice(at))) {
        if (!/^<script\b[^>]*\bsrc=/i.test(text.slice(at))) throw new Error('html: no inline script or style');
        inTag = true;
      } else if (sign === '<' && /[a-z/!]/i.test(text[at + 1] ?? '')) inTag = true;
      else if (sign === '<' && at + 1 === text.length) throw new Error('html: the name of an element cannot be a value');
    }
    if (inQuotes && REFUSED.test(attribute)) throw new Error(`html: no value in the attribute ${attribute}`);
    if (inTag && !inQuotes && text.endsWith('=')) throw new Error('html: the value of an attribute stands in double quotes');
    if (inQuotes) places.push(ADDRESSES.has(attribute) && empty ? 'address' : 'attribute');
    else places.push(inTag ? 'tag' : 'text');
    empty = false;
  }
  return places;
}

function drawAt(place: Place, value: Drawn): string {
  if (place === 'address') return escapeHtml(safeAddress(plain(value)));
  if (place === 'attribute') return escapeHtml(plain(value));
  if (place === 'tag' && typeof value !== 'object' && value !== false && value !== undefined) {
    throw new Error('html: inside a tag stands only Html, as html` disabled`');
  }
  return draw(value);
}

/** What an attribute has: of Html nothing, for it is markup. */
function plain(value: Drawn): string {
  if (value === false || value === null || value === undefined) return '';
  if (typeof value === 'object') throw new Error('html: an attribute takes a text');
  return String(value);
}

function draw(value: Drawn): string {
  if (value === false || value === null || value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(draw).join('');
  return typeof value === 'string' ? escapeHtml(value) : String(value);
}

/**
 * Addresses of pages and of the web; anything else, as `javascript:`, leads nowhere. Nor does one with white space or a
 * control character: browsers drop some of them, and `/<tab>/other.example` is another site then.
 */
export function safeAddress(address: string): string {
  if (/[\s\p{Cc}]/u.test(address)) return '#';
  if (address === '' || /^[/?#]/.test(address)) return /^\/[/\\]/.test(address) ? '#' : address;
  return /^(?:https?:\/\/|mailto:|otpauth:\/\/)/i.test(address) ? address : '#';
}
