/** Things that rows of several features act on; how they are made is not part of what is counted. */
import { auth } from '../../../src/features.ts';
import type { MemberBody } from '../app/api-client.ts';
import { type PlantedSession, plantSession } from '../identity/sessions.ts';
import { payOut } from '../money/pay-out.ts';
import { type Counted, email } from './statement-row.ts';

export const purchaseOf = ({ client }: Counted, by: MemberBody | undefined, fields: object = {}) =>
  client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: by?.id }, ...fields }));

/** A refund of a purchase made for it, and paid out. */
export async function newReversal(world: Counted, { paid = false } = {}) {
  const { body } = await purchaseOf(world, world.chain[0]);
  const lines = body.commissions as { id: string }[];
  if (paid) {
    await payOut(
      world.app,
      lines.map(({ id }) => id),
    );
  }
  world.forget();
  return { external_event_id: crypto.randomUUID(), purchase_external_event_id: body.external_event_id as string };
}

export async function newLine(world: Counted): Promise<string> {
  const { body } = await purchaseOf(world, world.chain[0]);
  world.forget();
  return body.commissions[0].id;
}

export async function newLead(
  { client, chain, forget }: Counted,
  referrer = chain[0],
): Promise<{ id: string; attribution_receipt_id: string }> {
  const { body } = await client.post('/api/v1/leads/capture', { ...email(), referral_code: referrer?.referral_code });
  forget();
  return body;
}

/** Of the member at the top of the chain. */
export async function newSession({ app, scope, chain, forget }: Counted): Promise<PlantedSession> {
  await app.composition.offer(auth).signingKeys.signer();
  const session = await plantSession(app, scope, chain[4]?.id ?? '');
  forget();
  return session;
}
