/** Clicks on a member's default code, as they would have been recorded, and the ids that a browser brings back. */
import type { Scope } from '../../../src/db/scope.ts';
import { createClickIds } from '../../../src/features/referrals/open/click-ids.ts';
import type { TestApp } from '../../support/app/test-app.ts';

/** `at` is an instant; default now. Returns the click's id, and the same signed. */
export async function plantClick(
  app: TestApp,
  scope: Scope,
  memberId: string,
  at?: string,
): Promise<{ id: string; clickId: string }> {
  const [click] = await app.database.asSuperuser<{ id: string }>(
    `insert into referral_click (tenant_id, environment, code_id, member_id, kind, clicked_at)
     select c.tenant_id, c.environment, c.id, c.member_id, 'server', coalesce($4::timestamptz, now()) from referral_code c
     where c.tenant_id = $1 and c.environment = $2 and c.member_id = $3 and c.is_default returning id`,
    [scope.tenantId, scope.environment, memberId, at ?? null],
  );
  if (!click) throw new Error('the member has no code to click on');
  return { id: click.id, clickId: createClickIds(app.config.secrets.apiKeyPepper).sign(scope, click.id) };
}
