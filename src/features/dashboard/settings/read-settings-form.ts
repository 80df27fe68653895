/** What a form of settings changes: the fields that are other than when it was drawn. */
import { invalidField } from '../../../errors.ts';
import { currencyDigits, isCurrency, toMajorText } from '../../../money.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import type { SettingField, SettingGroup } from './setting-groups.ts';
import { patchOf, type Settings, valueAt } from './settings-calls.ts';

/** What a form remembers of how it was drawn; what somebody else changed meanwhile stays. */
export function drawnOf({ fields }: SettingGroup, settings: Settings): string {
  return JSON.stringify(
    Object.fromEntries(fields.filter(isShown).map((field) => [field.path, valueAt(settings, field.path) ?? null])),
  );
}

/** The name of the box that takes a secret away. */
export const clearingOf = ({ path }: SettingField): string => `clear.${path}`;

const isShown = ({ kind }: SettingField): boolean => kind.as !== 'secret' && kind.as !== 'secrets';

/** The body of the change; undefined when nothing is other. VALIDATION_ERROR of the field that cannot be read. */
export function changesOf(group: SettingGroup, form: FormValues): Record<string, unknown> | undefined {
  const drawn = readDrawn(form.raw('drawn'));
  const changes = group.fields.flatMap((field) => {
    const { path, kind } = field;
    if (kind.as === 'secret' || kind.as === 'secrets') {
      const value = secretOf(field, form);
      return value === undefined ? [] : [{ path, value }];
    }
    const value = typedOf(field, form);
    if (value === undefined || JSON.stringify(value) === JSON.stringify(drawn[path] ?? null)) return [];
    return [{ path, value }];
  });
  return changes.length === 0 ? undefined : patchOf(changes);
}

function readDrawn(text: string): Settings {
  try {
    const drawn: unknown = JSON.parse(text);
    return typeof drawn === 'object' && drawn !== null ? (drawn as Settings) : {};
  } catch {
    return {};
  }
}

/** Undefined leaves it as it is. */
function secretOf(field: SettingField, form: FormValues): unknown {
  const typed = form.raw(field.path).trim();
  if (form.checked(clearingOf(field))) {
    if (typed !== '') throw invalidField(field.path, 'is typed and taken away: one of the two');
    return null;
  }
  if (typed === '') return undefined;
  return field.kind.as === 'secrets' ? linesOf(typed) : typed;
}

/** Undefined leaves it as it is. */
function typedOf({ path, kind, clears }: SettingField, form: FormValues): unknown {
  const text = form.text(path);
  const absent = clears ? null : undefined;
  switch (kind.as) {
    case 'switch':
      return form.checked(path);
    case 'choices':
      return kind.choices.map(({ value }) => value).filter((value) => form.list(path).includes(value));
    case 'list':
      return linesOf(text ?? '');
    case 'amounts':
      return amountsOf(path, text ?? '');
    case 'number':
      return form.number(path) ?? absent;
    case 'code':
      return text?.toUpperCase() ?? absent;
    default:
      return text ?? absent;
  }
}

function linesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((line) => line !== '');
}

/** `EUR 5000` a line, in minor units by currency. */
function amountsOf(field: string, text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const amounts: Record<string, number> = Object.create(null);
  for (const line of lines) {
    const [, code = '', whole = '', fraction = ''] = /^\s*([a-z]{3})[\s:]+([\d,']{1,19})(?:\.(\d+))?\s*$/i.exec(line) ?? [];
    const currency = code.toUpperCase();
    if (!isCurrency(currency)) throw invalidField(field, `“${line.trim()}” is no currency and amount, such as EUR 5000`);
    if (currency in amounts) throw invalidField(field, `names ${currency} twice`);
    const digits = currencyDigits(currency);
    if (fraction.length > digits) throw invalidField(field, `${currency} has ${digits} digits behind the point`);
    const minor = Number(whole.replaceAll(/[,']/g, '') + fraction.padEnd(digits, '0'));
    if (!Number.isSafeInteger(minor)) throw invalidField(field, 'is too large an amount');
    amounts[currency] = minor;
  }
  return amounts;
}

/** The same back, as it is drawn. */
export function amountLines(amounts: unknown): string {
  if (typeof amounts !== 'object' || amounts === null) return '';
  return Object.entries(amounts)
    .map(([currency, minor]) => `${currency} ${toMajorText(BigInt(minor as number), currency)}`)
    .join('\n');
}
