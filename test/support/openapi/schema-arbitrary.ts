/** From a JSON schema of our own document to values that it allows, as fast-check arbitraries. */
import fc from 'fast-check';
import { type JsonSchema, type OpenApiDocument, resolve } from './openapi-document.ts';

/** Real things to name, so that some requests meet something. */
export interface Seeds {
  /** What to send in a field of that name: ids, and the external ids of purchases that can be taken back. */
  named: Record<string, string[]>;
  ids: string[];
  memberIds: string[];
  /** Members with a complete profile. */
  payeeIds: string[];
  /** Good ones, of which the service may ask. */
  addresses: string[];
  emails: string[];
  codes: string[];
  cursors: string[];
  /** Refresh tokens, those of other sides among them. */
  tokens: string[];
}

const anyIds = [crypto.randomUUID()];

/** For what is only looked at and sent nowhere. */
export const inventedSeeds: Seeds = {
  named: { purchase_external_event_id: ['order-1'] },
  ids: anyIds,
  memberIds: anyIds,
  payeeIds: anyIds,
  addresses: ['https://issuer.example'],
  emails: ['ann@example.com'],
  codes: ['ANN-1234'],
  cursors: ['cursor'],
  tokens: ['token'],
};

const MAX_NESTING = 3;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** `name` is the field's, for the fields whose schema does not say what they name. */
export function valuesOf(
  document: OpenApiDocument,
  schema: JsonSchema,
  seeds: Seeds,
  name = '',
  nesting = 0,
): fc.Arbitrary<unknown> {
  const known = resolve(document, schema);
  const inner = (child: JsonSchema, childName = name): fc.Arbitrary<unknown> =>
    valuesOf(document, child, seeds, childName, nesting + 1);
  if (known.const !== undefined) return fc.constant(known.const);
  if (known.enum) return fc.constantFrom(...known.enum);
  const options = known.anyOf ?? known.oneOf;
  if (options) {
    const flat = nesting < MAX_NESTING ? options : options.filter((option) => !isContainer(resolve(document, option)));
    return fc.oneof(...flat.map((option) => valuesOf(document, option, seeds, name, nesting)));
  }
  if (Array.isArray(known.type)) return fc.oneof(...known.type.map((type) => inner({ ...known, type })));
  switch (known.type) {
    case 'string':
      return stringsOf(known, seeds, name);
    case 'integer':
      return integersOf(known);
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true, min: known.minimum ?? -1e15, max: known.maximum ?? 1e15 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(inner(known.items ?? {}), { minLength: known.minItems ?? 0, maxLength: Math.min(known.maxItems ?? 4, 4) });
    case 'object':
      // A whole body is not made from its example, which names things that may exist once only.
      return nesting > 0 && known.example !== undefined
        ? exampleAnd(known, objectsOf(known, seeds, inner))
        : objectsOf(known, seeds, inner);
    default:
      return fc.constantFrom<unknown>(null, true, 0, 'x');
  }
}

function isContainer(schema: JsonSchema): boolean {
  return schema.type === 'array' || schema.type === 'object';
}

type Fields = Record<string, unknown>;

/** An object of many fields is seldom valid by chance: also its example, with some fields as they come. */
function exampleAnd({ example }: JsonSchema, random: fc.Arbitrary<Fields>): fc.Arbitrary<Fields> {
  const changed = fc.tuple(random, fc.infiniteStream(fc.nat(5))).map(([values, dice]) => ({
    ...(example as Fields),
    ...Object.fromEntries(Object.entries(values).filter(() => dice.next().value === 0)),
  }));
  return fc.oneof(random, changed, fc.constant(example as Fields));
}

function objectsOf(
  schema: JsonSchema,
  seeds: Seeds,
  inner: (child: JsonSchema, name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Fields> {
  const { properties, required = [], additionalProperties, propertyNames } = schema;
  if (properties) {
    const model = Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, inner(child, name)]));
    return fc.record(model, { requiredKeys: required });
  }
  const value = typeof additionalProperties === 'object' ? inner(additionalProperties, '') : fc.constant(1);
  const key = propertyNames
    ? stringsOf(propertyNames, seeds, propertyNames.pattern === '^[A-Za-z]{3}$' ? 'currency' : '')
    : fc.string({ unit: 'grapheme', maxLength: 12 });
  return fc.dictionary(
    key.filter((text) => !FORBIDDEN_KEYS.has(text) && isStorable(text)),
    value,
    { maxKeys: 4 },
  );
}

