/** A tenant's settings. Source: api-decisions §1 (Tenant settings). */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import { actorOf, recordAudit } from '../audit/audit-log.ts';
import type { updateSettings as update } from './settings-operations.ts';
import { lockSettings, readSettingsStatement, type Settings, updateSettings } from './settings-queries.ts';
import { isKnownTimeZone } from './tenants-queries.ts';

type Update = z.output<(typeof update)['body'] & {}>;

export interface SettingsService {
  readSettings(context: RequestContext): Promise<Settings>;
  /** 400 on a time zone that the database does not know; ENVIRONMENT_MISMATCH in SANDBOX. */
  updateSettings(context: CallContext, input: Update): Promise<Settings>;
}

const SHARED_FIELDS = ['defaultCurrency', 'reportingTimeZone'] as const;

export function createSettingsService({ frames }: { frames: Frames }): SettingsService {
  return {
    async readSettings({ scope }) {
      const [settings] = await frames.readOnce(scope, readSettingsStatement(scope.tenantId));
      if (!settings) throw new Error('the tenant of the scope does not exist');
      return settings;
    },

    async updateSettings({ scope, guard }, { defaultCurrency, reportingTimeZone }) {
      // A key of the SANDBOX must not reach what LIVE pays by.
      if (scope.environment !== 'LIVE') {
        throw new AppError('ENVIRONMENT_MISMATCH', 'These settings are those of LIVE too; change them with a LIVE key');
      }
      return frames.write(
        scope,
        async (db) => {
          if (reportingTimeZone !== undefined && !(await isKnownTimeZone(db, reportingTimeZone))) {
            throw invalidField('reportingTimeZone', 'must be an IANA time zone such as Europe/Berlin');
          }
          const before = await lockSettings(db, scope);
          const wanted = {
            defaultCurrency: defaultCurrency ?? before.defaultCurrency,
            reportingTimeZone: reportingTimeZone ?? before.reportingTimeZone,
          };
          const changed = SHARED_FIELDS.filter((field) => wanted[field] !== before[field]);
          if (changed.length === 0) return before;
          await recordAudit(db, scope, {
            action: 'settings.updated',
            actor: actorOf(scope),
            objectKind: 'tenant',
            objectId: scope.tenantId,
            details: {
              changes: Object.fromEntries(changed.map((field) => [field, { from: before[field], to: wanted[field] }])),
            },
          });
          return updateSettings(db, scope, wanted);
        },
        { guard },
      );
    },
  };
}
