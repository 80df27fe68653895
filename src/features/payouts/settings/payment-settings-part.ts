/** How a tenant pays its members, as its settings show and change it. Source: docs/payouts.md#settings. */
import type { Environment, Scope } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { AppError, type FieldFault, invalidFields } from '../../../errors.ts';
import type { SettingChange, SettingsPart } from '../../../house/settings.ts';
import type { PayoutSchedule } from '../open/payout-schedule.ts';
import { wakeHeldPayouts } from '../payouts/advance-queries.ts';
import { listSchedules } from '../schedule/schedule-queries.ts';
import { areSame, inOrder, storeSchedules } from '../schedule/schedule-settings.ts';
import { PAYMENT_DEFAULTS, type PaymentSecret, paymentSecretPlace } from './payment-settings.ts';
import {
  lockPaymentSettings,
  type PaymentSettingsRow,
  paymentSettingsStatement,
  storePaymentSettings,
} from './payment-settings-queries.ts';
import type { PaymentSettingsAnswer, PaymentSettingsPatch } from './payment-settings-schemas.ts';

export type PaymentSettingsPart = SettingsPart<PaymentSettingsAnswer, PaymentSettingsPatch>;

type VendorPatch = NonNullable<PaymentSettingsPatch['payvendor']>;

interface Deps {
  cipher: Cipher;
  /** What is wrong with the address of the vendor, or undefined. */
  checkBaseUrl(address: string): string | undefined;
}

/** The vendor's keys say which of its modes they are of; ours must be the same. */
const FOREIGN_KEY: Record<Environment, { form: RegExp; message: string }> = {
  LIVE: { form: /^[sr]k_test_/, message: "is of the vendor's test mode; LIVE needs one of live mode" },
  SANDBOX: { form: /^[sr]k_live_/, message: "is of the vendor's live mode; SANDBOX needs one of test mode" },
};

/** So that a change of settings does not take long; of more, the others are asked about when their wait is over. */
const MOST_WOKEN = 10_000;

const OWN_FIELDS = ['provider', 'requireKyc', 'dualControl', 'dualControlBy', 'accountCooldownHours'] as const;
const VENDOR_FIELDS = ['platformCountry', 'capabilities', 'approvedRecipientCountries', 'baseUrl'] as const;

export function createPaymentSettingsPart({ cipher, checkBaseUrl }: Deps): PaymentSettingsPart {
  const countOf = (scope: Scope, row: PaymentSettingsRow): number => readSecrets(cipher, scope, row).length;
  const shownOf = (scope: Scope, row: PaymentSettingsRow, schedules: readonly PayoutSchedule[]): PaymentSettingsAnswer => ({
    provider: row.provider,
    payvendor: {
      secretKey: { set: row.secretKeySealed !== null },
      webhookSecrets: { count: countOf(scope, row) },
      platformCountry: row.platformCountry,
      capabilities: row.capabilities,
      approvedRecipientCountries: row.approvedRecipientCountries,
      baseUrl: row.baseUrl,
    },
    requireKyc: row.requireKyc,
    dualControl: row.dualControl,
    dualControlBy: row.dualControlBy,
    accountCooldownHours: row.accountCooldownHours,
    schedule: shownSchedules(schedules),
  });

  return {
    async read(db, scope) {
      const [row = PAYMENT_DEFAULTS, schedules] = await Promise.all([
        db.row(paymentSettingsStatement(scope)),
        listSchedules(db, scope),
      ]);
      return shownOf(scope, row, schedules);
    },

    refuse({ environment }, { payvendor = {} }) {
      const faults: FieldFault[] = [];
      const { form, message } = FOREIGN_KEY[environment];
      if (payvendor.secretKey != null && form.test(payvendor.secretKey))
        faults.push({ field: vendorField('secretKey'), message });
      const fault = payvendor.baseUrl == null ? undefined : checkBaseUrl(payvendor.baseUrl);
      if (fault !== undefined) faults.push({ field: vendorField('baseUrl'), message: fault });
      if (faults.length > 0) throw invalidFields(faults);
    },

    async plan(db, scope, { payvendor = {}, schedule, expectedSchedule, ...own }) {
      const before = (await lockPaymentSettings(db, scope)) ?? PAYMENT_DEFAULTS;
      const schedulesBefore = await listSchedules(db, scope);
      refuseOther(schedulesBefore, expectedSchedule);
      const schedules = schedule === undefined ? schedulesBefore : inOrder(schedule ?? []);
      const reschedules = !areSame(schedulesBefore, schedules);
      const secrets = sealSecrets(cipher, scope, before, payvendor);
      const after: PaymentSettingsRow = {
        ...before,
        ...given(own, OWN_FIELDS),
        ...given(payvendor, VENDOR_FIELDS),
        ...secrets.sealed,
      };
      refuseIncomplete(scope, after);
      const differs = (field: keyof PaymentSettingsRow): boolean => String(after[field]) !== String(before[field]);
      const change = (field: keyof PaymentSettingsRow, name: string): SettingChange => ({
        field: name,
        from: before[field],
        to: after[field],
      });
      const changes = [
        ...OWN_FIELDS.filter(differs).map((field) => change(field, `payments.${field}`)),
        ...secrets.changes,
        ...VENDOR_FIELDS.filter(differs).map((field) => change(field, vendorField(field))),
        ...(reschedules
          ? [{ field: 'payments.schedule', from: shownSchedules(schedulesBefore), to: shownSchedules(schedules) }]
          : []),
      ];
      return {
        changes,
        async store() {
          const stored = await storePaymentSettings(db, scope, after);
          const isOfVendor = changes.some(({ field }) => field.startsWith(vendorField('')));
          if (isOfVendor && after.secretKeySealed !== null) await wakeHeldPayouts(db, scope, MOST_WOKEN);
          if (reschedules) await storeSchedules(db, scope, schedulesBefore, schedules);
          return shownOf(scope, stored, schedules);
        },
      };
    },
  };
}

