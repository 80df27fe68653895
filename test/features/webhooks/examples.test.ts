/** The examples of events, wherever a tenant's developer sees them: docs/specification/webhooks.md#types. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventBody } from '../../../src/features/webhooks/open/event-body.ts';
import { house } from '../../../src/features.ts';
import { eventsOf } from '../../../src/house/house.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { checkerOf } from '../../support/openapi/openapi-ajv.ts';
import type { OpenApiDocument } from '../../support/openapi/openapi-document.ts';
import { startFakeReceiver } from '../../support/webhooks/fake-receiver.ts';
import { plantEndpoint } from '../../support/webhooks/plant-webhooks.ts';
import { createSendWorker, whileSending } from '../../support/webhooks/send-worker.ts';

interface Described {
  post: {
    parameters: { $ref: string }[];
    requestBody: { content: { 'application/json': { example: EventBody } } };
  };
}

const TYPES = [...eventsOf(house).keys()];

let app: TestApp;
let tenant: TestTenant;
let document: OpenApiDocument & { webhooks: Record<string, Described> };

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  document = (await app.http.get('/api/v1/openapi.json')).body as typeof document;
});
afterAll(() => app.close());

const exampleIn = (type: string): EventBody | undefined =>
  document.webhooks[type]?.post.requestBody.content['application/json'].example;

/** What the document has against this body of the type. */
function faultsOf(checker: ReturnType<typeof checkerOf>, type: string, body: unknown): unknown {
  const valid = checker.at('webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema');
  return valid(body) ? [] : valid.errors;
}

test('the document has one of each type, with its object, as its schema wants it', () => {
  expect(Object.keys(document.webhooks)).toEqual(TYPES);
  const checker = checkerOf(document);
  for (const type of TYPES) {
    const example = exampleIn(type);
    expect(example, type).toMatchObject({ type, data: expect.any(Object) });
    expect(faultsOf(checker, type, example), type).toEqual([]);
  }
  const first = exampleIn('member.created');
  expect(faultsOf(checker, 'member.created', { ...first, data: { ...(first?.data as object), id: 'none' } })).not.toEqual([]);
});

test('each names the headers that a receiver verifies with', () => {
  for (const { post } of Object.values(document.webhooks)) {
    const parameters = post.parameters.map(({ $ref }) => document.components.parameters[$ref.split('/').at(-1) ?? '']);
    expect(parameters.map((parameter) => [parameter?.in, parameter?.name])).toEqual([
      ['header', 'webhook-id'],
      ['header', 'webhook-timestamp'],
      ['header', 'webhook-signature'],
    ]);
  }
});

test('the object of an example is the one that the event names', () => {
  for (const type of TYPES) {
    const { objectId, data } = exampleIn(type) as EventBody & { data: { id?: string; event_id?: string } };
    const id = data.id ?? data.event_id ?? objectId;
    expect(id, type).toBe(objectId);
  }
});

test.each(['LIVE', 'SANDBOX'] as const)('the list of types has them in %s', async (environment) => {
  const { status, body } = await clientOf(environment).get('/api/v1/webhook-event-types');
  expect(status).toBe(200);
  const listed = body.data as { type: string; meaning: string; example: EventBody }[];
  expect(listed.map(({ type }) => type)).toEqual(TYPES);
  for (const { type, example } of listed) expect(example).toEqual({ ...exampleIn(type), environment });
});

test('a test event of each type is sent with the example of it', async () => {
  const receiver = await startFakeReceiver();
  try {
    const scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' } as const;
    const { id } = await plantEndpoint(app, scope, { url: receiver.url, eventTypes: ['import.completed'] });
    const eventIds = new Map<unknown, string>();
    for (const type of TYPES) {
      const answer = await clientOf('SANDBOX').post(`/api/v1/webhook-endpoints/${id}/test`, { type });
      expect(answer.status, answer.text).toBe(202);
      eventIds.set(answer.body.eventId, type);
    }
    await whileSending(createSendWorker(app, [receiver]), () => eventually(async () => receiver.received.length >= TYPES.length));
    const sent = receiver.received.map(({ body }) => JSON.parse(body) as EventBody);
    expect(sent.map(({ type }) => type).toSorted()).toEqual(TYPES.toSorted());
    const checker = checkerOf(document);
    for (const body of sent) {
      expect(body.type).toBe(eventIds.get(body.id));
      expect(body).toMatchObject({ objectId: 'test', data: exampleIn(body.type)?.data });
      expect(faultsOf(checker, body.type, body), body.type).toEqual([]);
    }
  } finally {
    receiver.close();
  }
});

function clientOf(environment: 'LIVE' | 'SANDBOX'): ApiClient {
  return apiClient(app, environment === 'LIVE' ? tenant.liveKey : tenant.sandboxKey);
}
