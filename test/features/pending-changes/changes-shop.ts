/** A tenant under dual control, with keys of several roots. */
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import type { TestApp, TestTenant } from '../../support/app/test-app.ts';

export const SETTINGS = '/api/v1/admin/settings';
export const CHANGES = '/api/v1/admin/pending-changes';

export interface ChangesShop {
  tenant: TestTenant;
  /** Of two roots, each with every right. */
  first: ApiClient;
  second: ApiClient;
  /** A key of a root of its own. */
  newRoot(scopes?: string[]): Promise<{ client: ApiClient; keyId: string }>;
  /** Asks by the first root; the id of the change that waits. */
  propose(payments?: object, client?: ApiClient): Promise<string>;
  confirm(id: string, client?: ApiClient, headers?: Record<string, string>): ReturnType<ApiClient['post']>;
  payments(): Promise<Record<string, unknown>>;
  /** Actions of the audit log with what matters of their details, oldest first. */
  log(action?: string): Promise<{ action: string; actor: string; details: Record<string, unknown> }[]>;
}

export async function openChangesShop(app: TestApp, payments: object = { dualControl: true }): Promise<ChangesShop> {
  const tenant = await app.newTenant();
  const { tenantId } = tenant;
  const newRoot = async (scopes?: string[]) => {
    const { apiKey, keyId } = await app.tenants.createKey({ tenantId, environment: 'LIVE', scopes });
    return { client: apiClient(app, apiKey), keyId };
  };
  const first = apiClient(app, tenant.liveKey);
  const { client: second } = await newRoot();
  const set = await first.patch(SETTINGS, { payments });
  if (set.status !== 200) throw new Error(`not set: ${set.text}`);
  return {
    tenant,
    first,
    second,
    newRoot,
    async propose(wanted = { requireKyc: false }, client = first) {
      const answer = await client.patch(SETTINGS, { payments: wanted });
      if (answer.status !== 202) throw new Error(`does not wait: ${answer.status} ${answer.text}`);
      return answer.body.pendingChange.id as string;
    },
    confirm: (id, client = second, headers = {}) => client.post(`${CHANGES}/${id}/confirm`, {}, headers),
    payments: async () => (await first.get(SETTINGS)).body.payments as Record<string, unknown>,
    log: (action) =>
      app.database.asSuperuser(
        `select action, actor_kind || coalesce(':' || actor_id, '') as actor, details from audit_log
         where tenant_id = $1 and ($2::text is null or action = $2) and action ~ '^(settings|pending_change)' order by id`,
        [tenantId, action ?? null],
      ),
  };
}
