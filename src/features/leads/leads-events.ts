/** What tenants are told of leads: docs/specification/webhooks.md#types. */
import type { DeclaredEvents } from '../../house/events.ts';

export const leadsEvents: DeclaredEvents = {
  'lead.captured': { meaning: 'A lead was captured for the first time.', shows: 'getLead' },
  'lead.updated': { meaning: 'Something of a lead changed that no other event tells of.', shows: 'getLead' },
  'lead.converted': { meaning: 'A lead has become a member, or was one from the start.', shows: 'getLead' },
  'lead.expired': { meaning: 'A lead was not converted in time.', shows: 'getLead' },
};
