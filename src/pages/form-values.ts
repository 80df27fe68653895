/** What a form has sent: texts by name, read as the operation wants them. */
import { invalidField } from '../errors.ts';
import type { SentFile } from '../http/multipart.ts';
import { currencyDigits } from '../money.ts';

export interface FormValues {
  /** Undefined where nothing was typed. */
  text(name: string): string | undefined;
  /** As it was typed, with its spaces; for passwords. */
  raw(name: string): string;
  /** VALIDATION_ERROR of the field when it is no number. */
  number(name: string): number | undefined;
  /** Major units as people type them, in minor units: 12.5 EUR is 1250. VALIDATION_ERROR when it is no such amount. */
  minor(name: string, currency: string): number | undefined;
  checked(name: string): boolean;
  /** Of check boxes with one name. */
  list(name: string): string[];
  /** All texts by name, for drawing the form again. */
  readonly all: Readonly<Record<string, readonly string[]>>;
  /** Of a page that takes one. It goes to `page.invokeUpload`, once. */
  readonly file: SentFile | undefined;
}

export function formValues(sent: URLSearchParams, file?: SentFile): FormValues {
  const all: Record<string, string[]> = Object.create(null);
  for (const [name, text] of sent) {
    const list = all[name] ?? [];
    list.push(text);
    all[name] = list;
  }
  const raw = (name: string): string => all[name]?.[0] ?? '';
  const text = (name: string): string | undefined => raw(name).replaceAll('\r\n', '\n').trim() || undefined;
  return {
    all,
    file,
    raw,
    text,
    checked: (name) => raw(name) !== '',
    list: (name) => (all[name] ?? []).filter((one) => one !== ''),
    number(name) {
      const typed = text(name);
      if (typed === undefined) return undefined;
      if (!/^-?\d+(?:\.\d+)?$/.test(typed)) throw invalidField(name, 'must be a number');
      return Number(typed);
    },
    minor(name, currency) {
      const typed = text(name);
      return typed === undefined ? undefined : minorOf(name, typed, currency);
    },
  };
}

function minorOf(name: string, typed: string, currency: string): number {
  const digits = currencyDigits(currency);
  const parts = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(typed.replaceAll(/[\s,']/g, ''));
  const fraction = parts?.[3] ?? '';
  if (!parts || fraction.length > digits) {
    throw invalidField(name, digits === 0 ? 'must be a whole amount' : `must be an amount such as ${(12.5).toFixed(digits)}`);
  }
  const minor = Number(`${parts[1]}${parts[2]}${fraction.padEnd(digits, '0')}`);
  if (!Number.isSafeInteger(minor)) throw invalidField(name, 'is too large an amount');
  return minor;
}
