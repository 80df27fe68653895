/** How a tenant attributes, as its settings show and change it. Source: docs/referrals.md#attribution. */
import type { SettingsPart } from '../../house/settings.ts';
import { REFERRAL_DEFAULTS, type ReferralSettings } from './open/referral-settings.ts';
import { referralSettingsStatement, storeReferralSettings } from './referral-settings-queries.ts';
import type { ReferralSettingsAnswer, ReferralSettingsPatch } from './referral-settings-schemas.ts';

const FIELDS = ['attributionModel', 'attributionWindowDays', 'allowedDestinationHosts', 'leadExpiryDays'] as const;

export function createReferralSettingsPart(): SettingsPart<ReferralSettingsAnswer, ReferralSettingsPatch> {
  return {
    async read(db, scope) {
      return (await db.row(referralSettingsStatement(scope))) ?? REFERRAL_DEFAULTS;
    },

    refuse() {
      // Whatever has the form can be used.
    },

    async plan(db, scope, patch) {
      const before = (await db.row(referralSettingsStatement(scope))) ?? REFERRAL_DEFAULTS;
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      const after: ReferralSettings = { ...before, ...given };
      const changed = FIELDS.filter((field) => String(after[field]) !== String(before[field]));
      return {
        changes: changed.map((field) => ({ field: `referrals.${field}`, from: before[field], to: after[field] })),
        store: () => storeReferralSettings(db, scope, after),
      };
    },
  };
}
