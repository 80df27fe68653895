import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { createApiKey, listApiKeys, revokeApiKey, rollApiKey } from './api-keys-operations.ts';
import type { ApiKeysService } from './api-keys-service.ts';

export function mountApiKeys(router: Router, mount: Mount, apiKeys: ApiKeysService): void {
  mount(router, createApiKey, ({ body, ...context }) => apiKeys.createKey(context, body));
  mount(
    router,
    listApiKeys,
    ({ query, ...context }) => apiKeys.listKeys(context, query),
    ({ rows, nextCursor }) => ({ status: 200, body: { data: rows, hasMore: nextCursor !== null, nextCursor } }),
  );
  mount(router, revokeApiKey, ({ params, ...context }) => apiKeys.revokeKey(context, params.keyId));
  mount(router, rollApiKey, ({ params, body, ...context }) => apiKeys.rollKey(context, params.keyId, body));
}
