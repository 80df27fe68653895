/** Field schemas that several operations share. */
import { z } from 'zod';
import { ACTOR_KINDS } from '../actor.ts';
import { isCountry } from '../countries.ts';
import { type ExactName, exactName, isCurrency, MAX_AMOUNT_MINOR } from '../money.ts';

export const uuid = z
  .string()
  .regex(
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    'must be a UUID: an id of the service, not one of yours',
  )
  .transform((value) => value.toLowerCase())
  .meta({ override: { type: 'string', format: 'uuid' } });

const MOST_IDS = 100;

/** Ids in one query parameter, with commas between them: each once, in the order given. */
export const uuidList = z
  .string()
  .transform((value) => value.split(','))
  .pipe(z.array(uuid).max(MOST_IDS, `must name at most ${MOST_IDS}`))
  .transform((ids) => [...new Set(ids)])
  .meta({ override: { type: 'string', maxLength: MOST_IDS * 37 - 1 } });

export const actorKind = z.enum(ACTOR_KINDS).meta({
  id: 'ActorKind',
  description:
    '`api_key`: a key of the tenant; `staff`: a person of the tenant; `member`; `operator`: of the deployment; `vendor`: of verification or payment; `system`: the service by itself',
});

export const environment = z
  .enum(['LIVE', 'SANDBOX'])
  .meta({ id: 'Environment', description: '`LIVE`, or `SANDBOX` for trying out' });

/** Who did it, in an answer. */
export const namedActor = z
  .object({
    kind: actorKind,
    id: z.string().nullable().meta({ description: 'Of the API key, the person or the member; the name of the vendor' }),
    name: z.string().nullable().meta({ description: 'Of the key or the person; null: not known' }),
  })
  .meta({ id: 'Actor', description: 'Who did it' });

/** An instant in an answer. */
export const timestamp = z
  .date()
  .transform((value) => value.toISOString())
  .meta({ override: { type: 'string', format: 'date-time' } });

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');

/** An instant in a request: ISO 8601 with a zone, within what both JavaScript and PostgreSQL can hold. */
export const instant = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 date-time with a zone, such as 2026-01-31T12:00:00Z' })
  .refine((value) => Date.parse(value) >= EARLIEST && !/[+-](?:1[5-9]|2\d):\d\d$/.test(value), 'must be a date-time that exists')
  .meta({ override: { type: 'string', format: 'date-time' } });

/** The same of a time to come. An end in the year 9999 could be rounded into a year that a date-time cannot be written with. */
export const turningPoint = instant.refine(
  (value) => Date.parse(value) < Date.parse('9999-01-01T00:00:00Z'),
  'must be before the year 9999',
);

/**
 * An email address as it was typed, in Unicode NFC: at most 254 characters, a local part in any
 * script, a domain with a dot. Uniqueness goes by `normaliseEmail`.
 * Source: docs/specification/conventions.md#email.
 */
export const email = z
  .string()
  .transform((value) => value.normalize('NFC'))
  .refine((value) => value.length <= 254 && normaliseEmail(value).length <= 254, 'must have at most 254 characters')
  .refine(
    (value) =>
      /^[^\s@"(),:;<>[\\\]\p{C}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*$/u.test(
        value,
      ),
    'must be an email address',
  )
  .meta({ override: { type: 'string', format: 'email', maxLength: 254 } });

/** An email address in an answer. */
export const emailOut = z.string().meta({ override: { type: 'string', format: 'email' } });

/** The form texts are compared in: NFC, lower case. */
function foldCase(value: string): string {
  return value.normalize('NFC').toLowerCase().normalize('NFC');
}

/** The form emails are compared in. */
export const normaliseEmail = foldCase;

/** What the column holds; only composed characters of Hebrew and Indic scripts can make a name so long. */
const MAX_FOLDED_NAME = 510;

/** The form names are searched in. Greek has two small sigmas, by their place in the word; the beginning of a name is not its end. */
export function foldName(name: string): string {
  const folded = foldCase(name).replaceAll('ς', 'σ');
  return folded.length <= MAX_FOLDED_NAME ? folded : Array.from(folded).slice(0, MAX_FOLDED_NAME).join('');
}

/** Text with at least one visible character. */
export function text(max: number): z.ZodString {
  return z.string().min(1, 'must not be empty').max(max, `must have at most ${max} characters`).regex(/\S/, 'must not be blank');
}

/** A vendor's address that a tenant sets; null: the vendor's own. */
export const vendorBaseUrl = z
  .string()
  .min(1, 'must not be empty')
  .max(2000, 'must have at most 2000 characters')
  .nullish()
  .meta({ description: "Only the vendor's own, or a host that the deployment names in OUTGOING_ALLOWED_HOSTS" });

