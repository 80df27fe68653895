/** A tenant's settings: what both environments share, and a part of each feature in one of them. */
import type { Frames } from '../../db/frame.ts';
import type { Db } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { NamedSettingsPart, SettingChange, SettingsDeclaration } from '../../house/settings.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import { requireFreshFactor } from '../../http/step-up.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import { effectsOf } from './setting-effects.ts';
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
  /** 400 on what cannot be used; ENVIRONMENT_MISMATCH in SANDBOX for what LIVE goes by too. What weakens a safeguard may wait. */
  updateSettings(context: CallContext, input: SettingsUpdate): Promise<SettingsAnswer>;
}

const SHARED_FIELDS = ['defaultCurrency', 'reportingTimeZone'] as const;

interface Deps {
  frames: Frames;
  /** What the features say of their parts. */
  declared: readonly SettingsDeclaration[];
  /** The parts themselves, asked for when a call needs them. */
  parts(): readonly NamedSettingsPart[];
  holdBack: PendingChangesOffers['holdBack'];
}

export function createSettingsService({ frames, declared, parts: openParts, holdBack }: Deps): SettingsService {
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

    async updateSettings(context, update) {
      const { scope, guard, shape } = context;
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
          const planned: { name: string; changes: readonly SettingChange[]; finish(): Promise<unknown> }[] = [];
          for (const { name, part } of parts) {
            const plan = update[name] === undefined ? undefined : await part.plan(db, scope, update[name]);
            const changes = plan?.changes ?? [];
            planned.push({ name, changes, finish: () => (plan && changes.length > 0 ? plan.store() : part.read(db, scope)) });
          }
          const { wanted, changes } = changesOf(before, update);
          const changesShared = Object.keys(changes).length > 0;
          const ofParts = planned.flatMap((part) => part.changes);
          const shared = Object.entries(changes).map(([field, change]) => ({ field, ...change }));
          if (ofParts.some(({ secret }) => secret === true)) requireFreshFactor(scope, 'A change of a secret');
          const hands = await holdBack(db, context, effectsOf(declared, [...shared, ...ofParts]));
          const shown: Record<string, unknown> = {};
          for (const { name, finish } of planned) shown[name] = await finish();
          const fields = ofParts.map(({ field }) => field);
          if (!changesShared && fields.length === 0) return { ...before, ...shown };
          await recordAudit(db, scope, {
            action: 'settings.updated',
            by: scope.provenance,
            objectKind: 'tenant',
            objectId: scope.tenantId,
            details: { ...(changesShared ? { changes } : {}), ...(fields.length > 0 ? { fields } : {}), ...hands },
          });
          const after = { ...(changesShared ? await updateSettings(db, scope, wanted) : before), ...shown };
          tell(db, scope.provenance, 'settings.changed', scope.tenantId, {
            data: async (render) => ({ fields: [...Object.keys(changes), ...fields], settings: await render('getSettings', {}) }),
          });
          return after;
        },
        { guard, shape },
      );
    },
  };
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
