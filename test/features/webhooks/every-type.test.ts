/**
 * Every type that a feature declares is told by what really happens, as the document describes it; what was told is its
 * example: docs/specification/webhooks.md#types. `npx vitest run test/features/webhooks/every-type.test.ts -u` writes
 * the examples anew.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventBody } from '../../../src/features/webhooks/open/event-body.ts';
import { house } from '../../../src/features.ts';
import { eventsOf } from '../../../src/house/house.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { checkerOf, type SchemaChecker } from '../../support/openapi/openapi-ajv.ts';
import type { OpenApiDocument } from '../../support/openapi/openapi-document.ts';
import { exampleFrom } from '../../support/webhooks/event-example.ts';
import { sealAll } from '../../support/webhooks/told-events.ts';
import { openSide, type Side, TYPE_STORIES } from '../../support/webhooks/type-stories.ts';

let app: TestApp;
let checker: SchemaChecker;
/** Of each type the first. */
const examples = new Map<string, unknown>();

beforeAll(async () => {
  app = await startTestApp();
  checker = checkerOf((await app.http.get('/api/v1/openapi.json')).body as OpenApiDocument);
});
afterAll(() => app.close());

/** As a tenant reads them. */
async function readLog({ client, scope }: Side): Promise<EventBody[]> {
  await sealAll(app, scope);
  const events: EventBody[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await client.get(`/api/v1/webhook-events?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
    events.push(...(body.data as EventBody[]));
    cursor = body.nextCursor;
  }
  return events;
}

describe('what is told', () => {
  test.each(Object.entries(TYPE_STORIES))('of %s is as the document describes it', async (_name, happen) => {
    const began = new Date();
    const side = await openSide(app);
    await happen(side);
    const events = await readLog(side);
    const erased = events.filter(({ type }) => type === 'member.erased').map(({ objectId }) => objectId);
    const whole = events.filter(({ type, objectId }) => type === 'member.erased' || !erased.includes(objectId));
    expect(whole).not.toEqual([]);
    for (const event of whole) {
      const { type, data, leftOut } = event;
      expect([type, leftOut]).toEqual([type, undefined]);
      expect(data, type).not.toBeNull();
      const valid = checker.at('webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema');
      expect(valid(event) || valid.errors, type).toBe(true);
      if (!examples.has(type)) examples.set(type, exampleFrom(event, began));
    }
  });

  test('has every type that a feature declares, and no other', () => {
    expect([...examples.keys()].toSorted()).toEqual([...eventsOf(house).keys()].toSorted());
  });

  test('is the example of its type', async () => {
    expect(examples.size, 'of what did not happen there is no example').toBe(eventsOf(house).size);
    const sorted = [...examples].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const text = `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../../src/features/webhooks/open/event-examples.json');
  });
});
