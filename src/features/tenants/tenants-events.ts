/** What tenants are told of their settings and keys: docs/specification/webhooks.md#types. */
import { z } from 'zod';
import type { DeclaredEvents } from '../../house/events.ts';
import { apiKey } from './api-keys-operations.ts';

export const tenantsEvents: DeclaredEvents = {
  'settings.changed': {
    meaning: 'Settings changed: which, and all of them as they are read. Secrets are in neither.',
    schema: z.object({
      fields: z.array(z.string()).meta({ description: 'Names as in the document of the settings, as `payments.requireKyc`' }),
      settings: z.record(z.string(), z.unknown()).meta({ description: 'What GET /admin/settings answers' }),
    }),
    scope: 'admin:settings',
  },
  'api_key.created': { meaning: 'A key was made or rolled. The key itself is not told.', schema: apiKey, scope: 'admin:keys' },
  'api_key.revoked': { meaning: 'A key was revoked.', schema: apiKey, scope: 'admin:keys' },
};
