/** Whether events are written down that no endpoint hears of, as a tenant's settings show and change it. Source: docs/specification/webhooks.md#log. */
import { z } from 'zod';
import { declareSettings, type SettingsPart } from '../../../house/settings.ts';
import { refreshHearing } from '../log/hearing-queries.ts';
import { readEventLog, storeEventLog } from './event-log-settings-queries.ts';

const shown = z
  .object({ eventLog: z.boolean().meta({ description: 'Whether the log has all events, also those that no endpoint hears of' }) })
  .meta({ id: 'WebhookSettings', description: "Of the key's environment alone" });

const patch = z
  .strictObject({
    eventLog: z.boolean().optional().meta({
      description: 'Default true in SANDBOX, and in LIVE from the first endpoint on. Off, the log has what endpoints hear of',
    }),
  })
  .meta({ description: 'What the log of events has', example: { eventLog: true } });

export const webhookSettingsDeclaration = declareSettings({
  name: 'webhooks',
  shown,
  patch,
  hands: { eventLog: 'neutral' },
});

type Answer = z.input<typeof shown>;

export function createWebhookSettingsPart(): SettingsPart<Answer, z.output<typeof patch>> {
  return {
    read: async (db, scope) => ({ eventLog: (await readEventLog(db, scope)).holds }),

    refuse() {
      // Either can be used.
    },

    async plan(db, scope, { eventLog }) {
      const { said, holds } = await readEventLog(db, scope);
      // Said for the first time it is a change, whatever holds: in LIVE the first endpoint would turn the log on.
      const changed = eventLog !== undefined && eventLog !== said;
      return {
        changes: changed ? [{ field: 'webhooks.eventLog', from: said, to: eventLog }] : [],
        async store() {
          if (eventLog !== undefined) await storeEventLog(db, scope, eventLog);
          await refreshHearing(db, scope);
          return { eventLog: eventLog ?? holds };
        },
      };
    },
  };
}
