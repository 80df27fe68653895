/** A tenant's settings: what both environments share, and a part of each feature in one of them. Source: api-decisions §1 (Tenant settings). */
import type { z } from 'zod';
import type { Db, Frames } from '../../db/frame.ts';
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

export interface SettingsService {
  readSettings(context: RequestContext): Promise<Answer>;
  /** 400 on what cannot be used; ENVIRONMENT_MISMATCH in SANDBOX for what LIVE goes by too. */
  updateSettings(context: CallContext, input: Update): Promise<Answer>;
}

const SHARED_FIELDS = ['defaultCurrency', 'reportingTimeZone'] as const;

export function createSettingsService({ frames, kyc }: { frames: Frames; kyc: KycPart }): SettingsService {
  return {
    async readSettings({ scope }) {
      return frames.read(scope, async (db) => {
        const [settings, kycShown] = await Promise.all([db.row(readSettingsStatement(scope.tenantId)), kyc.read(db, scope)]);
        if (!settings) throw new Error('the tenant of the scope does not exist');
        return { ...settings, kyc: kycShown };
      });
    },

    async updateSettings({ scope, guard }, { kyc: kycPatch, ...shared }) {
      // A key of the SANDBOX must not reach what LIVE pays by.
      if (scope.environment !== 'LIVE' && SHARED_FIELDS.some((field) => shared[field] !== undefined)) {
        throw new AppError('ENVIRONMENT_MISMATCH', 'Currency and time zone are those of LIVE too; change them with a LIVE key');
      }
      if (kycPatch) kyc.refuse(scope, kycPatch);
      return frames.write(
        scope,
        async (db) => {
          await refuseUnknownZone(db, shared.reportingTimeZone);
          const before = await lockSettings(db, scope);
          const { shown, changed } = kycPatch
            ? await kyc.update(db, scope, kycPatch)
            : { shown: await kyc.read(db, scope), changed: [] };
          const { wanted, changes } = changesOf(before, shared);
          const changesShared = Object.keys(changes).length > 0;
          if (!changesShared && changed.length === 0) return { ...before, kyc: shown };
          await recordAudit(db, scope, {
            action: 'settings.updated',
            actor: actorOf(scope),
            objectKind: 'tenant',
            objectId: scope.tenantId,
            details: { ...(changesShared ? { changes } : {}), ...(changed.length > 0 ? { fields: changed } : {}) },
          });
          return { ...(changesShared ? await updateSettings(db, scope, wanted) : before), kyc: shown };
        },
        { guard },
      );
    },
  };
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
