import { defineErrors } from '../../../errors.ts';

/** The codes of events to tenants. */
export const webhooksErrors = defineErrors({
  ENDPOINT_DISABLED: { status: 409, meaning: 'The endpoint is disabled; enable it first.' },
  EVENTS_FORGOTTEN: { status: 422, meaning: 'The log does not reach back so far; `details.oldestSequence` is its first event.' },
  TOO_MANY_EVENTS: {
    status: 422,
    meaning: 'More than 10,000 events would be sent again, or wait for the endpoint already; ask for less, or later.',
  },
});
