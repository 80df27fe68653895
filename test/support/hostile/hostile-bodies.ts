/**
 * Hostile bodies and headers of a whole request that is otherwise valid.
 * Source: docs/specification/reliability.md#hostile-input.
 */
import { gzipSync } from 'node:zlib';

export interface HostileBody {
  label: string;
  body: string | Uint8Array;
  headers: Record<string, string>;
  /** Statuses that are right; `success` stands for the operation's own. */
  statuses: (number | 'success')[];
}

const JSON_TYPE = { 'content-type': 'application/json' };
const gzip = { ...JSON_TYPE, 'content-encoding': 'gzip' };

/**
 * `valid` gives another valid body at each call: some cases succeed, and a second one would conflict.
 * `optional`: no body is as good as an empty one. `takesKey`: an Idempotency-Key is read; else it is ignored, whatever
 * it is (docs/specification/conventions.md#own-repeats).
 */
export function hostileBodies(
  valid: () => Record<string, unknown>,
  { optional, takesKey }: { optional: boolean; takesKey: boolean },
): HostileBody[] {
  const json = (): string => JSON.stringify(valid());
  const plain = (label: string, body: string | Uint8Array, ...statuses: HostileBody['statuses']): HostileBody => ({
    label,
    body,
    headers: JSON_TYPE,
    statuses: statuses.length === 0 ? [400] : statuses,
  });
  const typed = (label: string, headers: Record<string, string>, ...statuses: HostileBody['statuses']): HostileBody => ({
    label,
    body: json(),
    headers,
    statuses: statuses.length === 0 ? [415] : statuses,
  });
  const inject = (members: string): string =>
    json().replace(/(\{?)\}$/, (_end, empty: string) => `${empty === '' ? ',' : '{'}${members}}`);
  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
  const [first] = Object.entries(valid());
  const nothing: HostileBody['statuses'] = optional ? ['success'] : [400];
  const badKey = takesKey ? 400 : 'success';
  return [
    plain('empty', '', ...nothing),
    plain('white space', ' \n'),
    plain('a number', '1'),
    plain('a string', '"x"'),
    plain('null', 'null'),
    plain('an empty array', '[]'),
    plain('an array of the right thing', `[${json()}]`),
    plain('half an object', json().slice(0, -1)),
    plain('two objects', json() + json()),
    plain('single quotes', "{'a':1}"),
    plain('a comment', `/* */${json()}`),
    plain('NaN', inject('"a":NaN')),
    plain('a raw line break in a string', inject('"a":"x\ny"')),
    plain('an unknown field', inject('"no_such_field":1')),
    plain('an empty key', inject('"":1')),
    ...(first
      ? [
          plain('duplicate keys', json().replace('{', `{${JSON.stringify(first[0])}:${JSON.stringify(first[1])},`)),
          plain(
            'duplicate keys, one of them escaped',
            json().replace('{', `{"${escaped(first[0])}":${JSON.stringify(first[1])},`),
          ),
        ]
      : []),
    plain('duplicate keys of an unknown field, which hide one another', inject('"no_such_field":{"a":1,"a":1}')),
    plain('__proto__', inject('"__proto__":{"polluted":true}')),
    plain('escaped __proto__', inject('"\\u005f_proto__":{"polluted":true}')),
    plain('constructor', inject('"constructor":{"prototype":{"polluted":true}}')),
    plain('prototype', inject('"prototype":{"polluted":true}')),
    plain('hasOwnProperty', inject('"hasOwnProperty":1')),
    plain(
      'invalid UTF-8',
      Buffer.concat([Buffer.from(inject('"a":"').slice(0, -1)), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    ),
    plain(
      'an overlong NUL',
      Buffer.concat([Buffer.from(inject('"a":"').slice(0, -1)), Buffer.from([0xc0, 0x80]), Buffer.from('"}')]),
    ),
    plain('nested 33 deep', nested(33)),
    plain('nested 8,000 deep', nested(8_000)),
    plain('nested 40,000 deep', nested(40_000), 400, 413),
    plain('objects nested 8,000 deep', `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`),
    plain('2,000 keys', `{${Array.from({ length: 2_000 }, (_none, index) => `"k${index}":1`).join(',')}}`),
    plain('a list of 5,000', inject(`"a":[${'1,'.repeat(4_999)}1]`)),
    plain('200 kB', inject(`"a":"${'x'.repeat(200_000)}"`), 413),
    { label: 'gzip of something valid', body: gzipSync(json()), headers: gzip, statuses: ['success'] },
    { label: 'a gzip bomb', body: bomb(), headers: gzip, statuses: [413] },
    { label: 'no gzip', body: json(), headers: gzip, statuses: [400] },
    { label: 'half a gzip', body: gzipSync(json()).subarray(0, 15), headers: gzip, statuses: [400] },
    { label: 'gzip of nothing', body: gzipSync(''), headers: gzip, statuses: nothing },
    { label: 'no brotli', body: json(), headers: { ...JSON_TYPE, 'content-encoding': 'br' }, statuses: [400, 415] },
    typed('gzip named twice', { ...JSON_TYPE, 'content-encoding': 'gzip, gzip' }),
    typed('an unknown encoding', { ...JSON_TYPE, 'content-encoding': 'compress' }),
    typed('text/plain', { 'content-type': 'text/plain' }),
    typed('a form', { 'content-type': 'application/x-www-form-urlencoded' }),
    typed('multipart', { 'content-type': 'multipart/form-data; boundary=x' }),
    typed('no content type', {}),
    typed('two content types', { 'content-type': 'application/json, text/plain' }),
    typed('charset utf-7', { 'content-type': 'application/json; charset=utf-7' }),
    typed('charset utf-16', { 'content-type': 'application/json; charset=utf-16' }),
    typed('charset iso-8859-1', { 'content-type': 'application/json; charset=iso-8859-1' }),
    typed('charset UTF-8 in capitals and quotes', { 'content-type': 'application/json; charset="UTF-8"' }, 'success'),
    typed('a vendor JSON type', { 'content-type': 'application/vnd.shop+json' }, 'success'),
    {
      label: 'utf-16 behind a parameter that says utf-8',
      body: utf16(json()),
      headers: { 'content-type': 'application/json; x="; charset=utf-8"; charset=utf-16le' },
      statuses: [415],
    },
    {
      label: 'utf-16 that hides its depth',
      body: utf16(`{"a":["∀",${'['.repeat(14_000)}${']'.repeat(14_000)}]}`),
      headers: { 'content-type': 'application/json; x="; charset=utf-8"; charset=utf-16le' },
      statuses: [415],
    },
    typed('an Idempotency-Key of 256 characters', { ...JSON_TYPE, 'idempotency-key': 'x'.repeat(256) }, badKey),
    typed('an empty Idempotency-Key', { ...JSON_TYPE, 'idempotency-key': '' }, badKey),
    typed('an Idempotency-Key that is not ASCII', { ...JSON_TYPE, 'idempotency-key': 'k\xff' }, badKey),
    typed('an Idempotency-Key of SQL', { ...JSON_TYPE, 'idempotency-key': "'; drop table idempotency_key; --" }, 'success'),
    typed('an X-Request-Id of markup', { ...JSON_TYPE, 'x-request-id': '<script>alert(1)</script>' }, 'success'),
    typed('a method override', { ...JSON_TYPE, 'x-http-method-override': 'DELETE' }, 'success'),
  ];
}

/** A key as only a reader of escapes knows it. */
function escaped(key: string): string {
  return key.replace(/^./, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function nested(depth: number): string {
  return `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

let bombBytes: Buffer | undefined;

/** 50 MB of white space in 50 kB. */
function bomb(): Buffer {
  bombBytes ??= gzipSync(Buffer.alloc(50_000_000, 0x20));
  return bombBytes;
}
