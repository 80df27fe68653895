/** A tenant's settings: what both environments share, and a part of each feature in one of them. */
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { NamedSettingsPart, SettingsDeclaration, SettingsPart } from '../../house/settings.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { inOrder, settingsOperations } from './settings-operations.ts';
import { lockSettings, readSettingsStatement, type Settings, updateSettings } from './settings-queries.ts';
import { isKnownTimeZone } from './tenants-queries.ts';

/** The parts of the features are beside these, by name. */
export type SettingsAnswer = Settings & Record<string, unknown>;

export interface SettingsUpdate {
  defaultCurrency?: string | undefined;
  reportingTimeZone?: string | undefined;
  [part: string]: unknown;
}

export interface SettingsService {
  operations: ReturnType<typeof settingsOperations>;
  readSettings(context: RequestContext): Promise<SettingsAnswer>;
  /** 400 on what cannot be used; ENVIRONMENT_MISMATCH in SANDBOX for what LIVE goes by too. */
  updateSettings(context: CallContext, input: SettingsUpdate): Promise<SettingsAnswer>;
}

const SHARED_FIELDS = ['defaultCurrency', 'reportingTimeZone'] as const;

interface Deps {
  frames: Frames;
  /** What the features say of their parts. */
  declared: readonly SettingsDeclaration[];
  /** The parts themselves, asked for when a call needs them. */
  parts(): readonly NamedSettingsPart[];
}

export function createSettingsService({ frames, declared, parts: openParts }: Deps): SettingsService {
  return {
    operations: settingsOperations(declared),

    async readSettings({ scope }) {
      const parts = inOrder(openParts());
      return frames.read(scope, async (db) => {
        const [settings, ...shown] = await Promise.all([
          db.row(readSettingsStatement(scope)),
          ...parts.map(({ part }) => part.read(db, scope)),
        ]);
        if (!settings) throw new Error('the tenant of the scope does not exist');
        return { ...settings, ...Object.fromEntries(parts.map(({ name }, index) => [name, shown[index]])) };
      });
    },

    async updateSettings({ scope, guard, shape }, update) {
      const parts = inOrder(openParts());
      // A key of the SANDBOX must not reach what LIVE pays by.
      if (scope.environment !== 'LIVE' && SHARED_FIELDS.some((field) => update[field] !== undefined)) {
        throw new AppError('ENVIRONMENT_MISMATCH', 'Currency and time zone are those of LIVE too; change them with a LIVE key');
      }
      for (const { name, part } of parts) if (update[name] !== undefined) part.refuse(scope, update[name]);
      return frames.write(
        scope,
        async (db) => {
          await refuseUnknownZone(db, update.reportingTimeZone);
          const before = await lockSettings(db, scope);
          const shown: Record<string, unknown> = {};
          const fields: string[] = [];
          for (const { name, part } of parts) {
            const now = await updatePart(part, db, scope, update[name]);
            shown[name] = now.shown;
            fields.push(...now.changed);
          }
          const { wanted, changes } = changesOf(before, update);
          const changesShared = Object.keys(changes).length > 0;
          if (!changesShared && fields.length === 0) return { ...before, ...shown };
          await recordAudit(db, scope, {
            action: 'settings.updated',
            by: scope.provenance,
            objectKind: 'tenant',
            objectId: scope.tenantId,
            details: { ...(changesShared ? { changes } : {}), ...(fields.length > 0 ? { fields } : {}) },
          });
          return { ...(changesShared ? await updateSettings(db, scope, wanted) : before), ...shown };
        },
        { guard, shape },
      );
    },
  };
}

async function updatePart(
  part: SettingsPart,
  db: Db,
  scope: Scope,
  patch: unknown,
): Promise<{ shown: unknown; changed: string[] }> {
  return patch === undefined ? { shown: await part.read(db, scope), changed: [] } : part.update(db, scope, patch);
}

async function refuseUnknownZone(db: Db, timeZone: string | undefined): Promise<void> {
  if (timeZone !== undefined && !(await isKnownTimeZone(db, timeZone))) {
    throw invalidField('reportingTimeZone', 'must be an IANA time zone such as Europe/Berlin');
  }
}

function changesOf(before: Settings, { defaultCurrency, reportingTimeZone }: SettingsUpdate) {
  const wanted = {
    defaultCurrency: defaultCurrency ?? before.defaultCurrency,
    reportingTimeZone: reportingTimeZone ?? before.reportingTimeZone,
  };
  const changed = SHARED_FIELDS.filter((field) => wanted[field] !== before[field]);
  return { wanted, changes: Object.fromEntries(changed.map((field) => [field, { from: before[field], to: wanted[field] }])) };
}
