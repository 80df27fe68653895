/** The fields of a schema as rows, those of an object within another behind it. */
import type { JsonObject } from '../http/document/objects.ts';
import type { ReadDocument } from './document.ts';

export interface Field {
  /** As `customer.email` or `line_items[].sku`. */
  name: string;
  type: string;
  required: boolean;
  description: string;
}

/** Deeper ones are named by their component. */
const DEEPEST = 3;

export function fieldsOf(schema: JsonObject, { resolve }: Pick<ReadDocument, 'resolve'>): Field[] {
  const fields: Field[] = [];
  const seen = new Set<string>();
  const add = (part: JsonObject, prefix: string, depth: number, above: readonly unknown[]): void => {
    const whole = resolve(part);
    if (depth > DEEPEST || above.includes(whole)) return;
    const required = new Set((whole['required'] ?? []) as string[]);
    for (const [name, property] of Object.entries((whole['properties'] ?? {}) as Record<string, JsonObject>)) {
      const full = `${prefix}${name}`;
      if (seen.has(full)) continue;
      seen.add(full);
      fields.push({
        name: full,
        type: typeOf(property, resolve),
        required: required.has(name),
        description: descriptionOf(property, resolve),
      });
      const inner = innerOf(property, resolve);
      if (inner) add(inner.schema, `${full}${inner.isList ? '[]' : ''}.`, depth + 1, [...above, whole]);
    }
    for (const option of optionsOf(whole)) add(option, prefix, depth, [...above, whole]);
  };
  const top = resolve(schema);
  add(top['type'] === 'array' ? ((top['items'] ?? {}) as JsonObject) : schema, '', 1, []);
  return fields;
}

const optionsOf = (schema: JsonObject): JsonObject[] =>
  (schema['oneOf'] ?? schema['anyOf'] ?? schema['allOf'] ?? []) as JsonObject[];

function innerOf(property: JsonObject, resolve: ReadDocument['resolve']): { schema: JsonObject; isList: boolean } | undefined {
  const whole = resolve(property);
  if (whole['properties']) return { schema: whole, isList: false };
  const items = whole['items'] as JsonObject | undefined;
  if (items) return hasFields(items, resolve) ? { schema: items, isList: true } : undefined;
  const options = optionsOf(whole).filter((option) => resolve(option)['type'] !== 'null');
  if (options.length === 1 && options[0]) return innerOf(options[0], resolve);
  return options.some((option) => hasFields(option, resolve)) ? { schema: whole, isList: false } : undefined;
}

function hasFields(schema: JsonObject, resolve: ReadDocument['resolve']): boolean {
  const whole = resolve(schema);
  return whole['properties'] !== undefined || optionsOf(whole).some((option) => hasFields(option, resolve));
}

export function descriptionOf(property: JsonObject, resolve: ReadDocument['resolve']): string {
  if (typeof property['description'] === 'string') return property['description'];
  const whole = resolve(property);
  if (typeof whole['description'] === 'string') return whole['description'];
  const option = optionsOf(whole).find((one) => descriptionOf(one, resolve) !== '');
  return option ? descriptionOf(option, resolve) : '';
}

/** In words, as `text (email)`, `list of objects`, or `"LIVE" or "SANDBOX"`. */
export function typeOf(schema: JsonObject, resolve: ReadDocument['resolve']): string {
  const whole = resolve(schema);
  if (Array.isArray(whole['enum'])) return (whole['enum'] as unknown[]).map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in whole) return JSON.stringify(whole['const']);
  const types = [whole['type'] ?? []].flat() as string[];
  if (types.length > 0) return types.map((type) => simpleType(type, whole, resolve)).join(' | ');
  const options = [...new Set(optionsOf(whole).map((option) => typeOf(option, resolve)))];
  return options.length > 0 ? options.join(' | ') : 'any value';
}

function simpleType(type: string, whole: JsonObject, resolve: ReadDocument['resolve']): string {
  if (type === 'array') return `list of ${typeOf((whole['items'] ?? {}) as JsonObject, resolve)}`;
  const format = whole['format'];
  const named = { string: 'text', integer: 'whole number', boolean: 'true or false' }[type] ?? type;
  return type === 'string' && typeof format === 'string' ? `${named} (${format})` : named;
}
