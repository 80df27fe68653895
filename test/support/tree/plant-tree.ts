/** Large trees, written by the superuser: quicker than creating members one by one. */
import { randomBytes } from 'node:crypto';
import type { TestApp, TestTenant } from '../app/test-app.ts';
import { recountDownline } from './downline-books.ts';

/** SQL expressions of a member's number n, from 1 up. */
export interface Shape {
  count: number;
  /** The number of its sponsor; null for a root. */
  sponsor: string;
  /** In minutes from the first of March 2026. Default: in the order of n. */
  joined?: string;
  active?: string;
}

export interface Planted {
  /** Ids ascend with n. */
  id(n: number): string;
  ids: string[];
}

/** Plants in LIVE, uncounted: no count and nothing pending. */
export async function plantMembers(
  app: TestApp,
  { tenantId }: TestTenant,
  { count, sponsor, joined = 'n', active = 'true' }: Shape,
): Promise<Planted> {
  const prefix = randomBytes(4).toString('hex');
  const idOf = (n: string) => `('${prefix}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  await app.database.asSuperuser(`
    begin;
    set local session_replication_role = replica; -- foreign keys hold by construction
    insert into member (tenant_id, environment, id, email, email_norm, membership_tier, parent_id, is_active, can_recruit, is_test_user,
                        pay_currency, created_at, updated_at)
      select '${tenantId}', 'LIVE', ${idOf('n')}, n || '@${prefix}.example', n || '@${prefix}.example', 'ORDINARY', ${idOf(`(${sponsor})`)},
             ${active}, true, false, 'USD', at, at
      from generate_series(1, ${count}) n cross join lateral (select timestamptz '2026-03-01 00:00Z' + (${joined}) * interval '1 minute') j(at);
    insert into referral_code (tenant_id, environment, code, member_id, is_default)
      select '${tenantId}', 'LIVE', upper('${prefix}-' || to_hex(n)), ${idOf('n')}, true from generate_series(1, ${count}) n;
    commit;
    analyze member, referral_code -- as autovacuum does, sooner or later`);
  const id = (n: number) => `${prefix}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
  return { id, ids: Array.from({ length: count }, (_, index) => id(index + 1)) };
}

export async function countAnew(app: TestApp, { tenantId }: TestTenant): Promise<void> {
  await recountDownline(app, { tenantId, environment: 'LIVE' });
}
