import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { createApiKeyOperation, listApiKeys, revokeApiKey, rollApiKey, updateApiKeyOperation } from './api-keys-operations.ts';
import type { ApiKeysService } from './api-keys-service.ts';

export function apiKeysRoutes(apiKeys: ApiKeysService, scopes: readonly string[]): Route[] {
  return [
    route(createApiKeyOperation(scopes), ({ body, ...context }) => apiKeys.createKey(context, body)),
    route(listApiKeys, ({ query, ...context }) => apiKeys.listKeys(context, query), camelList()),
    route(updateApiKeyOperation(scopes), ({ params, body, ...context }) => apiKeys.updateKey(context, params.keyId, body)),
    route(revokeApiKey, ({ params, ...context }) => apiKeys.revokeKey(context, params.keyId)),
    route(rollApiKey, ({ params, body, ...context }) => apiKeys.rollKey(context, params.keyId, body)),
  ];
}
