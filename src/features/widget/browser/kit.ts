/** Elements, figures and days: what every page of the frame is drawn with. No text ever becomes markup. */
import type { Money } from './answers.ts';

export type Child = Node | string | number | false | null | undefined | readonly Child[];
type Value = string | number | boolean | null | undefined;
export type Props = Record<string, Value | ((event: Event) => unknown)>;

const SVG = 'http://www.w3.org/2000/svg';

/** An element. A property that is a function hears the event of its name behind `on`; true is an attribute without a value. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props?: Props | null,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), props, children);
}

/** The same of a drawing. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props?: Props | null,
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag), props, children);
}

function filled<E extends Element>(element: E, props: Props | null | undefined, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  add(element, children);
  return element;
}

/** Puts children behind those that an element has. */
export function add(element: Element, child: Child): void {
  if (child instanceof Node) element.append(child);
  else if (typeof child === 'string' || typeof child === 'number') element.append(String(child));
  else if (child) for (const one of child) add(element, one);
}

/** Puts children in place of those that an element has. */
export function put(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  add(element, children);
}

/** A name of its own for an element that others refer to. */
export function freshId(): string {
  lastId += 1;
  return `e${lastId}`;
}

let lastId = 0;

export function button(label: Child, onclick: (event: Event) => unknown, props?: Props): HTMLButtonElement {
  return h('button', { type: 'button', class: 'button', onclick, ...props }, label);
}

/** A word with a dot and a tint. */
export function chip(word: string, tint: 'good' | 'waiting' | 'bad' | 'moving' | 'neutral'): HTMLElement {
  return h('span', { class: `chip ${tint}` }, word);
}

/** Text that somebody wrote, which may run in any direction. */
export function written(text: string, props?: Props): HTMLElement {
  return h('bdi', props, text);
}

export function card(title: Child, ...body: Child[]): HTMLElement {
  const id = freshId();
  return h('section', { class: 'card', 'aria-labelledby': id }, h('h2', { id }, title), body);
}

/** What begins a line and what ends it; below each other where they do not fit. */
export function pair(first: HTMLElement, last: HTMLElement): HTMLElement {
  return h('div', { class: 'pair' }, first, last);
}

/** What will stand here, and what to do first. */
export function empty(title: string, why: string, ...further: Child[]): HTMLElement {
  return h('div', { class: 'empty' }, h('h2', null, title), h('p', null, why), further);
}

export interface Format {
  /** As Intl knows it. */
  locale: string;
  money(money: Money): string;
  number(value: number): string;
  /** The first digits of a conversion's rate, which may be very small. */
  rate(value: number): string;
  /** Of basis points. */
  percent(bps: number): string;
  /** With its year where that is another than this one. */
  day(instant: string): string;
  time(instant: string): string;
  /** Of `2026-03`. */
  month(month: string, length?: 'long' | 'short' | 'narrow'): string;
}

export function makeFormat(locale: string, wantedZone: string): Format {
  const timeZone = isZone(wantedZone) ? wantedZone : 'UTC';
  const dates = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const thisYear = dates({ day: 'numeric', month: 'long' });
  const anyYear = dates({ day: 'numeric', month: 'long', year: 'numeric' });
  const year = dates({ year: 'numeric' });
  const time = dates({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  return {
    locale,
    money({ amount, currency }) {
      const digits = digitsOf(amount);
      try {
        const options = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
        return new Intl.NumberFormat(locale, options).format(amount as Intl.StringNumericLiteral);
      } catch {
        return `${amount} ${currency}`;
      }
    },
    number: (value) => numbers.format(value),
    rate: (value) => new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 }).format(value),
    percent: (bps) => percents.format(bps / 10_000),
    day(instant) {
      const date = new Date(instant);
      return (year.format(date) === year.format(new Date()) ? thisYear : anyYear).format(date);
    },
    time: (instant) => time.format(new Date(instant)),
    month: (month, length = 'long') =>
      dates({ timeZone: 'UTC', month: length, ...(length === 'long' && { year: 'numeric' }) }).format(new Date(`${month}-01`)),
  };
}

function isZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}

/** The first that Intl knows of the languages that somebody and the browser give; any text may be given. */
export function knownLocale(...wanted: readonly unknown[]): string {
  for (const one of wanted) {
    try {
      // Calendars and digits of one's own choice would fit no sentence.
      if (typeof one === 'string' && one.length <= 35) return new Intl.Locale(one).baseName;
    } catch {
      // The next one may be known.
    }
  }
  return 'en';
}

function digitsOf(amount: string): number {
  const point = amount.indexOf('.');
  return point < 0 ? 0 : amount.length - point - 1;
}

/** Units of the last digit. */
export function unitsOf({ amount }: Money): bigint {
  try {
    return BigInt(amount.replace('.', ''));
  } catch {
    return 0n;
  }
}

export function unsigned({ amount, currency }: Money): Money {
  return { amount: amount.replace('-', ''), currency };
}

/** Exactly what one amount is more than another of its currency. */
export function difference(more: Money, less: Money): Money {
  const digits = digitsOf(more.amount);
  const units = unitsOf(more) - unitsOf(less);
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0');
  const at = text.length - digits;
  const amount = `${units < 0n ? '-' : ''}${text.slice(0, at)}${digits > 0 ? '.' : ''}${text.slice(at)}`;
  return { amount, currency: more.currency };
}

/** What one unit of the first currency is in the second, of a ratio between their smallest units. */
export function rateOf(from: Money, to: Money, { numerator, denominator }: { numerator: number; denominator: number }): number {
  return (numerator / denominator) * 10 ** (digitsOf(from.amount) - digitsOf(to.amount));
}
