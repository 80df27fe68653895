/** A tenant's settings: what both environments share, and a part of each feature in one of them. Source: api-decisions §1 (Tenant settings). */
import type { z } from 'zod';
import type { Db, Frames, Scope } from '../../db/frame.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import { actorOf, recordAudit } from '../audit/audit-log.ts';
import type { updateSettings as update } from './settings-operations.ts';
import type { SettingsPart } from './settings-part.ts';
import { lockSettings, readSettingsStatement, type Settings, updateSettings } from './settings-queries.ts';
import { isKnownTimeZone } from './tenants-queries.ts';

type Update = z.output<(typeof update)['body'] & {}>;
type Answer = z.input<(typeof update)['response']>;
type SharedUpdate = Pick<Update, (typeof SHARED_FIELDS)[number]>;
type KycPart = SettingsPart<Answer['kyc'], Update['kyc'] & {}>;
type PaymentsPart = SettingsPart<Answer['payments'], Update['payments'] & {}>;
type ReferralsPart = SettingsPart<Answer['referrals'], Update['referrals'] & {}>;

export interface SettingsService {
  readSettings(context: RequestContext): Promise<Answer>;
  /** 400 on what cannot be used; ENVIRONMENT_MISMATCH in SANDBOX for what LIVE goes by too. */
  updateSettings(context: CallContext, input: Update): Promise<Answer>;
}

const SHARED_FIELDS = ['defaultCurrency', 'reportingTimeZone'] as const;

interface Deps {
  frames: Frames;
  kyc: KycPart;
  payments: PaymentsPart;
  referrals: ReferralsPart;
}

export function createSettingsService({ frames, kyc, payments, referrals }: Deps): SettingsService {
  return {
    async readSettings({ scope }) {
      return frames.read(scope, async (db) => {
        const [settings, kycShown, paymentsShown, referralsShown] = await Promise.all([
          db.row(readSettingsStatement(scope.tenantId)),
          kyc.read(db, scope),
          payments.read(db, scope),
          referrals.read(db, scope),
        ]);
        if (!settings) throw new Error('the tenant of the scope does not exist');
        return { ...settings, kyc: kycShown, payments: paymentsShown, referrals: referralsShown };
      });
    },

    async updateSettings({ scope, guard }, { kyc: kycPatch, payments: paymentsPatch, referrals: referralsPatch, ...shared }) {
      // A key of the SANDBOX must not reach what LIVE pays by.
      if (scope.environment !== 'LIVE' && SHARED_FIELDS.some((field) => shared[field] !== undefined)) {
        throw new AppError('ENVIRONMENT_MISMATCH', 'Currency and time zone are those of LIVE too; change them with a LIVE key');
      }
      if (kycPatch) kyc.refuse(scope, kycPatch);
      if (paymentsPatch) payments.refuse(scope, paymentsPatch);
      if (referralsPatch) referrals.refuse(scope, referralsPatch);
      return frames.write(
        scope,
        async (db) => {
          await refuseUnknownZone(db, shared.reportingTimeZone);
          const before = await lockSettings(db, scope);
          const kycNow = await updatePart(kyc, db, scope, kycPatch);
          const paymentsNow = await updatePart(payments, db, scope, paymentsPatch);
          const referralsNow = await updatePart(referrals, db, scope, referralsPatch);
          const parts = { kyc: kycNow.shown, payments: paymentsNow.shown, referrals: referralsNow.shown };
          const fields = [...kycNow.changed, ...paymentsNow.changed, ...referralsNow.changed];
          const { wanted, changes } = changesOf(before, shared);
          const changesShared = Object.keys(changes).length > 0;
          if (!changesShared && fields.length === 0) return { ...before, ...parts };
          await recordAudit(db, scope, {
            action: 'settings.updated',
            actor: actorOf(scope),
            objectKind: 'tenant',
            objectId: scope.tenantId,
            details: { ...(changesShared ? { changes } : {}), ...(fields.length > 0 ? { fields } : {}) },
          });
          return { ...(changesShared ? await updateSettings(db, scope, wanted) : before), ...parts };
        },
        { guard },
      );
    },
  };
}

async function updatePart<Shown, Patch>(
  part: SettingsPart<Shown, Patch>,
  db: Db,
  scope: Scope,
  patch: Patch | undefined,
): Promise<{ shown: Shown; changed: string[] }> {
  return patch === undefined ? { shown: await part.read(db, scope), changed: [] } : part.update(db, scope, patch);
}

async function refuseUnknownZone(db: Db, timeZone: string | undefined): Promise<void> {
  if (timeZone !== undefined && !(await isKnownTimeZone(db, timeZone))) {
    throw invalidField('reportingTimeZone', 'must be an IANA time zone such as Europe/Berlin');
  }
}

function changesOf(before: Settings, { defaultCurrency, reportingTimeZone }: SharedUpdate) {
  const wanted = {
    defaultCurrency: defaultCurrency ?? before.defaultCurrency,
    reportingTimeZone: reportingTimeZone ?? before.reportingTimeZone,
  };
  const changed = SHARED_FIELDS.filter((field) => wanted[field] !== before[field]);
  return { wanted, changes: Object.fromEntries(changed.map((field) => [field, { from: before[field], to: wanted[field] }])) };
}