/**
 * A code of so many letters, read in any case and in capitals from then on: it is stored, compared and answered so.
 * Source: docs/specification/conventions.md#codes.
 */
export function letterCode(letters: 2 | 3, isKnown: (code: string) => boolean, { fault, description, names }: CodeWords) {
  const inAnyCase = new RegExp(`^[A-Za-z]{${letters}}$`);
  return z
    .string()
    .transform((value) => (inAnyCase.test(value) ? value.toUpperCase() : value))
    .refine(isKnown, fault)
    .meta({
      // The library says which side it describes; its types do not.
      override: (context: { jsonSchema: object }) => {
        const pattern = (context as { io?: string }).io === 'input' ? inAnyCase.source : `^[A-Z]{${letters}}$`;
        Object.assign(context.jsonSchema, { type: 'string', minLength: letters, maxLength: letters, pattern });
      },
      description,
      ...names,
    });
}

interface CodeWords {
  /** In the document. */
  names?: { id: string; outputId: string };
  fault: string;
  description: string;
}

export const currency = letterCode(3, isCurrency, {
  fault: 'is not a known currency; send an ISO 4217 code such as EUR or USD',
  description: 'ISO 4217',
  names: { id: 'CurrencyCode', outputId: 'Currency' },
});

/** A currency in an answer: what is stored is shown, whether or not the list of currencies still has it. */
export const currencyOut = z.string().meta({
  override: { type: 'string', minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$' },
  description: 'ISO 4217',
  id: 'Currency',
});

/** ISO 3166-1 alpha-2. */
export const countryCode = letterCode(2, isCountry, {
  fault: 'must be an ISO 3166-1 alpha-2 country code',
  description: 'ISO 3166-1 alpha-2',
});

/** A value for each currency. One that is named twice, in two cases, is refused. */
export function byCurrency<Value extends z.ZodType>(value: Value) {
  const record = z.record(currency, value);
  const named = z.preprocess((sent, context) => {
    const codes = typeof sent === 'object' && sent !== null ? Object.keys(sent).map((code) => code.toUpperCase()) : [];
    if (new Set(codes).size < codes.length) context.addIssue({ code: 'custom', message: 'must name a currency once' });
    return sent;
  }, record);
  return named as z.ZodType<z.output<typeof record>, z.input<typeof record>>;
}

/** A non-negative amount of minor units in a request. */
export const amountMinor = z
  .number()
  .int('must be a whole number of minor units, as 1050 for 10.50')
  .min(0, 'must not be negative')
  .max(Number(MAX_AMOUNT_MINOR), `must be at most ${MAX_AMOUNT_MINOR}`)
  .transform(BigInt)
  .meta({ override: { type: 'integer', minimum: 0, maximum: Number(MAX_AMOUNT_MINOR) } });

/** An integer amount of minor units in an answer. */
export const amountMinorOut = z.int().meta({ description: 'Minor units' });

type SumShape<Name extends string> = { [N in Name]: z.ZodNullable<z.ZodNumber> } & {
  [N in ExactName<Name>]: z.ZodOptional<z.ZodString>;
};

/** The fields of a sum of minor units in an answer, as `minorSum` makes them. */
export function minorSumOut<Name extends string>(name: Name, meaning = ''): SumShape<Name> {
  return sumShape(name, z.int(), `${meaning && `${meaning}. `}Minor units`);
}

/** The fields of a sum of major units in an answer, as `majorSum` makes them. */
export function majorSumOut<Name extends string>(name: Name, meaning = ''): SumShape<Name> {
  return sumShape(name, z.number(), `${meaning && `${meaning}. `}Major units`);
}

function sumShape<Name extends string>(name: Name, value: z.ZodNumber, description: string): SumShape<Name> {
  const exact = exactName(name);
  return {
    [name]: value.nullable().meta({ description: `${description}; null where it is too large: see \`${exact}\`` }),
    [exact]: z
      .string()
      .optional()
      .meta({ description: `\`${name}\` in digits, where that is null` }),
  } as unknown as SumShape<Name>;
}

export function queryInteger(min: number, max: number) {
  return z
    .string()
    .refine((value) => /^\d{1,9}$/.test(value), 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
    .meta({ override: { type: 'integer', minimum: min, maximum: max } });
}

export const queryBoolean = z
  .string()
  .refine((value) => value === 'true' || value === 'false', 'must be true or false')
  .transform((value) => value === 'true')
  .meta({ override: { type: 'boolean' } });

/** MembershipTier of the service description. */
export const membershipTier = z.enum(['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR']).meta({
  id: 'MembershipTier',
  description: 'From the lowest, `ORDINARY`, by `SENIOR` and `MANAGER` to `DIRECTOR`: what a plan pays by',
});
export type MembershipTier = z.infer<typeof membershipTier>;
