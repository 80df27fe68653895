/** How a tenant verifies its members, as its settings show and change it. Source: docs/specification/verification.md#settings. */
import type { Environment, Scope } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { type FieldFault, invalidFields } from '../../../errors.ts';
import type { SettingChange, SettingsPart } from '../../../house/settings.ts';
import { DIGEST_ALGS, type DigestAlg, KYC_DEFAULTS, KYC_SECRETS, type KycSecret, kycSecretPlace } from './kyc-settings.ts';
import { type KycSettingsRow, kycSettingsStatement, lockKycSettings, storeKycSettings } from './kyc-settings-queries.ts';
import type { KycSettingsAnswer, KycSettingsPatch } from './kyc-settings-schemas.ts';

type VendorPatch = NonNullable<KycSettingsPatch['kycvendor']>;
export type KycSettingsPart = SettingsPart<KycSettingsAnswer, KycSettingsPatch>;

interface Deps {
  cipher: Cipher;
  /** What is wrong with the address of a vendor, or undefined. */
  checkBaseUrl(address: string): string | undefined;
}

/** The vendor's app tokens say which of its environments they are of; ours must be the same. */
const FOREIGN_TOKEN: Record<Environment, { prefix: string; message: string }> = {
  LIVE: { prefix: 'sbx:', message: "is of the vendor's sandbox; LIVE needs one that begins with prd:" },
  SANDBOX: { prefix: 'prd:', message: "is of the vendor's production; SANDBOX needs one that begins with sbx:" },
};

const OWN_FIELDS = ['provider', 'approvalValidDays'] as const;
const VENDOR_FIELDS = ['levelName', 'clientId', 'ttlInSecs', 'baseUrl', 'allowedDigestAlgs'] as const;

export function createKycSettingsPart({ cipher, checkBaseUrl }: Deps): KycSettingsPart {
  return {
    async read(db, scope) {
      return shownOf((await db.row(kycSettingsStatement(scope))) ?? KYC_DEFAULTS);
    },

    refuse({ environment }, { kycvendor = {} }) {
      const faults: FieldFault[] = [];
      const { prefix, message } = FOREIGN_TOKEN[environment];
      if (kycvendor.appToken?.startsWith(prefix) === true) faults.push({ field: vendorField('appToken'), message });
      const fault = kycvendor.baseUrl == null ? undefined : checkBaseUrl(kycvendor.baseUrl);
      if (fault !== undefined) faults.push({ field: vendorField('baseUrl'), message: fault });
      if (faults.length > 0) throw invalidFields(faults);
    },

    async plan(db, scope, { provider, approvalValidDays, kycvendor = {} }) {
      const before = (await lockKycSettings(db, scope)) ?? KYC_DEFAULTS;
      const secrets = sealSecrets(cipher, scope, before, kycvendor);
      const after: KycSettingsRow = {
        ...before,
        ...plainOf(kycvendor),
        ...secrets.sealed,
        provider: provider ?? before.provider,
        approvalValidDays: approvalValidDays === undefined ? before.approvalValidDays : approvalValidDays,
      };
      refuseIncomplete(scope, after);
      const changes: SettingChange[] = [
        ...OWN_FIELDS.filter((field) => after[field] !== before[field]).map((field) => ({
          field: `kyc.${field}`,
          from: before[field],
          to: after[field],
        })),
        ...secrets.changes,
        ...VENDOR_FIELDS.filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field])).map((field) => ({
          field: vendorField(field),
          from: before[field],
          to: after[field],
        })),
      ];
      return { changes, store: async () => shownOf(await storeKycSettings(db, scope, after)) };
    },
  };
}

function plainOf(patch: VendorPatch): Partial<KycSettingsRow> {
  return Object.fromEntries(VENDOR_FIELDS.flatMap((field) => (patch[field] === undefined ? [] : [[field, patch[field]]])));
}

type SealedSecrets = Pick<KycSettingsRow, `${KycSecret}Sealed`>;

/** The secrets as they are to be stored. One that is what it was before is not sealed anew. */
function sealSecrets(
  cipher: Cipher,
  scope: Scope,
  before: KycSettingsRow,
  patch: VendorPatch,
): { sealed: SealedSecrets; changes: SettingChange[] } {
  const open = (name: KycSecret): string | null => {
    const sealed = before[`${name}Sealed` as const];
    return sealed && cipher.decrypt(sealed, kycSecretPlace(scope, name)).toString();
  };
  const wanted = withPrevious(patch, open('webhookSecret'));
  const changed = KYC_SECRETS.filter((name) => wanted[name] !== undefined && wanted[name] !== open(name));
  const seal = (name: KycSecret): Buffer | null => {
    if (!changed.includes(name)) return before[`${name}Sealed` as const];
    const secret = wanted[name];
    return secret == null ? null : cipher.encrypt(Buffer.from(secret), kycSecretPlace(scope, name));
  };
  return {
    changes: changed.map((name) => ({ field: vendorField(name), from: open(name), to: wanted[name] ?? null, secret: true })),
    sealed: {
      appTokenSealed: seal('appToken'),
      secretKeySealed: seal('secretKey'),
      webhookSecretSealed: seal('webhookSecret'),
      previousWebhookSecretSealed: seal('previousWebhookSecret'),
    },
  };
}

/** Events on their way were signed with the former secret, so it stays good unless the change says otherwise. */
function withPrevious(patch: VendorPatch, former: string | null): Partial<Record<KycSecret, string | null | undefined>> {
  const { webhookSecret, previousWebhookSecret } = patch;
  if (webhookSecret === undefined || previousWebhookSecret !== undefined || webhookSecret === former) return patch;
  if (webhookSecret === null) return { ...patch, previousWebhookSecret: null };
  return former === null ? patch : { ...patch, previousWebhookSecret: former };
}

/** The vendor cannot be chosen half: in LIVE all it needs, in SANDBOX that or nothing, which is the simulated one. */
function refuseIncomplete({ environment }: Scope, row: KycSettingsRow): void {
  if (row.provider !== 'kycvendor') return;
  const account = { appToken: row.appTokenSealed, secretKey: row.secretKeySealed, levelName: row.levelName };
  const needed = environment === 'LIVE' ? { ...account, webhookSecret: row.webhookSecretSealed } : account;
  const missing = Object.entries(needed).filter(([, value]) => value === null);
  if (missing.length === 0 || (environment === 'SANDBOX' && missing.length === Object.keys(needed).length)) return;
  const message =
    environment === 'LIVE'
      ? 'must be set for the provider kycvendor'
      : 'must be set too: without any of appToken, secretKey and levelName the vendor is simulated';
  throw invalidFields(missing.map(([field]) => ({ field: vendorField(field), message })));
}

function vendorField(field: string): string {
  return `kyc.kycvendor.${field}`;
}

function shownOf(row: KycSettingsRow): KycSettingsAnswer {
  const state = (sealed: Buffer | null) => ({ set: sealed !== null });
  return {
    provider: row.provider,
    approvalValidDays: row.approvalValidDays,
    kycvendor: {
      appToken: state(row.appTokenSealed),
      secretKey: state(row.secretKeySealed),
      webhookSecret: state(row.webhookSecretSealed),
      previousWebhookSecret: state(row.previousWebhookSecretSealed),
      levelName: row.levelName,
      clientId: row.clientId,
      allowedDigestAlgs: row.allowedDigestAlgs.filter(isDigestAlg),
      ttlInSecs: row.ttlInSecs,
      baseUrl: row.baseUrl,
    },
  };
}

function isDigestAlg(name: string): name is DigestAlg {
  return DIGEST_ALGS.some((known) => known === name);
}
