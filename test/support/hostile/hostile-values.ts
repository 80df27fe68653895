/** Hostile values for one field, from what its schema says it is. Source: docs/specification/reliability.md#hostile-input. */
import type { JsonSchema } from '../openapi/openapi-document.ts';

export interface HostileValue {
  label: string;
  /** The value as JSON text, for what JSON.stringify would not write. */
  json: string;
  /** Whether the answer must be a 400; otherwise anything but a 5xx. */
  refused: boolean;
}

/** Injection and control characters that a string field may well store, but must not act on. */
export const NASTY_STRINGS: Record<string, string> = {
  'SQL, drop': "'; drop table member; --",
  'SQL, always true': "' or 1=1--",
  'SQL, union': "x' union select hash from api_key --",
  'SQL, stacked with a parameter': '$1; select pg_sleep(5)--',
  backslash: '\\',
  'CR and LF': 'a\r\nSet-Cookie: b=c\r\n\r\n{"level":"info","forged":true}',
  'ANSI escape': '\u001b[31mred\u001b[0m\u0007',
  markup: '<script>alert(1)</script>',
  'right-to-left override': 'abc\u202Ecba',
  percent: '%00%s%n%x',
  'path up': '../../../../etc/passwd',
  'four-byte characters': '\u{1F600}'.repeat(40),
};

const text = (value: unknown): string => JSON.stringify(value);
const refused = (label: string, json: string): HostileValue => ({ label, json, refused: true });
const tolerated = (label: string, json: string): HostileValue => ({ label, json, refused: false });

/** For a leaf of a JSON body. */
export function hostileJson(schema: JsonSchema): HostileValue[] {
  const wrongType = [refused('an object', '{"a":1}'), refused('an array', '[1]')];
  switch (schema.type) {
    case 'string':
      return [...wrongType, refused('a number', '1'), refused('a boolean', 'true'), ...hostileStrings(schema)];
    case 'integer':
    case 'number':
      return [...wrongType, refused('a string', '"1"'), refused('a boolean', 'true'), ...hostileNumbers(schema)];
    case 'boolean':
      return [...wrongType, refused('a string', '"true"'), refused('a number', '1')];
    default:
      return schema.enum ? [...wrongType, refused('a stranger', '"NOPE"'), ...hostileStrings(schema)] : hostileFreeForm();
  }
}

function hostileStrings(schema: JsonSchema): HostileValue[] {
  const shaped = schema.format !== undefined || schema.enum !== undefined;
  return [
    refused('NUL', '"a\\u0000b"'),
    refused('a lone high surrogate', '"a\\ud800"'),
    refused('a lone low surrogate', '"\\udc00a"'),
    refused('swapped surrogates', '"\\udc00\\ud800"'),
    refused('empty', '""'),
    refused('blank', '" \\t "'),
    refused('60,000 characters', text('x'.repeat(60_000))),
    ...(schema.maxLength === undefined ? [] : [refused('one too long', text('x'.repeat(schema.maxLength + 1)))]),
    ...Object.entries(NASTY_STRINGS).map(([label, value]) => ({ label, json: text(value), refused: shaped })),
    ...(schema.format === 'email' ? hostileEmails() : []),
    ...(schema.format === 'date-time' ? hostileInstants() : []),
    ...(schema.format === 'uuid'
      ? [
          refused('braces', '"{00000000-0000-4000-8000-000000000000}"'),
          tolerated('nil', '"00000000-0000-0000-0000-000000000000"'),
        ]
      : []),
  ];
}

