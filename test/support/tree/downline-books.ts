/** Members with a date of their own, and their counts built anew from the tree. */
import type { Scope } from '../../../src/db/scope.ts';
import type { TestApp } from '../app/test-app.ts';

/** Sets when members joined, which no operation does. Their counts are to be rebuilt. */
export async function joinedAt(app: TestApp, dates: Record<string, string>): Promise<void> {
  for (const [memberId, at] of Object.entries(dates)) {
    await app.database.asSuperuser('update member set created_at = $2 where id = $1', [memberId, at]);
  }
}

/** As an operator would. */
export async function recountDownline(app: TestApp, { tenantId, environment }: Scope): Promise<void> {
  await app.database.asSuperuser('select rebuild_downline($1, $2)', [tenantId, environment]);
  await app.database.asSuperuser(
    `update downline_count c set parent_id = m.parent_id from member m
     where c.tenant_id = $1 and c.environment = $2 and m.tenant_id = $1 and m.environment = $2 and m.id = c.member_id`,
    [tenantId, environment],
  );
}
