/** What tenants are told of rates that are agreed with members. */
import type { DeclaredEvents } from '../../house/events.ts';

export const ratesEvents: DeclaredEvents = {
  'rate_override.changed': {
    meaning: 'A rate was agreed with a member, for itself, a link or a code, or what was agreed has an end.',
    shows: 'getRateOverride',
  },
};
