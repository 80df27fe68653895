/** How large the document is, and how much of it is described and shown by examples. */
import type { JsonObject } from './objects.ts';

export interface Figures {
  operations: number;
  kilobytes: number;
  kilobytesPerOperation: number;
  /** Media types of requests and answers that have one. */
  examples: number;
  /** Parameters, properties and headers that say what they are. */
  descriptions: number;
  /** The ways to those that do not. */
  undescribed: string[];
}

export function figuresOf(document: JsonObject): Figures {
  const operations = Object.values(document['paths'] as Record<string, object>).flatMap((item) => Object.values(item));
  const kilobytes = Buffer.byteLength(JSON.stringify(document)) / 1000;
  const found = { examples: 0, descriptions: 0, undescribed: [] as string[] };
  count(document, document, [], found);
  return {
    operations: operations.length,
    kilobytes: Math.round(kilobytes),
    kilobytesPerOperation: Math.round((100 * kilobytes) / operations.length) / 100,
    ...found,
  };
}

function count(document: JsonObject, part: unknown, steps: readonly string[], found: Counted): void {
  if (typeof part !== 'object' || part === null) return;
  if ('example' in part && !steps.includes('properties')) found.examples++;
  for (const [name, inner] of Object.entries(part)) {
    if (name === 'example' || name === 'value') continue;
    const way = [...steps, name];
    // What is shared stands among the components, and is counted there.
    const parameters = name === 'parameters' ? Object.values(inner as Record<string, JsonObject>) : [];
    for (const one of parameters) if (!('$ref' in one)) note(document, one, [...way, String(one['name'])], found);
    if (name === 'properties' && typeof inner === 'object') {
      for (const [field, schema] of Object.entries(inner as Record<string, JsonObject>)) {
        note(document, schema, [...steps, field], found);
        count(document, schema, [...steps, field], found);
      }
    } else count(document, inner, way, found);
  }
}

type Counted = Pick<Figures, 'examples' | 'descriptions' | 'undescribed'>;

function note(document: JsonObject, described: JsonObject, way: readonly string[], found: Counted): void {
  if (saysWhatItIs(document, described)) found.descriptions++;
  else found.undescribed.push(way.join('.'));
}

/** By itself, by its schema, or by what it refers to. */
function saysWhatItIs(document: JsonObject, part: JsonObject): boolean {
  if (typeof part['description'] === 'string') return true;
  const ref = part['$ref'];
  if (typeof ref === 'string') return saysWhatItIs(document, referredBy(document, ref));
  const inner = [part['schema'], part['items'], ...((part['anyOf'] ?? part['oneOf'] ?? part['allOf'] ?? []) as unknown[])];
  return inner.some((one) => typeof one === 'object' && one !== null && saysWhatItIs(document, one as JsonObject));
}

function referredBy(document: JsonObject, ref: string): JsonObject {
  const steps = ref.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((part, step) => (part as JsonObject)[step], document) as JsonObject;
}
