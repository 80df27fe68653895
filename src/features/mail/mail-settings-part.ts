/** What members are mailed about, as a tenant's settings show and change it. Source: docs/specification/mail.md#members. */
import { z } from 'zod';
import { declareSettings, type SettingsPart } from '../../house/settings.ts';
import { type MailSettings, readMailSettings, storeMailSettings } from './mail-settings-queries.ts';

const shown = z
  .object({
    payouts: z.boolean().meta({
      description: 'Whether members are mailed when a payout was paid or failed, where the deployment sends mail. Default false',
    }),
  })
  .meta({ id: 'MailSettings', description: "Of the key's environment alone; a SANDBOX mails no member" });

const patch = z
  .strictObject({
    payouts: z.boolean().optional().meta({ description: 'Whether members are mailed when a payout was paid or failed' }),
  })
  .meta({ description: 'What members are mailed about', example: { payouts: true } });

export const mailSettingsDeclaration = declareSettings({ name: 'mail', shown, patch, hands: { payouts: 'neutral' } });

const DEFAULTS: MailSettings = { payouts: false };

export function createMailSettingsPart(): SettingsPart<z.input<typeof shown>, z.output<typeof patch>> {
  const read: SettingsPart<MailSettings>['read'] = async (db, scope) => (await readMailSettings(db, scope)) ?? DEFAULTS;
  return {
    read,

    refuse() {
      // Whatever has the form can be used.
    },

    async plan(db, scope, given) {
      const before = await read(db, scope);
      const after = { payouts: given.payouts ?? before.payouts };
      const changes =
        after.payouts === before.payouts ? [] : [{ field: 'mail.payouts', from: before.payouts, to: after.payouts }];
      return {
        changes,
        async store() {
          await storeMailSettings(db, scope, after);
          return after;
        },
      };
    },
  };
}
