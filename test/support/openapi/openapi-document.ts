/** Reading our own OpenAPI document: its operations, their parameters, and each field of a request. */

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  example?: unknown;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

export interface OpenApiParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: JsonSchema;
}

export interface OpenApiResponse {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: JsonSchema }>;
}

export interface OpenApiOperation {
  security?: object[];
  operationId: string;
  parameters?: OpenApiParameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, OpenApiResponse>;
}

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, OpenApiParameter>;
    responses: Record<string, OpenApiResponse>;
    examples: Record<string, { summary?: string; value: unknown }>;
  };
}

export interface FoundOperation {
  method: string;
  path: string;
  operation: OpenApiOperation;
}

/** With the parameters and answers that they share with others in their places. */
export function listOperations(document: OpenApiDocument): FoundOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation: withShared(document, operation) })),
  );
}

function withShared({ components }: OpenApiDocument, operation: OpenApiOperation): OpenApiOperation {
  const { parameters, responses } = operation;
  return {
    ...operation,
    ...(parameters && { parameters: parameters.map((parameter) => sharedOr(components.parameters, parameter)) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, sharedOr(components.responses, response)]),
    ),
  };
}

function sharedOr<Part extends object>(shared: Record<string, Part>, part: Part): Part {
  const ref = (part as { $ref?: string }).$ref;
  if (ref === undefined) return part;
  const found = shared[ref.slice(ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`the reference ${ref} resolves to nothing`);
  return found;
}

/** The schema a reference into the document stands for; any other schema is itself. */
export function resolve(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  const found = document.components.schemas[name];
  if (!found) throw new Error(`the reference ${schema.$ref} resolves to nothing`);
  return resolve(document, found);
}

/** What a nullable schema is beside null. */
export function withoutNull(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const resolved = resolve(document, schema);
  const options = resolved.anyOf?.map((option) => resolve(document, option)).filter((option) => option.type !== 'null');
  if (options?.length === 1 && options[0]) return withoutNull(document, options[0]);
  if (Array.isArray(resolved.type)) {
    const types = resolved.type.filter((type) => type !== 'null');
    if (types.length === 1 && types[0] !== undefined) return { ...resolved, type: types[0] };
  }
  return resolved;
}

export interface RequestField {
  /** `path.user_id`, `query.cursor`, `body.customer.email`, `body.line_items.0.sku`. */
  path: string;
  schema: JsonSchema;
}

export function bodySchemaOf(operation: OpenApiOperation): JsonSchema | undefined {
  return operation.requestBody?.content['application/json']?.schema;
}

/** Every leaf of the path, the query and the body. */
export function listRequestFields(document: OpenApiDocument, operation: OpenApiOperation): RequestField[] {
  const parameters = (operation.parameters ?? [])
    .filter((parameter) => parameter.in !== 'header')
    .map((parameter) => ({ path: `${parameter.in}.${parameter.name}`, schema: withoutNull(document, parameter.schema) }));
  const body = bodySchemaOf(operation);
  return [...parameters, ...(body ? leavesOf(document, body, 'body') : [])];
}

function leavesOf(document: OpenApiDocument, schema: JsonSchema, path: string): RequestField[] {
  const known = withoutNull(document, schema);
  if (known.properties) {
    return Object.entries(known.properties).flatMap(([name, inner]) => leavesOf(document, inner, `${path}.${name}`));
  }
  if (known.items) return leavesOf(document, known.items, `${path}.0`);
  // One of several objects: the fields of all of them, each once.
  const options = (known.oneOf ?? known.anyOf ?? []).map((option) => withoutNull(document, option));
  if (options.length > 0 && options.every(({ properties }) => properties)) {
    const fields = options.flatMap((option) => leavesOf(document, option, path));
    return [...new Map(fields.toReversed().map((field) => [field.path, field])).values()].toReversed();
  }
  return [{ path, schema: known }];
}
