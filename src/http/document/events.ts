/** The section `webhooks` of the document: what tenants are told of, each type with its body. */
import type { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { JsonObject } from './objects.ts';
import type { Draft } from './shared.ts';

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

/** Moves the paths that stand in for events to where events stand, with what all of them have in one component. */
export function settleEvents(document: Draft, events: readonly DescribedEvent[], tag: string): void {
  const { paths, components } = document;
  const rendered = events.map(({ type, meaning }) => {
    const name = `${STAND_IN}${type}`;
    const media = paths[name]?.['get']?.responses['200']?.content?.['application/json'];
    if (!media) throw new Error(`the event ${type} was not rendered`);
    delete paths[name];
    return { type, meaning, media };
  });
  if (rendered.length === 0) return;
  const shared = sharedFields(rendered.map(({ media }) => media.schema as unknown as ObjectSchema));
  components.schemas['WebhookEnvelope'] = {
    type: 'object',
    description: 'What the body of every event has',
    properties: shared,
    required: requiredOf(rendered[0]?.media.schema).filter((field) => field in shared),
  };
  for (const header of HEADERS) components.parameters[header.name] = header;
  components.responses['EventReceived'] = { description: 'Any of them, within 15 seconds: it has arrived' };
  document.webhooks = Object.fromEntries(
    rendered.map(({ type, meaning, media }) => {
      const name = `${pascal(type)}Event`;
      components.schemas[name] = ownPart(media.schema as unknown as ObjectSchema, shared);
      const post = {
        operationId: `on${pascal(type)}`,
        tags: [tag],
        summary: type,
        description: meaning,
        security: [],
        parameters: HEADERS.map((header) => ({ $ref: `#/components/parameters/${header.name}` })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example: media.example } },
        },
        responses: { '2XX': { $ref: '#/components/responses/EventReceived' } },
      };
      return [type, { post }];
    }),
  );
}

const requiredOf = (schema: JsonObject | undefined): string[] => (schema?.['required'] ?? []) as string[];

interface ObjectSchema {
  properties: Record<string, JsonObject>;
  required: string[];
}

/** Properties that are the same in all of them. */
function sharedFields(schemas: readonly ObjectSchema[]): Record<string, JsonObject> {
  const [first, ...others] = schemas;
  return Object.fromEntries(
    Object.entries(first?.properties ?? {}).filter(([name, property]) =>
      others.every(({ properties }) => JSON.stringify(properties[name]) === JSON.stringify(property)),
    ),
  );
}

function ownPart({ properties, required }: ObjectSchema, shared: Record<string, JsonObject>): JsonObject {
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => !(name in shared)));
  return {
    allOf: [
      { $ref: '#/components/schemas/WebhookEnvelope' },
      { type: 'object', properties: own, required: required.filter((field) => field in own) },
    ],
  };
}

/** `payout_run.drafted`: `PayoutRunDrafted`. */
function pascal(type: string): string {
  return type
    .split(/[._]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}
