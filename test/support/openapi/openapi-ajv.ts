/** Our OpenAPI document in ajv: any schema in it, compiled by where it stands. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from './openapi-document.ts';

export interface SchemaChecker {
  /** The compiled schema at these steps into the document; what stands there by reference is gone through. */
  at(...steps: string[]): ValidateFunction;
}

/**
 * Email addresses may have a local part in any script (docs/specification/conventions.md#email), which ajv's
 * own format refuses.
 */
export function checkerOf(document: OpenApiDocument): SchemaChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('email', /^[^\s@]+@[^\s@]+$/u);
  ajv.addSchema(document, 'openapi');
  return {
    at(...steps) {
      const pointer = throughReferences(document, steps)
        .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
        .join('/');
      const found = ajv.getSchema(`openapi#/${pointer}`);
      if (!found) throw new Error(`the document has nothing at ${steps.join(' > ')}`);
      return found;
    },
  };
}

/** An answer that operations share stands among the components. */
function throughReferences(document: OpenApiDocument, steps: readonly string[]): string[] {
  let way: string[] = [];
  let part: unknown = document;
  for (const step of steps) {
    const ref = (part as { $ref?: unknown } | undefined)?.$ref;
    if (typeof ref === 'string') {
      way = ref.replace(/^#\//, '').split('/');
      part = way.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], document);
    }
    way.push(step);
    part = (part as Record<string, unknown> | undefined)?.[step];
  }
  return way;
}
