/** The document forbids nothing that the code lets through. Source: docs/specification/reliability.md#fuzz. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { bodyWith } from '../support/hostile/hostile-run.ts';
import { hostileJson } from '../support/hostile/hostile-values.ts';
import { matrixRows } from '../support/matrix/matrix-rows.ts';
import { checkerOf, type SchemaChecker } from '../support/openapi/openapi-ajv.ts';
import { bodySchemaOf, listOperations, listRequestFields, type OpenApiDocument } from '../support/openapi/openapi-document.ts';
import { inventedSeeds, valuesOf } from '../support/openapi/schema-arbitrary.ts';

let app: TestApp;
let document: OpenApiDocument;
let checker: SchemaChecker;
beforeAll(async () => {
  app = await startTestApp();
  document = (await app.http.get('/api/v1/openapi.json')).body as OpenApiDocument;
  checker = checkerOf(document);
});
afterAll(() => app.close());

test.each(Object.keys(matrixRows))('%s', (operationId) => {
  const found = listOperations(document).find(({ operation }) => operation.operationId === operationId);
  const mounted = app.composition.app.operations.find((operation) => operation.operationId === operationId);
  if (!found || !mounted) throw new Error(`the document has no ${operationId}`);
  const { method, path, operation } = found;
  const schema = bodySchemaOf(operation);
  const readBody = mounted.body;
  if (!schema || !readBody) return;
  const allows = checker.at('paths', path, method, 'requestBody', 'content', 'application/json', 'schema');
  const hostile = listRequestFields(document, operation)
    .filter((field) => field.path.startsWith('body.'))
    .flatMap((field) => hostileJson(field.schema).map((value) => ({ steps: field.path.split('.').slice(1), value })));
  const bodies = valuesOf(document, schema, inventedSeeds);
  fc.assert(
    fc.property(bodies, (body) => {
      for (const { steps, value } of hostile) {
        const text = bodyWith(document, schema, body, steps, value.json);
        const changed: unknown = JSON.parse(text);
        if (allows(changed)) continue;
        expect(readBody.safeParse(changed).success, `${steps.join('.')}, ${value.label}: ${text.slice(0, 400)}`).toBe(false);
      }
    }),
    { numRuns: 5 },
  );
});
