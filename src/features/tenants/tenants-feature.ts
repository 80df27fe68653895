/** Tenants, their API keys and their settings. */
import { defineFeature } from '../../house/feature.ts';
import type { CommissionsOffers } from '../commissions/commissions-feature.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import { apiKeysRoutes } from './api-keys-routes.ts';
import { createApiKeysService } from './api-keys-service.ts';
import { createKeyUse, type KeyUse } from './key-use.ts';
import { settingsRoutes } from './settings-routes.ts';
import { createSettingsService } from './settings-service.ts';
import { tenantsCommands } from './tenants-commands.ts';
import { tenantsEvents } from './tenants-events.ts';
import { createTenantsService, type TenantsService } from './tenants-service.ts';

export interface TenantsOffers {
  tenants: TenantsService;
  keyUse: KeyUse;
}

export const tenantsFeature = defineFeature({
  name: 'tenants',
  commands: tenantsCommands,
  events: tenantsEvents,
  scopes: { 'admin:keys': 'Make, change, roll and revoke API keys', 'admin:settings': "Read and change the tenant's settings" },
  groups: { Admin: "Keys, settings and whatever else is the tenant's own to set" },
  constraints: { tenant_slug_key: { error: 'STATE_CONFLICT', message: 'Another tenant has this slug' } },
  tables: ['api_key', 'tenant'],
  kept: ['api_key', 'tenant'],
  open(
    { config, frames, cursors, pepper, logger, house },
    {
      commissions: { plans },
      pendingChanges: { holdBack },
    }: { commissions: CommissionsOffers; pendingChanges: PendingChangesOffers },
  ) {
    const keyUse = createKeyUse({ frames, logger });
    const rateLimits = { LIVE: config.RATE_LIMIT_LIVE, SANDBOX: config.RATE_LIMIT_SANDBOX };
    const apiKeys = createApiKeysService({
      frames,
      cursors,
      pepper,
      granting: { scopes: house.scopes, allScopes: house.allScopes, rateLimits },
    });
    const settings = createSettingsService({ frames, declared: house.settings, parts: () => house.settingsParts(), holdBack });
    return {
      offers: { tenants: createTenantsService({ frames, plans, pepper, scopes: house.scopes }), keyUse } satisfies TenantsOffers,
      routes: [...apiKeysRoutes(apiKeys, house.scopes), ...settingsRoutes(settings)],
      start: () => keyUse.start(),
      close: () => keyUse.close(),
    };
  },
});
