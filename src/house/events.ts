/** The types of events that features tell tenants of, as their descriptions declare them. */
import type { z } from 'zod';
import type { KeyScope } from '../http/operation.ts';

interface Meant {
  /** What has happened, as a sentence for a tenant's developer. */
  meaning: string;
}

/** The object is what a read operation answers: its handler and its schema make it, in the transaction of the change. Its scope reads the event. */
export interface ShownBy extends Meant {
  shows: string;
}

/** What is told has a schema of its own, for no operation reads it. */
export interface OwnSchema extends Meant {
  schema: z.ZodType;
  /** What reads the same by the API: without it an event is shown and sent without its object. */
  scope: KeyScope;
  /** A list of the data that may be long: it is told in parts of so many items, each an event by itself. */
  parts?: { of: string; items: number };
}

export type DeclaredEvent = ShownBy | OwnSchema;

/** By type: the object, then what happened to it. */
export type DeclaredEvents = Readonly<Record<`${string}.${string}`, DeclaredEvent>>;
