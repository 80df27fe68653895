/** Takes out of the document what says nothing to a reader: bounds of every integer, patterns beside a format, closed answers, repeats. */
import type { JsonObject } from './objects.ts';
import type { Draft } from './shared.ts';

/** Formats that say all that a pattern beside them would. */
const FORMATS_WITH_PATTERNS = new Set(['uuid', 'date-time', 'date', 'email']);

export function slim(document: Draft): void {
  placeUnnamed(document);
  walk({ paths: document.paths, components: document.components }, (schema) => {
    unbound(schema);
    const { anyOf, allOf } = schema as { anyOf?: object[]; allOf?: object[] };
    // Whatever else is allowed, so is anything.
    if (anyOf?.some((one) => Object.keys(one).length === 0)) delete schema['anyOf'];
    if (allOf) {
      const distinct = [...new Map(allOf.map((one) => [JSON.stringify(one), one])).values()];
      if (distinct.length === 1) {
        delete schema['allOf'];
        Object.assign(schema, { ...distinct[0], ...schema });
      }
    }
    if (anyOf) orNull(schema, anyOf as JsonObject[]);
    if (FORMATS_WITH_PATTERNS.has(String(schema['format']))) delete schema['pattern'];
    if ('in' in schema) sayOnce(schema);
  });
  openAnswers(document);
}

/** What no safe integer is beyond bounds nothing. */
function unbound(schema: JsonObject): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}

/** Puts a part of what refers to itself, which the renderer has made a component of under a name of its own, where it belongs. */
function placeUnnamed({ paths, components }: Draft): void {
  const unnamed = Object.entries(components.schemas).filter(([name]) => name.startsWith('__'));
  for (const [name, schema] of unnamed) {
    delete components.schemas[name];
    walk({ paths, components }, (part) => {
      if (part['$ref'] !== `#/components/schemas/${name}`) return;
      delete part['$ref'];
      Object.assign(part, schema);
    });
  }
}

/** What a parameter is stands at the parameter, where tools look for it, and not at its schema too. */
function sayOnce(parameter: JsonObject): void {
  const schema = parameter['schema'] as JsonObject | undefined;
  if (schema?.['description'] === undefined) return;
  parameter['description'] ??= schema['description'];
  if (parameter['description'] === schema['description']) delete schema['description'];
}

/** What may be null besides is one schema with two types, where it is a plain value. */
function orNull(schema: JsonObject, options: readonly JsonObject[]): void {
  const [value, nothing] = options;
  if (options.length !== 2 || !value || nothing?.['type'] !== 'null' || typeof value['type'] !== 'string') return;
  if (['object', 'array'].includes(value['type']) || 'const' in value) return;
  delete schema['anyOf'];
  const { description, ...rest } = value;
  Object.assign(schema, rest, { type: [value['type'], 'null'] });
  unbound(schema);
  if (Array.isArray(value['enum'])) schema['enum'] = [...(value['enum'] as unknown[]), null];
  if (description !== undefined) schema['description'] ??= description;
}

/** Answers may get fields later, so a client must not refuse any; requests stay as strict as they are. */
function openAnswers({ paths, components }: Draft): void {
  const ofRequests = new Set<string>();
  const note = (part: unknown): void =>
    walk(part, (schema) => {
      const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema['$ref']))?.[1];
      if (name === undefined || ofRequests.has(name)) return;
      ofRequests.add(name);
      note(components.schemas[name]);
    });
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  for (const { requestBody, parameters } of operations) note([requestBody, parameters]);
  const open = (schema: JsonObject): void => {
    if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
    // One that is written at a schema is of a request; one of an answer stands beside its schema.
    if (!('schema' in schema)) delete schema['example'];
  };
  for (const [name, schema] of Object.entries(components.schemas)) if (!ofRequests.has(name)) walk(schema, open);
  for (const { responses } of operations) walk(responses, open);
}

/** Visits every object, but what examples hold; the fields of an object are no object of their own. */
function walk(part: unknown, visit: (object: JsonObject) => void): void {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) visit(part as JsonObject);
  for (const [name, inner] of Object.entries(part)) {
    if (name === 'example' || name === 'examples') continue;
    if (name === 'properties') for (const field of Object.values(inner as JsonObject)) walk(field, visit);
    else walk(inner, visit);
  }
}
