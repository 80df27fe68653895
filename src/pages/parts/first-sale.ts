/** The request that brings the first sale, and with it commissions and postings: where there are none, it is shown. */
export const FIRST_SALE = `curl -X POST -H 'x-tenant-api-key: $KEY' -H 'content-type: application/json' $URL/api/v1/events/purchase -d '{"external_event_id": "order-1", "amount_minor": 4956, "currency": "EUR", "customer": {"external_id": "customer-1"}}'`;
