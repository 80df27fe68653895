/** What the tenant of the story has paid out: a run that has ended with one failure, and a draft that leaves members out. */
import type { Environment, Scope } from '../../../src/db/scope.ts';
import { apiClient, type MemberBody } from '../app/api-client.ts';
import type { TestApp, TestTenant } from '../app/test-app.ts';
import { approveKyc, draft, earn, execute, plantAccount, startPayouts } from '../payments/payout-world.ts';

export async function payStory(
  app: TestApp,
  { tenantId, liveKey, sandboxKey }: TestTenant,
  environment: Environment = 'LIVE',
): Promise<void> {
  const scope: Scope = { tenantId, environment };
  const client = apiClient(app, environment === 'LIVE' ? liveKey : sandboxKey);
  const payee = async (name: string, amountMinor: number): Promise<MemberBody> => {
    const member = await client.newMember({ name });
    await approveKyc(app, member.id);
    await plantAccount(app, scope, member.id);
    await earn(app, scope, client, member, amountMinor);
    return member;
  };
  const eva = await payee('Eva Payee', 12_345);
  await payee('Finn Payee', 6_789);
  const run = await execute(client);
  await startPayouts(app, scope);
  for (const { id, userId } of run.payouts) {
    const [deed, body] = userId === eva.id ? ['settle', { reference: 'SEPA-1' }] : ['return', { reason: 'Account closed' }];
    const answer = await client.post(`/api/v1/payouts/${id}/${deed}`, body);
    if (answer.status !== 200) throw new Error(`the story's payout was refused: ${answer.status} ${answer.text}`);
  }
  const held = await payee('Greta Held', 9_900);
  await client.put(`/api/v1/members/${held.id}/payout-hold`, { reason: 'Asks for another account' });
  await earn(app, scope, client, await client.newMember({ name: 'Hugo Little' }), 120);
  await earn(app, scope, client, eva, 8_000);
  await draft(client);
}
