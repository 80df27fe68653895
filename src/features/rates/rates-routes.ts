import type { Caller } from '../../http/operation.ts';
import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { minorSum } from '../../money.ts';
import type { Climb, LevelRate } from './member-rates.ts';
import { createRateOverride, endRateOverride, getMemberRates, getRateOverride, listRateOverrides } from './rates-operations.ts';
import type { RateOverride } from './rates-queries.ts';
import type { MemberRates, RatesService } from './rates-service.ts';

export function ratesRoutes(rates: RatesService): Route[] {
  return [
    route(
      createRateOverride,
      ({ body, ...context }) => rates.create(context, body),
      ({ warnings, ...override }) => ({
        status: 201,
        body: { ...overrideBody(override), warnings },
        headers: { Location: `/api/v1/rate-overrides/${override.id}` },
      }),
    ),
    route(
      listRateOverrides,
      ({ query, ...context }) => rates.list(context, query),
      camelList((override: RateOverride) => overrideBody(override)),
    ),
    route(
      getRateOverride,
      ({ params, ...context }) => rates.read(context, params.overrideId),
      (override) => ({ status: 200, body: overrideBody(override) }),
    ),
    route(
      endRateOverride,
      ({ params, body, ...context }) => rates.end(context, params.overrideId, body),
      (override) => ({ status: 200, body: overrideBody(override) }),
    ),
    route(
      getMemberRates,
      ({ params, query, ...context }) => rates.ofMember(context, params.userId, query),
      (found, caller) => ({ status: 200, body: ratesBody(found, caller) }),
    ),
  ];
}

function overrideBody(override: RateOverride): RateOverride {
  const { id, target, targetId, userId, planId, level, items, pay, validFrom, validTo, recordedAt, reason, createdBy } = override;
  return { id, target, targetId, userId, planId, level, items, pay, validFrom, validTo, recordedAt, reason, createdBy };
}

function ratesBody({ memberId, at, currency, member, plan, passedOver, levels }: MemberRates, caller: Caller) {
  return {
    userId: memberId,
    at,
    currency,
    group: member.group,
    tier: member.tier,
    ageDays: member.ageDays ?? null,
    plan: plan
      ? { planId: plan.planId, versionId: plan.id, version: plan.version, name: plan.name, mode: plan.definition.mode }
      : null,
    passedOver: caller.member
      ? []
      : passedOver.map(({ plan: { planId, id, name }, why }) => ({ planId, versionId: id, name, reason: why })),
    levels: levels.map((level) => levelBody(level, caller)),
  };
}

function levelBody({ level, own, choice, multiplierMilli, climb, insteadOn }: LevelRate, { member }: Caller) {
  return {
    level,
    source: choice.source,
    id: choice.id,
    pay: choice.pay ?? own,
    multiplierMilli,
    ...(choice.cut && { cutFrom: choice.cut.from }),
    ...(climb && { ladder: climbBody(climb) }),
    insteadOn: insteadOn.map(({ when, ...one }) => ({ ...one, when: member || when === null ? null : { ...when } })),
  };
}

function climbBody({ id, measure, period, sum, step, next }: Climb) {
  return {
    id,
    measure,
    period,
    ...minorSum('sum', sum),
    step,
    next: next && { from: next.from, rateBps: next.rateBps, ...minorSum('missing', next.missing) },
  };
}
