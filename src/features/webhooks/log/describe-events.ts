/** All types of events for the document, each with the schema of its body: docs/specification/webhooks.md#types. */
import { z } from 'zod';
import type { DeclaredEvent } from '../../../house/events.ts';
import type { HouseParts } from '../../../house/feature.ts';
import type { DescribedEvent } from '../../../http/document/events.ts';
import { eventFields } from '../open/event-body.ts';
import { exampleBody } from '../open/event-examples.ts';

/** To be called once all features are open. */
export function describeEvents({ events, routeOf }: Pick<HouseParts, 'events' | 'routeOf'>): DescribedEvent[] {
  const dataOf = (declared: DeclaredEvent): z.ZodType =>
    'schema' in declared ? declared.schema : routeOf(declared.shows).operation.response;
  return [...events].map(([type, declared]) => ({
    type,
    meaning: declared.meaning,
    schema: z.object({
      ...eventFields,
      type: z.literal(type).meta({ description: 'What has happened' }),
      data: dataOf(declared).nullable().meta({ description: 'As the API shows it; null: see `leftOut`' }),
    }),
    example: JSON.parse(JSON.stringify(exampleBody(type, 'LIVE'))) as unknown,
  }));
}