function hostileEmails(): HostileValue[] {
  const longDomain = ['b', 'c', 'd'].map((letter) => letter.repeat(60)).join('.');
  const growing = `${'İ'.repeat(64)}@${'İ'.repeat(60)}.${'İ'.repeat(60)}.${'İ'.repeat(60)}`;
  return [
    refused('300 characters', text(`${'a'.repeat(290)}@x.example`)),
    refused('255 characters', text(`${'a'.repeat(64)}@${longDomain}.eeeeeee`)),
    tolerated('254 characters', text(`${'a'.repeat(64)}@${longDomain}.eeeeee`)),
    refused('two at signs', '"a@b@c.example"'),
    refused('a line break', '"a@b.example\\nBcc: c@d.example"'),
    refused('a display name', '"A <a@b.example>"'),
    tolerated('Unicode', '"josé@exämple.com"'),
    tolerated('decomposed Unicode', text('josé@exämple.com'.normalize('NFD'))),
    tolerated('capitals and a tag', '"A+b@Ex.com"'),
    tolerated('longer in lower case', text(growing)),
  ];
}

function hostileInstants(): HostileValue[] {
  const never = [
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:01Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01',
    'now',
    'infinity',
  ];
  const odd = [
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '2024-01-01T00:00:00+23:59',
    '2024-01-01T00:00:00-16:00',
    '2024-01-01T00:00:00.00000000000000000001Z',
  ];
  return [...never.map((value) => refused(value, text(value))), ...odd.map((value) => tolerated(value, text(value)))];
}

function hostileNumbers(schema: JsonSchema): HostileValue[] {
  return [
    refused('an integer past 2^53', '9007199254740993'),
    refused('1e400', '1e400'),
    refused('-1e400', '-1e400'),
    refused('10^20', '100000000000000000000'),
    refused('past bigint', '9223372036854775808'),
    refused('1e308', '1e308'),
    refused('a fraction', '1.5'),
    refused('barely a fraction', '0.1e-300'),
    ...(schema.minimum === undefined ? [] : [refused('below the minimum', String(schema.minimum - 1))]),
    ...(schema.maximum === undefined ? [] : [refused('above the maximum', String(schema.maximum + 1))]),
    tolerated('minus nought', '-0'),
    tolerated('an exponent', '1e1'),
  ];
}

/** For a field that takes any JSON, or a container. */
function hostileFreeForm(): HostileValue[] {
  return [
    refused('a string', '"x"'),
    refused('a number', '1'),
    refused('NUL inside', '{"a":"\\u0000"}'),
    refused('NUL in a key', '{"a\\u0000":1}'),
    refused('a lone surrogate inside', '{"a":["\\ud800"]}'),
    refused('a lone surrogate in a key', '{"\\ud800":1}'),
    refused('__proto__ inside', '{"a":{"__proto__":{"polluted":true}}}'),
    refused('constructor inside', '{"constructor":{"prototype":{"polluted":true}}}'),
    refused('an unsafe integer inside', '{"a":9007199254740993}'),
    refused('too much', `{"a":"${'x'.repeat(11_000)}"}`),
    refused('too deep', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`),
    ...Object.entries(NASTY_STRINGS).map(([label, value]) => tolerated(`${label} inside`, text({ [value]: value }))),
    tolerated('numbers at the edge', '{"a":[9007199254740991,-9007199254740991,1e308,5e-324,-0]}'),
  ];
}

/** For a parameter of the path or the query, as it stands in the URL. */
export function hostileParameters(schema: JsonSchema): { label: string; encoded: string; refused: boolean }[] {
  const shaped =
    schema.format !== undefined ||
    schema.enum !== undefined ||
    schema.type !== 'string' ||
    (schema.pattern !== undefined && schema.pattern !== '\\S');
  return [
    { label: 'a broken escape', encoded: '%E0%A4%A', refused: true },
    { label: 'half an escape', encoded: '%', refused: true },
    { label: 'an escaped NUL', encoded: 'a%00b', refused: true },
    { label: 'an escaped surrogate', encoded: '%ED%A0%80', refused: true },
    { label: 'invalid UTF-8', encoded: '%FF%FE', refused: true },
    { label: 'an overlong slash', encoded: '%C0%AF', refused: true },
    { label: '5,000 characters', encoded: 'x'.repeat(5_000), refused: true },
    ...Object.entries(NASTY_STRINGS).map(([label, value]) => ({ label, encoded: encodeURIComponent(value), refused: shaped })),
  ];
}
