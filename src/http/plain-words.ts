/**
 * What zod finds, said to the person who wrote the request. A message that a schema brings goes before. Names of
 * ours are quoted, and nothing that was sent.
 */
import { z } from 'zod';
import { nearName } from './near-name.ts';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** Of one object so many unknown fields are looked at for what they may have meant. */
const GUESSES = 20;
/** Of a longer list of values the first are named. */
const VALUES = 40;

/** `noun`: what an unknown name is not. Several unknown names of one object have a line each, in their order. */
export function plainWords(noun: 'field' | 'parameter'): z.core.$ZodErrorMap {
  return (issue) => {
    if (issue.code === 'unrecognized_keys') return unknownNames(issue, noun);
    if (issue.input === undefined) return 'is required';
    return inWords(issue);
  };
}

function unknownNames({ keys, inst }: Issue & { code: 'unrecognized_keys' }, noun: string): string {
  const fields = inst instanceof z.ZodObject ? (inst.shape as Record<string, z.ZodType>) : {};
  return keys
    .map((key, index) => {
      const near = index < GUESSES ? fieldMeant(key, fields) : undefined;
      return `is not a known ${noun}${near === undefined ? '' : `; did you mean ${near}?`}`;
    })
    .join('\n');
}

/** A field with nearly this name, one that begins or ends with it, as `amount_minor`, or one within another field. */
function fieldMeant(key: string, fields: Readonly<Record<string, z.ZodType>>): string | undefined {
  const known = Object.keys(fields);
  const near = nearName(key, known);
  if (near !== undefined) return near;
  const longer = known.filter((name) => [wordsOf(name)[0], wordsOf(name).at(-1)].includes(key.toLowerCase()));
  if (longer.length === 1) return longer[0];
  const within = known.filter((name) => fieldsWithin(fields[name]).includes(key));
  return within.length === 1 ? `${within[0]}.${key}` : undefined;
}

/** Of a name in either case. */
const wordsOf = (name: string): string[] => name.split(/_|(?=[A-Z])/).map((word) => word.toLowerCase());

function fieldsWithin(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? fieldsWithin(schema.unwrap() as z.ZodType) : [];
}

function inWords(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return typeFault(issue);
    case 'invalid_value':
      return valueFault(issue.values, issue.input);
    case 'invalid_union':
      return unionFault(issue);
    case 'too_small':
      return `must ${have(issue.origin)}at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `must ${have(issue.origin)}at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has not the form that is asked for';
    default:
      return undefined;
  }
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function typeFault({ expected, input, inst }: Issue & { code: 'invalid_type' }): string | undefined {
  const isWhole = expected === 'int' || (expected === 'number' && isInteger(inst));
  const wanted = isWhole ? 'an integer' : EXPECTED[expected];
  if (wanted === undefined) return undefined;
  return isWhole && typeof input === 'number' ? 'must be a whole number' : `must be ${wanted}, not ${kindOf(input)}`;
}

function isInteger(schema: unknown): boolean {
  return schema instanceof z.ZodNumber && (schema.format?.includes('int') ?? false);
}

function kindOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'an array';
  return typeof input === 'object' ? 'an object' : `a ${typeof input}`;
}

/** Of a discriminated union: which of its forms is meant is said by one field. */
function unionFault({ discriminator, options, input }: Issue & { code: 'invalid_union' }): string | undefined {
  if (discriminator === undefined || !Array.isArray(options)) return undefined;
  const given = (input as Record<string, unknown>)[discriminator];
  return given === undefined ? 'is required' : valueFault(options, given);
}

function valueFault(values: readonly unknown[], input: unknown): string {
  const names = values.map(String);
  const more = names.length > VALUES ? ` and ${names.length - VALUES} others` : '';
  const near = typeof input === 'string' ? nearName(input, names) : undefined;
  const one = names.length === 1 ? 'must be' : 'must be one of';
  return `${one} ${names.slice(0, VALUES).join(', ')}${more}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', map: 'entry' };

function have(origin: string): string {
  return UNITS[origin] === undefined ? 'be ' : 'have ';
}

function unitOf(origin: string, count: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined ? '' : ` ${unit}${Number(count) === 1 ? '' : 's'}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an email address',
  url: 'must be a URL',
  uuid: 'must be a UUID',
  date: 'must be a date such as 2026-01-31',
  datetime: 'must be an ISO 8601 date-time with a zone, such as 2026-01-31T12:00:00Z',
};
