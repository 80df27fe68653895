/** A service whose tenant verifies its members at a fake KYC vendor. */
import type { Environment, Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../app/api-client.ts';
import { startTestApp, type TestApp } from '../app/test-app.ts';
import { type FakeKycVendor, startFakeKycVendor } from './fake-kyc-vendor.ts';
import { plantKycSettings } from './kyc-settings.ts';

export interface KycWorld {
  app: TestApp;
  vendor: FakeKycVendor;
  close(): Promise<void>;
}

export async function startKycWorld(env: Record<string, string> = {}): Promise<KycWorld> {
  const vendor = await startFakeKycVendor();
  const app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: vendor.host, ...env });
  return {
    app,
    vendor,
    async close() {
      await app.close();
      vendor.close();
    },
  };
}

export interface KycTenant {
  scope: Scope;
  client: ApiClient;
  key: string;
  tenantId: string;
}

/** A tenant of its own; in `LIVE` at the vendor, in `SANDBOX` without an account. */
export async function newKycTenant({ app, vendor }: KycWorld, environment: Environment = 'LIVE'): Promise<KycTenant> {
  const { tenantId, liveKey, sandboxKey } = await app.newTenant();
  const scope: Scope = { tenantId, environment };
  await plantKycSettings(app, scope, environment === 'LIVE' ? vendor.account : {});
  const key = environment === 'LIVE' ? liveKey : sandboxKey;
  return { scope, tenantId, key, client: apiClient(app, key) };
}

export const startPath = (memberId: string): string => `/api/v1/members/${memberId}/kyc/start`;
export const kycPath = (memberId: string): string => `/api/v1/members/${memberId}/kyc`;

export interface StoredRecord {
  id: string;
  status: string;
  provider: string;
  provider_applicant_id: string | null;
  decided_by: string | null;
  last_event_at: Date | null;
  check_at: Date | null;
  checks: number;
  rejection_reason: string | null;
}

export async function recordOf({ app }: Pick<KycWorld, 'app'>, memberId: string): Promise<StoredRecord> {
  const [record] = await app.database.asSuperuser<StoredRecord & { [column: string]: unknown }>(
    'select * from kyc_record where member_id = $1',
    [memberId],
  );
  if (!record) throw new Error('the member has no KYC record');
  return record;
}

/** What the log has of a record, oldest first. */
export async function auditOf(
  { app }: Pick<KycWorld, 'app'>,
  recordId: string,
): Promise<{ action: string; details: Record<string, unknown> }[]> {
  return app.database.asSuperuser(
    "select action, details from audit_log where object_kind = 'kyc_record' and object_id::text = $1 order by id",
    [recordId],
  );
}
