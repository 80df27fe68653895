/** How large the document is and how much of it is described: `npm run docs:figures` prints the same. */
import { beforeAll, expect, test } from 'vitest';
import { type Figures, figuresOf } from '../../src/http/document/figures.ts';
import type { JsonObject } from '../../src/http/document/objects.ts';
import { readDocument } from '../../tools/read-document.ts';

/** What a client's author downloads for each operation, all in all. */
const MOST_KILOBYTES = 4.5;

/** Longer ones, the scopes and the error codes, have a page of their own. */
const MOST_VALUES = 20;

let document: JsonObject;
let figures: Figures;
beforeAll(async () => {
  document = JSON.parse(await readDocument()) as JsonObject;
  figures = figuresOf(document);
});

test('it has at most 4.5 kB an operation', () => {
  const bytes = Buffer.byteLength(JSON.stringify(document));
  expect(bytes / 1000 / figures.operations).toBeLessThanOrEqual(MOST_KILOBYTES);
});

test('every parameter and every property says what it is', () => {
  expect(figures.undescribed).toEqual([]);
  expect(figures.descriptions).toBeGreaterThan(2_000);
});

test('a property that says nothing is found, wherever it stands', () => {
  const bare = structuredClone(document) as { components: { schemas: Record<string, { properties: JsonObject }> } };
  const member = bare.components.schemas['Member'];
  if (!member) throw new Error('there is no Member');
  member.properties['new_field'] = { type: 'string' };
  expect(figuresOf(bare as unknown as JsonObject).undescribed).toEqual(['components.schemas.Member.new_field']);
});

test('every list of values says what they mean, at it or at the parameter', () => {
  const silent: string[] = [];
  const visit = (part: unknown, way: string, above: string): void => {
    if (typeof part !== 'object' || part === null) return;
    const { enum: values = [], description = '' } = part as { enum?: unknown[]; description?: unknown };
    const words = `${String(description)} ${above}`;
    const named = values.filter((value) => words.includes(`\`${String(value)}\``));
    const isSilent = values.length > 1 && values.length <= MOST_VALUES && named.length < values.length / 2;
    if (isSilent) silent.push(`${way}: ${words}`);
    for (const [name, inner] of Object.entries(part)) {
      if (name !== 'example' && name !== 'examples') visit(inner, `${way}.${name}`, String(description));
    }
  };
  const { components, paths } = document as { components: object; paths: object };
  visit({ components, paths }, '', '');
  expect(silent).toEqual([]);
});

test('no name has a number for an end, or is one that a generator would hide', () => {
  const { components } = document as { components: Record<string, object> };
  const names = ['schemas', 'parameters', 'responses'].flatMap((kind) => Object.keys(components[kind] ?? {}));
  expect(names.length).toBeGreaterThan(400);
  expect(names.filter((name) => !/^[A-Za-z]([\w-]*[A-Za-z])?$/.test(name))).toEqual([]);
});

test('bodies and lists have names, and every tag and operation says what it is about', () => {
  const { paths, tags, servers, info } = document as unknown as {
    paths: Record<
      string,
      Record<string, { requestBody?: { content: Record<string, { schema: { $ref?: string } }> }; summary: string }>
    >;
    tags: { name: string; description: string }[];
    servers: { url: string }[];
    info: { license: { name: string }; contact: { name: string } };
  };
  for (const item of Object.values(paths)) {
    for (const { requestBody, summary } of Object.values(item)) {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema) expect(schema.$ref, summary).toMatch(/^#\/components\/schemas\/[A-Z]\w+$/);
      expect(summary).not.toBe('');
    }
  }
  for (const { name, description } of tags) expect(description, name).not.toBe('');
  expect(servers).toEqual([{ url: 'http://127.0.0.1:3000', description: 'This service' }]);
  expect([info.license.name, info.contact.name]).toEqual(['MIT', 'Whoever operates this service']);
});
