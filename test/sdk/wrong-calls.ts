/** Calls that must not compile: test/sdk/types.test.ts runs the compiler over them. Nothing here is run. */
import { type Client, type Schemas, type WebhookEvent, webhooks } from '@mcr/sdk';

export async function wrongCalls(api: Client): Promise<void> {
  // @ts-expect-error -- the email is missing
  await api.createUser({});
  // @ts-expect-error -- there is no such field
  await api.createUser({ email: 'a@b.example', emial: 'x' });
  // @ts-expect-error -- no tier is called so
  await api.createUser({ email: 'a@b.example', membership_tier: 'GOLD' });
  // @ts-expect-error -- amounts are whole numbers
  await api.recordRefund({ external_event_id: 'r', purchase_external_event_id: 'o', amount_minor: '1.00' });
  // @ts-expect-error -- an id of the path is missing
  await api.explainEvent({});
  // @ts-expect-error -- this is no list
  api.getUser.all({ user_id: 'u' });
  // @ts-expect-error -- no backend of a tenant calls it
  await api.inviteStaff({ email: 'a@b.example', role: 'admin' });
  // @ts-expect-error -- it has an id
  const none: null = (await api.createPayoutRun({ currency: 'USD' })).id;
  // @ts-expect-error -- a dry run has none
  const some: string = (await api.createPayoutRun({ currency: 'USD', dryRun: true })).id;
  // @ts-expect-error -- the item of a list of members has no amount
  for await (const member of api.listMembers.all()) member.amountMinor.toFixed();
  const event: WebhookEvent = webhooks.verify('', {}, '');
  // @ts-expect-error -- what it is depends on the type
  event.data.membership_tier.toLowerCase();
  return void [none, some];
}

/** And some that must. */
export async function rightCalls(api: Client): Promise<Schemas['Member']> {
  const member = await api.createUser({ email: 'a@b.example', membership_tier: 'SENIOR' });
  const run = await api.createPayoutRun({ currency: 'USD' });
  await api.approvePayoutRun({ runId: run.id });
  for await (const line of api.listCommissions.all({ userId: member.id, status: 'cleared' })) line.amountMinor.toFixed();
  for await (const user of api.listUsers.all()) user.referral_code.toLowerCase();
  const { data, requestId } = await api.getUser.withResponse({ user_id: member.id }, { signal: AbortSignal.timeout(1) });
  const event = webhooks.verify('', {}, '');
  if (event.type === 'member.created' && event.data) event.data.membership_tier.toLowerCase();
  if (event.type === 'payout.paid') event.data?.userId.toLowerCase();
  return requestId === null ? data : member;
}