/** STATE_CONFLICT unless the schedule is what a change was made of; undefined: that is not said. */
function refuseOther(schedules: readonly PayoutSchedule[], expected: readonly PayoutSchedule[] | null | undefined): void {
  if (expected === undefined || areSame(schedules, expected ?? [])) return;
  throw new AppError('STATE_CONFLICT', 'The schedule was changed meanwhile. Look at it as it is now, and change it again.');
}

/** Null: nothing is drafted by itself. */
function shownSchedules(schedules: readonly PayoutSchedule[]): PaymentSettingsAnswer['schedule'] {
  return schedules.length === 0 ? null : schedules.map(({ days, ...schedule }) => ({ ...schedule, days: [...days] }));
}

/** The fields that a change names. */
function given<Field extends keyof PaymentSettingsRow>(patch: object, fields: readonly Field[]): Partial<PaymentSettingsRow> {
  return Object.fromEntries(Object.entries(patch).filter(([name, value]) => value !== undefined && isOneOf(fields, name)));
}

function isOneOf(fields: readonly string[], name: string): boolean {
  return fields.includes(name);
}

function readSecrets(cipher: Cipher, scope: Scope, { webhookSecretsSealed }: PaymentSettingsRow): string[] {
  if (webhookSecretsSealed === null) return [];
  return JSON.parse(cipher.decrypt(webhookSecretsSealed, paymentSecretPlace(scope, 'webhookSecrets')).toString()) as string[];
}

/** The secrets as they are to be stored. What is as it was before is not sealed anew. */
function sealSecrets(
  cipher: Cipher,
  scope: Scope,
  before: PaymentSettingsRow,
  { secretKey, webhookSecrets }: VendorPatch,
): { sealed: Pick<PaymentSettingsRow, `${PaymentSecret}Sealed`>; changes: SettingChange[] } {
  const former: Record<PaymentSecret, Buffer | null> = {
    secretKey: before.secretKeySealed,
    webhookSecrets: before.webhookSecretsSealed,
  };
  const list = webhookSecrets === undefined ? undefined : (webhookSecrets ?? []);
  const wanted: Record<PaymentSecret, string | null | undefined> = {
    secretKey,
    webhookSecrets: list?.length === 0 ? null : list && JSON.stringify(list),
  };
  const changes: SettingChange[] = [];
  const seal = (name: PaymentSecret): Buffer | null => {
    const [sealed, value] = [former[name], wanted[name]];
    const place = paymentSecretPlace(scope, name);
    const present = sealed && cipher.decrypt(sealed, place).toString();
    if (value === undefined || value === present) return sealed;
    const open = (text: string | null): unknown => (text === null || name === 'secretKey' ? text : JSON.parse(text));
    changes.push({ field: vendorField(name), from: open(present), to: open(value), secret: true });
    return value === null ? null : cipher.encrypt(Buffer.from(value), place);
  };
  return { sealed: { secretKeySealed: seal('secretKey'), webhookSecretsSealed: seal('webhookSecrets') }, changes };
}

/** In LIVE the vendor cannot be chosen without all that it needs; in SANDBOX it is simulated where it has no key. */
function refuseIncomplete({ environment }: Scope, row: PaymentSettingsRow): void {
  if (row.provider !== 'payvendor' || environment !== 'LIVE') return;
  const needed = {
    secretKey: row.secretKeySealed,
    webhookSecrets: row.webhookSecretsSealed,
    platformCountry: row.platformCountry,
  };
  const missing = Object.entries(needed).filter(([, value]) => value === null);
  if (missing.length === 0) return;
  throw invalidFields(
    missing.map(([field]) => ({ field: vendorField(field), message: 'must be set for the provider payvendor' })),
  );
}

function vendorField(field: string): string {
  return `payments.payvendor.${field}`;
}
