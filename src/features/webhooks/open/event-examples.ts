/**
 * An example of each type: what a test has made of real operations, with names and ids that are always the same.
 * Source: docs/specification/webhooks.md#types.
 */
import examples from './event-examples.json' with { type: 'json' };

/** The object as an event of the type shows it; null of a type that has no example yet. */
export function exampleOf(type: string): unknown {
  return (examples as Readonly<Record<string, unknown>>)[type] ?? null;
}
