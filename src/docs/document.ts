/** Reading the OpenAPI document: references followed, and what pages need of an operation. */
import type { JsonObject, MediaObject, OperationObject, ResponseObject } from '../http/document/objects.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: JsonObject;
}

export interface Described {
  method: string;
  path: string;
  operationId: string;
  group: string;
  summary: string;
  description: string;
  scopes: readonly string[];
  calledBy: string | undefined;
  parameters: readonly Parameter[];
  body: (MediaObject & { type: string; required: boolean }) | undefined;
  /** `others`: further types that it is answered as, where `Accept` asks for them. */
  answers: readonly {
    status: string;
    description: string;
    type: string;
    media: MediaObject | undefined;
    others: readonly string[];
  }[];
  errors: readonly { status: string; codes: readonly string[] }[];
}

export interface ReadDocument {
  title: string;
  overview: string;
  groups: readonly { name: string; description: string }[];
  operations: readonly Described[];
  events: readonly { type: string; meaning: string; media: MediaObject }[];
  /** Each code's meaning and an answer that has it. */
  examples: Readonly<Record<string, { summary: string; value: unknown }>>;
  resolve(part: JsonObject): JsonObject;
}

type Raw = JsonObject & {
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject & JsonObject>>;
  webhooks?: Record<string, { post: OperationObject & JsonObject }>;
  components: { examples: Record<string, { summary: string; value: unknown }> };
};

/** What is no text says nothing. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function readDocumentParts(document: JsonObject): ReadDocument {
  const raw = document as Raw;
  const resolve = (part: JsonObject): JsonObject => {
    const ref = part['$ref'];
    if (typeof ref !== 'string') return part;
    const steps = ref.slice(2).split('/');
    return resolve(steps.reduce<unknown>((inner, step) => (inner as JsonObject)[step], raw) as JsonObject);
  };
  const operations = Object.entries(raw.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => described({ method: method.toUpperCase(), path }, operation, resolve)),
  );
  return {
    title: raw.info.title,
    overview: raw.info.description,
    groups: raw.tags,
    operations,
    events: Object.entries(raw.webhooks ?? {}).map(([type, { post }]) => ({
      type,
      meaning: textOf(post['description']),
      media: post.requestBody?.content['application/json'] as MediaObject,
    })),
    examples: raw.components.examples,
    resolve,
  };
}

function described(
  at: { method: string; path: string },
  operation: OperationObject & JsonObject,
  resolve: (part: JsonObject) => JsonObject,
): Described {
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolve(response as JsonObject) as ResponseObject] as const,
  );
  const [type = '', body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return {
    ...at,
    operationId: operation.operationId,
    group: (operation['tags'] as string[])[0] ?? '',
    summary: textOf(operation['summary']),
    description: textOf(operation['description']),
    scopes: (operation['x-required-scopes'] ?? []) as string[],
    calledBy: operation['x-called-by'] as string | undefined,
    parameters: (operation.parameters ?? []).map((one) => {
      const parameter = resolve(one);
      const schema = parameter['schema'] as JsonObject;
      return { ...parameter, schema: { ...resolve(schema), ...schema } } as unknown as Parameter;
    }),
    body: body && { ...body, type, required: operation.requestBody?.required === true },
    answers: responses
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { description = '', content = {} }]) => {
        const [main, ...others] = Object.entries(content);
        return { status, description, type: main?.[0] ?? '', media: main?.[1], others: others.map(([one]) => one) };
      }),
    errors: responses
      .filter(([status]) => !status.startsWith('2'))
      .map(([status, { content }]) => ({ status, codes: Object.keys(content?.['application/json']?.examples ?? {}) })),
  };
}
