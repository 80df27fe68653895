/** Calls that tests of groups make: a group, members who come into it, and plans that name it. */
import type { Response } from 'supertest';
import { DEFAULT_PLAN, type PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import type { ApiClient, MemberBody } from '../../support/app/api-client.ts';
import type { TestApp } from '../../support/app/test-app.ts';

export const GROUPS = '/api/v1/groups';

/** Makes groups of these keys; throws unless each is new. */
export async function newGroups(client: ApiClient, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    const answer = await client.post(GROUPS, { key, name: `The group ${key}` });
    if (answer.status !== 201) throw new Error(`no group ${key}: ${answer.status} ${answer.text}`);
  }
}

/** Answers with whatever the service says. */
export function move(
  client: ApiClient,
  key: string,
  members: readonly (Pick<MemberBody, 'id'> | undefined)[],
  fields: { effectiveAt?: string | null; reason?: string | null } = {},
): Promise<Response> {
  return client.post(`${GROUPS}/${key}/members`, { userIds: members.map((member) => member?.id), ...fields });
}

/** Moves one member; throws unless it was moved. */
export async function moved(client: ApiClient, key: string, member: MemberBody | undefined, effectiveAt?: string): Promise<void> {
  const answer = await move(client, key, [member], effectiveAt === undefined ? {} : { effectiveAt });
  if (answer.status !== 200 || answer.body.moved !== 1) throw new Error(`not moved: ${answer.status} ${answer.text}`);
}

/** The groups of a member over time: `[group, since when, why]`, oldest first. */
export async function groupsOf(client: ApiClient, member: Pick<MemberBody, 'id'> | undefined): Promise<(string | null)[][]> {
  const answer = await client.get(`/api/v1/members/${member?.id}/groups`);
  if (answer.status !== 200) throw new Error(`no groups: ${answer.status} ${answer.text}`);
  const entries = answer.body.data as { group: string; validFrom: string | null; reason: string | null }[];
  return entries.map(({ group, validFrom, reason }) => [group, validFrom, reason]);
}

/** The group that a member is in now, as the member says. */
export async function groupOf(client: ApiClient, member: Pick<MemberBody, 'id'> | undefined): Promise<string> {
  return (await client.get(`/api/v1/users/${member?.id}`)).body.group as string;
}

/** A plan that pays its rate to the credited member, and half of it one level up, for these groups. */
export const paying = (rateBps: number, scope: PlanDefinitionInput['scope'] = {}): PlanDefinitionInput => ({
  ...DEFAULT_PLAN,
  levels: [
    { level: 1, rateBps },
    { level: 2, rateBps: rateBps / 2 },
  ],
  minimumPayoutMinor: { USD: 1000 },
  scope,
});

/** What the audit log says of an object: action and fields, oldest first. */
export async function auditedOf(app: TestApp, tenantId: string, objectId: string): Promise<unknown[][]> {
  const rows = await app.database.asSuperuser<{ action: string; fields: string[] | null }>(
    `select action, details -> 'fields' as fields from audit_log where tenant_id = $1 and object_id = $2 order by id`,
    [tenantId, objectId],
  );
  return rows.map(({ action, fields }) => (fields === null ? [action] : [action, fields]));
}
