/** Calls that tests of money make: a sale, taking it back, lines and balances. */
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { ApiClient, MemberBody } from '../app/api-client.ts';

export interface LineBody {
  id: string;
  user_id: string;
  kind: string;
  level: number;
  amount_minor: number;
  currency: string;
  status: string;
  clears_at: string;
  reverses_commission_id: string | null;
}

export interface Sale {
  event_id: string;
  external_event_id: string;
  commissions: LineBody[];
}

/** Records a purchase of 100.00 USD unless `fields` say otherwise; throws unless it is new. */
export async function purchaseOf(client: ApiClient, fields: object): Promise<Sale> {
  const answer = await client.post('/api/v1/events/purchase', client.purchaseBody(fields));
  if (answer.status !== 201) throw new Error(`purchase not recorded: ${answer.status} ${answer.text}`);
  return answer.body as Sale;
}

/** Refunds all that is left unless `fields` say otherwise. */
export function refundOf(client: ApiClient, sale: Sale, fields: object): Promise<Response> {
  return client.post('/api/v1/events/refund', {
    external_event_id: `refund-${randomUUID()}`,
    purchase_external_event_id: sale.external_event_id,
    ...fields,
  });
}

export function disputeOf(
  client: ApiClient,
  sale: Sale,
  disputeId: string,
  stage: string,
  fields: object = {},
): Promise<Response> {
  return client.post('/api/v1/events/chargeback', {
    external_event_id: `${disputeId}-${stage}-${randomUUID()}`,
    purchase_external_event_id: sale.external_event_id,
    dispute_id: disputeId,
    stage,
    ...fields,
  });
}

/** The lines of a purchase and of everything that took it back, as they stand. */
export async function linesOf(client: ApiClient, eventId: string): Promise<LineBody[]> {
  const sale = await client.get(`/api/v1/events/${eventId}`);
  const back = await client.get(`/api/v1/events?purchase_event_id=${eventId}&limit=100`);
  return [sale.body, ...back.body.data].flatMap((event: { commissions: LineBody[] }) => event.commissions);
}

export async function balanceOf(client: ApiClient, member: MemberBody | undefined): Promise<Record<string, number>> {
  return (await client.get(`/api/v1/users/status?user_id=${member?.id}`)).body.commission_balance;
}
