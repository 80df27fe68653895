/** A tenant whose audit log begins with what a test does. */
import type { TestApp, TestTenant } from './test-app.ts';

/** What the operator did in making it leaves entries; no block holds them yet. */
const TABLES = ['audit_origin', 'audit_unsealed', 'audit_log'];

/** Past the triggers, which let nobody remove an entry. */
export async function emptyLog(app: TestApp, tenantId: string): Promise<void> {
  const deletes = TABLES.map((table) => `delete from ${table} where tenant_id = '${tenantId}'`).join('; ');
  await app.database.asSuperuser(`set session_replication_role = replica; ${deletes}; reset session_replication_role`);
}

export async function newTenantWithEmptyLog(app: TestApp): Promise<TestTenant> {
  const tenant = await app.newTenant();
  await emptyLog(app, tenant.tenantId);
  return tenant;
}
