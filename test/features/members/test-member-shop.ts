/** A tenant with test members, and what its statistics say. */
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestApp } from '../../support/app/test-app.ts';

export async function newShop(app: TestApp, environment: 'LIVE' | 'SANDBOX' = 'LIVE') {
  const tenant = await app.newTenant();
  const client = apiClient(app, environment === 'LIVE' ? tenant.liveKey : tenant.sandboxKey);
  const scope: Scope = { tenantId: tenant.tenantId, environment };
  return { client, scope };
}

export const setFlag = (app: TestApp, member: MemberBody, flag: boolean) =>
  app.database.asSuperuser('update member set is_test_user = $2 where id = $1', [member.id, flag]);

export async function get(client: ApiClient, member: MemberBody, path: string) {
  const answer = await client.get(`/api/v1/members/${member.id}/${path}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

export async function sizes(client: ApiClient, member: MemberBody) {
  const [referrals, team, tree] = [
    await get(client, member, 'referral-stats'),
    await get(client, member, 'team-stats'),
    await get(client, member, 'genealogy'),
  ];
  return {
    referrals: [referrals.totalReferrals, referrals.directReferrals, referrals.referralsThisMonth],
    team: [team.teamSize, team.directReferrals, team.activeMembers, team.newMembers],
    top: referrals.topPerformers.map((one: { userId: string; referralCount: number }) => [one.userId, one.referralCount]),
    tree: (tree.tree ?? tree.root ?? tree).totalDownline,
  };
}

export const newMember = (client: ApiClient, sponsor?: MemberBody, fields: object = {}) =>
  client.newMember({ membership_tier: 'DIRECTOR', ...(sponsor && { parent_id: sponsor.id }), ...fields });
