/** How a rate is agreed, by itself or as a row of a file: docs/specification/rates.md#overrides. */
import { createHash } from 'node:crypto';
import { type ActingScope, actorRef } from '../../actor.ts';
import { canonicalJson } from '../../canonical-json.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import { invalidField } from '../../errors.ts';
import type { FieldEffect } from '../../http/held-back.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { CommissionsOffers } from '../commissions/commissions-feature.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import { handsOfPay } from './judge-override.ts';
import type { AgreedItems } from './open/agreed-at.ts';
import type { NewAgreement } from './open/override-body.ts';
import { insertOverride, lockHistoryForChange, lockOwner, readSeriesAt, type Series, type SeriesEntry } from './rates-queries.ts';

const YEAR_MS = 366 * 86_400_000;

export interface Agreed extends Series {
  memberId: string;
  items: AgreedItems | null;
  pay: NewAgreement['pay'];
  validFrom: Date;
  recordedAt: Date;
  /** What counts for the same by then. */
  before: SeriesEntry | undefined;
  effect: FieldEffect;
}

/** What is asked for, with its owner locked, and what it does to what counts. */
export async function prepareAgreement(
  db: Db,
  scope: Scope,
  input: NewAgreement,
  plans: Pick<CommissionsOffers['plans'], 'isPlan'>,
): Promise<Agreed> {
  const { target, targetId, level, pay } = input;
  const [planId, items] = [input.planId ?? null, input.items ?? null];
  await db.rows(lockHistoryForChange(scope));
  const owner = await lockOwner(db, scope, target, targetId);
  if (!owner) throw invalidField('targetId', `is not a ${target} of this tenant and environment`);
  if (planId !== null && !(await plans.isPlan(db, scope, planId))) {
    throw invalidField('planId', 'is not a plan of this tenant and environment');
  }
  const validFrom = input.validFrom == null ? owner.now : new Date(input.validFrom);
  refuseFarAhead(validFrom, owner.now, 'validFrom');
  const series = { target, targetId, planId, level: level ?? 1, itemsKey: keyOf(items) };
  const before = await readSeriesAt(db, scope, series, validFrom);
  return {
    ...series,
    memberId: owner.memberId,
    items,
    pay,
    validFrom,
    recordedAt: owner.now,
    before,
    effect: {
      field: `rateOverrides.${target}.${targetId}.${series.level}.${planId ?? 'any'}.${series.itemsKey.slice(0, 16)}`,
      direction: handsOfPay(pay, before?.pay ?? null),
      before: before?.id ?? 'none',
      shown: { from: before?.pay ?? null, to: { pay, items, validFrom: input.validFrom ?? null } },
    },
  };
}

export async function storeAgreement(
  db: WriteDb,
  scope: ActingScope,
  { effect: _effect, before: _before, ...agreed }: Agreed,
  reason: string | null,
  hands: object,
): Promise<string> {
  const createdBy = actorRef(scope.provenance.actor);
  const id = await insertOverride(db, scope, { ...agreed, reason, createdBy });
  const { target, level, pay } = agreed;
  await tellAndAudit(db, scope, 'agreed', id, { target, level, pay, ...hands });
  return id;
}

/** Without the reason, which is free text. */
export async function tellAndAudit(
  db: WriteDb,
  scope: ActingScope,
  deed: 'agreed' | 'ended',
  objectId: string,
  details: Record<string, unknown>,
): Promise<void> {
  tell(db, scope.provenance, 'rate_override.changed', objectId);
  const action = `rate_override.${deed}`;
  await recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'rate_override', objectId, details });
}

export function refuseFarAhead(at: Date, now: Date, field: string): void {
  if (at.getTime() > now.getTime() + YEAR_MS) throw invalidField(field, 'must be at most a year ahead');
}

/** Equal for the same products, in whatever order; empty for all. */
function keyOf(items: AgreedItems | null): string {
  if (items === null) return '';
  const sorted = (names: readonly string[] = []): string[] => [...new Set(names)].toSorted();
  return createHash('sha256')
    .update(canonicalJson([sorted(items.skus), sorted(items.categories)]))
    .digest('hex');
}
