/**
 * An example of each type: what a test has made of real operations, with names and ids that are always the same.
 * Source: docs/specification/webhooks.md#types.
 */
import type { Environment } from '../../../db/scope.ts';
import { type EventBody, eventBody } from './event-body.ts';
import examples from './event-examples.json' with { type: 'json' };

/** The object as an event of the type shows it; null of a type that has no example yet. */
export function exampleOf(type: string): unknown {
  return (examples as Readonly<Record<string, unknown>>)[type] ?? null;
}

/** The fields around an example's object. */
const EXAMPLE = {
  id: '0197f2a0-0000-7000-8000-000000000001',
  sequence: 42n,
  occurredAt: new Date('2026-01-31T12:00:00Z'),
  objectId: '0197f2a0-0000-7000-8000-000000000002',
  objectVersion: 1_769_860_800_000_000n,
  actor: 'api_key:0197f2a0-0000-7000-8000-000000000003',
  leftOut: [],
  isExample: true,
};

export function exampleBody(type: string, environment: Environment): EventBody {
  return eventBody({ ...EXAMPLE, type, environment, data: exampleOf(type) });
}
