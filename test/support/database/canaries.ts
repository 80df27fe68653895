/**
 * Words that are like nothing else, each for one field that somebody can write: wherever one is found again it says where
 * it was written.
 */
import { randomBytes } from 'node:crypto';
import type { OpenApiDocument } from '../openapi/openapi-document.ts';
import { listOperations, listRequestFields } from '../openapi/openapi-document.ts';
import { formsOf } from './dump.ts';
import type { TestDatabase } from './test-database.ts';

export interface Canaries {
  /** The word of a field: `createUser body.name`. The same field has the same word again unless `anew` is given. */
  in(field: string, anew?: string): string;
  /** A value with a form of its own, an address or a number, that is looked for as it is. */
  as(field: string, value: string): string;
  planted(): ReadonlyMap<string, string>;
}

export function newCanaries(): Canaries {
  const words = new Map<string, string>();
  return {
    in(field, anew = '') {
      const name = anew === '' ? field : `${field}, ${anew}`;
      const word = words.get(name) ?? `zq${randomBytes(6).toString('hex')}`;
      words.set(name, word);
      return word;
    },
    as(field, value) {
      words.set(field, value);
      return value;
    },
    planted: () => words,
  };
}

/** Formats and patterns that leave no room for what a person is called. */
const CLOSED_FORMATS = ['uuid', 'date-time', 'date'];
const CLOSED_PATTERNS = [/^\^\[A-Za-z\]\{[23]\}\$$/, /\\d\{3\}/, /^\^\[0-9a-fA-F\]\{64\}\$$/];

/** Every field of a request that takes text of the sender's choice: `createUser body.name`. */
export function listTextFields(document: OpenApiDocument): string[] {
  return listOperations(document).flatMap(({ operation }) =>
    listRequestFields(document, operation)
      .filter(
        ({ path, schema }) =>
          path !== 'query.cursor' &&
          (schema.type === undefined || schema.type === 'string' || schema.type === 'object') &&
          schema.enum === undefined &&
          schema.const === undefined &&
          !CLOSED_FORMATS.includes(schema.format ?? '') &&
          !CLOSED_PATTERNS.some((pattern) => pattern.test(schema.pattern ?? '')),
      )
      .map(({ path }) => `${operation.operationId} ${path}`),
  );
}

const DIGEST = /^(md5|sha)/;

/** The forms of a word that can be read again. Digests cannot: they are what is kept in place of it. */
export function readableForms(word: string): string[] {
  const known = FORMS.get(word);
  if (known) return known;
  const forms = [...formsOf(word)].filter(([name]) => !DIGEST.test(name)).map(([, form]) => form.toLowerCase());
  FORMS.set(word, forms);
  return forms;
}

const FORMS = new Map<string, string[]>();

/** Where each word is, in any table of ours or of the jobs: `createUser body.name in public.member.name`. */
export async function findCanaries({ asSuperuser }: TestDatabase, canaries: Canaries): Promise<string[]> {
  const columns = await asSuperuser<{ name: string; column: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name, format('%I', a.attname) as column
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
       and a.attnum > 0 and not a.attisdropped order by 1, a.attnum`,
  );
  const found: string[] = [];
  for (const { name, column } of columns) {
    const [row] = await asSuperuser<{ text: string | null }>(
      `select string_agg(distinct ${column}::text, e'\\n') as text from ${name}`,
    );
    found.push(...findIn(row?.text ?? '', canaries).map((field) => `${field} in ${name}.${column}`));
  }
  return found;
}

/** The fields whose words are in a text. */
export function findIn(text: string, canaries: Canaries): string[] {
  const folded = text.toLowerCase();
  return [...canaries.planted()]
    .filter(([, word]) => readableForms(word).some((form) => folded.includes(form)))
    .map(([field]) => field);
}
