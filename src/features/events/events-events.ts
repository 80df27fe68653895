/** What tenants are told of sales: docs/specification/webhooks.md#types. */
import type { DeclaredEvents } from '../../house/events.ts';

export const eventsEvents: DeclaredEvents = {
  'event.purchase_recorded': { meaning: 'A purchase was recorded, with what it pays.', shows: 'getEvent' },
  'event.refunded': { meaning: 'A purchase was refunded, in part or whole; the object is the refund.', shows: 'getEvent' },
  'event.disputed': {
    meaning: 'A dispute of a purchase was opened, won or lost; the object is that stage of it.',
    shows: 'getEvent',
  },
  'ladder.settled': {
    meaning: 'A member got the difference for a whole period of a ladder; the object is the event with the top-ups.',
    shows: 'getEvent',
  },
  'event.commission_recorded': {
    meaning: 'A commission was recorded by hand, or a debt was written off; the object is that event.',
    shows: 'getEvent',
  },
};
