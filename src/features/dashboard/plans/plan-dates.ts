/** When versions of a plan are in force, as words and chips. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { chip } from '../../../pages/parts/chips.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { getCommissionPlan } from '../../commissions/plans-operations.ts';

export type Plan = AnswerOf<typeof getCommissionPlan>;
export type Version = Plan['versions'][number];

/** The version that pays sales of this moment; undefined where none does. */
export function versionInForce({ versions }: Pick<Plan, 'versions'>, now: Date): Version | undefined {
  const begun = versions.filter(({ effectiveFrom }) => effectiveFrom === null || new Date(effectiveFrom) <= now);
  const [latest] = begun.toSorted((a, b) => startOf(b) - startOf(a) || b.version - a.version);
  return latest && (latest.effectiveTo === null || new Date(latest.effectiveTo) > now) ? latest : undefined;
}

/** The version in force and those that begin later, the next first; none that has ended. */
export function versionsToCome(plan: Pick<Plan, 'versions'>, now: Date): Version[] {
  const current = versionInForce(plan, now);
  const later = plan.versions.filter((version) => startOf(version) > now.getTime());
  return [...(current ? [current] : []), ...later.toSorted((a, b) => startOf(a) - startOf(b) || a.version - b.version)];
}

const startOf = ({ effectiveFrom }: Version): number => (effectiveFrom === null ? -Infinity : new Date(effectiveFrom).getTime());

export function stateOfVersion(plan: Pick<Plan, 'versions'>, version: Version, now: Date): Html {
  if (versionInForce(plan, now)?.id === version.id) return chip('in force', 'good');
  return startOf(version) > now.getTime() ? chip('later', 'waiting') : chip('past', 'neutral');
}

export function fromWhen({ format }: Pick<PageContext, 'format'>, { effectiveFrom }: Pick<Version, 'effectiveFrom'>): Html {
  return effectiveFrom === null ? html`the beginning` : exactTime(format, effectiveFrom);
}
