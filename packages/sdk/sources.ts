/** The generated files of the library, as text. */
import currencyCodes from 'currency-codes';
import openapiTS, { astToString } from 'openapi-typescript';
import { readDocument } from '../../tools/read-document.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
}

interface SchemaOrRef {
  $ref?: string;
  properties?: object;
}

interface Operation {
  operationId: string;
  'x-called-by'?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: SchemaOrRef }> };
  responses: Record<string, { content?: Record<string, { schema: SchemaOrRef }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { responses: object } }>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, { properties?: object }> };
}

const GENERATED = '// Generated from the OpenAPI document by `npm run -w @mcr/sdk generate`. Changes belong there.\n';

/** By the name of the file. */
export async function generateSources(): Promise<Record<string, string>> {
  const document = forBackends(JSON.parse(await readDocument()) as Document);
  const types = await openapiTS(JSON.parse(JSON.stringify(forTypes(document))) as never, {
    emptyObjectsUnknown: true,
    defaultNonNullable: false,
  });
  return {
    'schema.ts': `${GENERATED}${astToString(types)}`,
    'operations.ts': `${GENERATED}${operationsOf(document)}`,
    'currencies.ts': `${GENERATED}${currencies()}`,
  };
}

/** What types need: no refusals, which are one class of the library, no headers and no examples. */
function forTypes(document: Document): Document {
  const { parameters, schemas } = document.components;
  const bare = JSON.parse(
    JSON.stringify({ ...document, components: { parameters, schemas } }, (name, value: unknown) =>
      name === 'example' || name === 'examples' || (name === 'allOf' && saysNoType(value)) ? undefined : value,
    ),
  ) as Document;
  for (const operation of Object.values(bare.paths).flatMap((item) => Object.values(item))) {
    const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    operation.responses = Object.fromEntries(answers.map(([status, answer]) => [status, { ...answer, headers: undefined }]));
  }
  for (const { post } of Object.values(bare.webhooks)) post.responses = {};
  return bare;
}

/** Several patterns of one text. */
function saysNoType(parts: unknown): boolean {
  return (parts as object[]).every((part) => Object.keys(part).every((keyword) => keyword === 'pattern'));
}

/** Without what no backend of a tenant calls. */
function forBackends(document: Document): Document {
  const paths = Object.entries(document.paths).map(([route, item]) => {
    const open = Object.entries(item).filter(([, operation]) => operation['x-called-by'] === undefined);
    return [route, Object.fromEntries(open)] as const;
  });
  return { ...document, paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)) };
}

function operationsOf(document: Document): string {
  const lines = Object.entries(document.paths).flatMap(([route, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const called = { method: method.toUpperCase(), path: route, ...callOf(document, operation) };
      return `  ${operation.operationId}: ${JSON.stringify(called)},`;
    }),
  );
  return `export const operations = {\n${lines.join('\n')}\n} as const;\n`;
}

/** What a call of it needs to know; what is usual is left out. */
function callOf(document: Document, { parameters = [], requestBody, responses }: Operation): object {
  const all = parameters.map((one) => ('$ref' in one ? lookUp<Parameter>(document, one.$ref) : one));
  const namesIn = (place: Parameter['in']): string[] => all.filter((one) => one.in === place).map(({ name }) => name);
  const query = namesIn('query');
  const headers = namesIn('header').filter((name) => name !== 'Idempotency-Key');
  const both = namesIn('path').filter((name) =>
    fieldsOf(document, requestBody?.content['application/json']?.schema).includes(name),
  );
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {};
  const [type = 'application/json'] = Object.keys(success);
  const list = listOf(document, success[type]?.schema);
  return {
    ...(query.length > 0 && { query }),
    ...(headers.length > 0 && { headers }),
    ...(requestBody && { body: Object.keys(requestBody.content)[0] === 'application/json' ? 'json' : 'text' }),
    ...(both.length > 0 && { both }),
    ...(namesIn('header').includes('Idempotency-Key') && { idempotent: true }),
    ...(type !== 'application/json' && { answer: type === 'application/pdf' ? 'bytes' : 'text' }),
    ...(list !== undefined && query.includes('cursor') && { next: list }),
  };
}

/** The field that has the next page's cursor. */
function listOf(document: Document, schema: SchemaOrRef | undefined): string | undefined {
  const found: SchemaOrRef | undefined = schema?.$ref === undefined ? schema : lookUp(document, schema.$ref);
  const properties = found?.properties ?? {};
  return ['nextCursor', 'next_cursor'].find((name) => name in properties && 'data' in properties);
}

function fieldsOf(document: Document, schema: SchemaOrRef | undefined): string[] {
  if (schema?.$ref === undefined) return Object.keys(schema?.properties ?? {});
  return fieldsOf(document, lookUp(document, schema.$ref));
}

function lookUp<Part>(document: Document, ref: string): Part {
  const steps = ref.slice(2).split('/');
  return steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], document) as Part;
}

function currencies(): string {
  const others = currencyCodes.data.map(({ code, digits }) => `  ${code}: ${digits},`);
  return `/** Digits behind the decimal point (ISO 4217), of every currency. */\nexport const DIGITS: Readonly<Record<string, number>> = {\n${others.join('\n')}\n};\n`;
}
