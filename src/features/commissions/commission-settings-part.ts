/** How commissions are guarded, as a tenant's settings show and change it. Source: docs/specification/events.md#manual-limits. */
import { z } from 'zod';
import { canonicalJson } from '../../canonical-json.ts';
import { declareSettings, guardsWhenOn, type SettingsPart } from '../../house/settings.ts';
import { byCurrency, currencyOut } from '../../http/schemas.ts';
import { MAX_AMOUNT_MINOR } from '../../money.ts';
import { type CommissionSettings, readCommissionSettings, storeCommissionSettings } from './commission-settings-queries.ts';
import { type AmountsByCurrency, handsOfManualLimit, handsOfSecondPair } from './open/manual-limits.ts';

const COMMISSION_DEFAULTS: CommissionSettings = {
  manualLimitMinor: {},
  manualSecondPairMinor: {},
  planPublishSecondPair: false,
};

const shownAmounts = z.record(currencyOut, z.int());
const amounts = byCurrency(z.int().min(0).max(Number(MAX_AMOUNT_MINOR)));

const shown = z
  .object({
    manualLimitMinor: shownAmounts.meta({
      description: 'The most that is credited or charged by hand at once; a currency that is not named has 1,000,000 major units',
    }),
    manualSecondPairMinor: shownAmounts.meta({
      description:
        'Above it a commission by hand waits for another pair of hands, in LIVE with dual control; a currency that is not named has no such limit',
    }),
    planPublishSecondPair: z
      .boolean()
      .meta({ description: 'Whether publishing a plan waits for another pair of hands, in LIVE with dual control' }),
  })
  .meta({ id: 'CommissionSettings', description: "Of the key's environment alone" });

const patch = z
  .strictObject({
    manualLimitMinor: amounts
      .nullish()
      .meta({ description: 'As a whole, `null` for none; more than it names is 422 `BALANCE_LIMIT`' }),
    manualSecondPairMinor: amounts.nullish().meta({ description: 'As a whole, `null` for none' }),
    planPublishSecondPair: z.boolean().optional(),
  })
  .meta({ example: { manualLimitMinor: { USD: 500_000, JPY: 500_000 }, planPublishSecondPair: true } });

export const commissionSettingsDeclaration = declareSettings({
  name: 'commissions',
  shown,
  patch,
  hands: {
    manualLimitMinor: handsOfManualLimit,
    manualSecondPairMinor: handsOfSecondPair,
    planPublishSecondPair: guardsWhenOn,
  },
});

/** Null names nothing; what is not sent stays. */
function amountsOf(given: AmountsByCurrency | null | undefined, before: AmountsByCurrency): AmountsByCurrency {
  return given === undefined ? before : (given ?? {});
}

const FIELDS = ['manualLimitMinor', 'manualSecondPairMinor', 'planPublishSecondPair'] as const;

export function createCommissionSettingsPart(): SettingsPart<z.input<typeof shown>, z.output<typeof patch>> {
  const read: SettingsPart<CommissionSettings>['read'] = async (db, scope) =>
    (await readCommissionSettings(db, scope)) ?? COMMISSION_DEFAULTS;
  return {
    read,

    refuse() {
      // Whatever has the form can be used.
    },

    async plan(db, scope, given) {
      const before = await read(db, scope);
      const after: CommissionSettings = {
        manualLimitMinor: amountsOf(given.manualLimitMinor, before.manualLimitMinor),
        manualSecondPairMinor: amountsOf(given.manualSecondPairMinor, before.manualSecondPairMinor),
        planPublishSecondPair: given.planPublishSecondPair ?? before.planPublishSecondPair,
      };
      const changed = FIELDS.filter((field) => canonicalJson(after[field]) !== canonicalJson(before[field]));
      return {
        changes: changed.map((field) => ({ field: `commissions.${field}`, from: before[field], to: after[field] })),
        async store() {
          await storeCommissionSettings(db, scope, after);
          return after;
        },
      };
    },
  };
}
