/** The section `webhooks` of the document: what tenants are told of, each type with its body. */
import type { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';

export interface DescribedEvent {
  type: string;
  /** What has happened, as a sentence. */
  meaning: string;
  /** Of the body that is sent. */
  schema: z.ZodType;
  /** A body, as JSON has it. */
  example: unknown;
}

/** As Standard Webhooks has them: docs/specification/webhooks.md#signature. */
const HEADERS = [
  {
    name: 'webhook-id',
    description: 'The id of the event, the same in every attempt',
    example: '0197f2a0-0000-7000-8000-000000000001',
  },
  { name: 'webhook-timestamp', description: 'When the attempt was made, in seconds since 1970', example: '1769860800' },
  {
    name: 'webhook-signature',
    description: '`v1,` and a signature in base64; during the overlap of a rotation two, separated by a space',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
].map((header) => ({ ...header, in: 'header', required: true, schema: { type: 'string' } }));

interface Rendered {
  paths?: Record<string, { get?: { responses?: Record<string, unknown> } }>;
}

const STAND_IN = '/~events/';

/** A body that is sent is rendered as answers are, which requests are not: so each stands in as the answer of a path. */
export function eventPaths(events: readonly DescribedEvent[]): ZodOpenApiPathsObject {
  return Object.fromEntries(
    events.map(({ type, meaning, schema, example }) => [
      `${STAND_IN}${type}`,
      { get: { responses: { 200: { description: meaning, content: { 'application/json': { schema, example } } } } } },
    ]),
  );
}

/** Moves the paths that stand in for events to where events stand. */
export function settleEvents<Document extends object>(
  document: Document,
  events: readonly DescribedEvent[],
  tag: string,
): Document {
  const { paths = {} } = document as Rendered;
  const webhooks: Record<string, object> = {};
  for (const { type, meaning } of events) {
    const name = `${STAND_IN}${type}`;
    const rendered = paths[name]?.get?.responses?.['200'] as { content: object } | undefined;
    delete paths[name];
    webhooks[type] = {
      post: {
        tags: [tag],
        summary: type,
        description: meaning,
        security: [],
        parameters: HEADERS,
        requestBody: { required: true, content: rendered?.content },
        responses: { '2XX': { description: 'Any of them, within 15 seconds: it has arrived' } },
      },
    };
  }
  return events.length === 0 ? document : Object.assign(document, { webhooks });
}