function integersOf({ minimum = -1e9, maximum = 1e9 }: JsonSchema): fc.Arbitrary<number> {
  const low = Math.max(minimum, -0x80000000);
  const high = Math.min(maximum, 0x7fffffff);
  return fc.oneof({ weight: 4, arbitrary: fc.integer({ min: low, max: high }) }, fc.constantFrom(minimum, maximum));
}

function seedsNamed(seeds: Seeds, name: string): string[] {
  const named = seeds.named[name];
  if (named) return named;
  return /user_?id|sponsor_?id|parent_?id/i.test(name) ? seeds.memberIds : seeds.ids;
}

function stringsOf(schema: JsonSchema, seeds: Seeds, name: string): fc.Arbitrary<string> {
  if (schema.format === 'uuid') {
    const known = seedsNamed(seeds, name);
    return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, fc.uuid());
  }
  if (schema.format === 'email') return emailsOf(seeds);
  if (schema.format === 'date-time') return instants;
  if (schema.format === 'date') return instants.map((instant) => instant.slice(0, 10));
  if (/country_?code/i.test(name)) return fc.constantFrom('DEU', 'GBR', 'HKG', 'QQQ');
  if (name === 'country') return fc.constantFrom('DE', 'GB', 'HK', 'AQ', 'QQ');
  if (name === 'methodId' || name === 'methodType') return fc.constantFrom('sepa_bank_transfer', 'gb_bank_transfer', 'none');
  if (name === 'destination_url')
    return fc
      .oneof({ weight: 3, arbitrary: fc.webPath() }, fc.constant('//evil.example'))
      .map((path) => `https://shop.example${path}`);
  if (schema.format === 'uri') return fc.constantFrom(...seeds.addresses);
  if (name === 'cursor') return fc.oneof(fc.constantFrom(...seeds.cursors), fc.base64String({ maxLength: 80 }));
  if (name === 'purchase_external_event_id')
    return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...(seeds.named[name] ?? [])) }, fc.uuid());
  if (/^(refreshToken|token)$/.test(name)) return fc.oneof(fc.constantFrom(...seeds.tokens), fc.base64String({ minLength: 1 }));
  if (/referral_?code/i.test(name)) return fc.oneof(fc.constantFrom(...seeds.codes), fc.stringMatching(/^[A-Z0-9-]{3,32}$/));
  if (name === 'ip') return fc.oneof(fc.ipV4(), fc.ipV6());
  if (/currency/i.test(name)) return fc.constantFrom('USD', 'EUR', 'JPY', 'KWD', 'QQQ');
  const fits = (text: string): boolean =>
    text.length >= (schema.minLength ?? 0) &&
    text.length <= (schema.maxLength ?? 1_000) &&
    (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text)) &&
    isStorable(text);
  if (schema.pattern !== undefined && schema.pattern !== '\\S') return fc.stringMatching(new RegExp(schema.pattern)).filter(fits);
  const maxLength = Math.min(schema.maxLength ?? 60, 300);
  const long = fc.constant('x'.repeat(schema.maxLength ?? 60));
  return fc
    .oneof({ weight: 9, arbitrary: fc.string({ unit: 'grapheme', minLength: schema.minLength ?? 0, maxLength }) }, long)
    .filter(fits);
}

function emailsOf(seeds: Seeds): fc.Arbitrary<string> {
  const fresh = fc
    .tuple(fc.uuid(), fc.constantFrom('', 'É', 'ß', 'İ', '+tag'))
    .map(([id, extra]) => `${id}${extra}@fuzz.example`);
  return fc.oneof({ weight: 6, arbitrary: fresh }, fc.constantFrom(...seeds.emails), fc.emailAddress());
}

const NOW = Date.now();
const YEAR_MS = 365 * 86_400_000;

/** Mostly the last years, for an occurred_at further back is refused; now and then anything. */
const instants: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.date({ min: new Date(NOW - 3 * YEAR_MS), max: new Date(NOW - 86_400_000), noInvalidDate: true }),
      },
      fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true }),
    ),
    fc.constantFrom('Z', '+00:00', '-08:00', '+14:00'),
  )
  .map(([date, zone]) => date.toISOString().replace('Z', zone));

/** What the wire guard lets through: no NUL, no lone surrogate. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
