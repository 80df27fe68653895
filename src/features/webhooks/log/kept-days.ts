/** So long events are kept, with their deliveries and attempts. Source: docs/specification/webhooks.md#log. */
export const KEPT_DAYS = 30;
