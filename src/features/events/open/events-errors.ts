/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const eventsErrors = defineErrors({
  EVENT_ID_REUSED: {
    status: 409,
    meaning: 'The external_event_id was used for other content; details.fields names what differs.',
  },
  CURRENCY_MISMATCH: { status: 422, meaning: 'The currency is not that of the purchase, or not that of the payout method.' },
  REFUND_EXCEEDS_PURCHASE: { status: 422, meaning: 'More would be taken back than is left of the purchase.' },
  EXCHANGE_RATE_MISSING: {
    status: 422,
    meaning: 'A member is paid in another currency and no exchange rate is stored for the time of the sale.',
  },
});
