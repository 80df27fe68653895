/** Rates that are agreed with members, for themselves or for their links and codes: docs/specification/rates.md#overrides. */
import type { z } from 'zod';
import { actorRef } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { ActingContext, CallContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import type { CommissionsOffers } from '../commissions/commissions-feature.ts';
import { choosePlan, type PassedOver } from '../commissions/open/choose-plan.ts';
import { salesAsked } from '../commissions/open/choose-rate.ts';
import type { PlanDefinition } from '../commissions/open/plan-definition.ts';
import type { EventsOffers } from '../events/events-feature.ts';
import type { ChainMember } from '../events/open/chain-member.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import { prepareAgreement, refuseFarAhead, storeAgreement, tellAndAudit } from './agree.ts';
import { type RateWarning, warnOfOverride } from './judge-override.ts';
import { type LevelRate, ratesOf } from './member-rates.ts';
import type { NewAgreement } from './open/override-body.ts';
import type { endRateOverride, getMemberRates, listRateOverrides } from './rates-operations.ts';
import {
  insertOverride,
  listOverrides,
  lockHistoryForChange,
  lockOwner,
  overrideStatement,
  type RateOverride,
  readAgreedOf,
  readNow,
  readSeriesAt,
} from './rates-queries.ts';

type Plans = CommissionsOffers['plans'];
type PlanInForce = Awaited<ReturnType<Plans['listInForce']>>[number];

export interface RatesService {
  /** 400 for an unknown target or plan, and for a start too far ahead. One that raises what counts may wait. */
  create(context: CallContext, input: NewAgreement): Promise<RateOverride & { warnings: RateWarning[] }>;
  list(context: RequestContext, query: z.output<(typeof listRateOverrides)['query'] & {}>): Promise<Page<RateOverride>>;
  /** NOT_FOUND. */
  read(context: RequestContext, id: string): Promise<RateOverride>;
  /** What a member earns at an instant. USER_NOT_FOUND; 400 for a plan that is not in force then. */
  ofMember(
    context: RequestContext,
    memberId: string,
    query: z.output<(typeof getMemberRates)['query'] & {}>,
  ): Promise<MemberRates>;
  /** NOT_FOUND; STATE_CONFLICT where it does not count at that time. */
  end(context: ActingContext, id: string, input: z.output<(typeof endRateOverride)['body'] & {}>): Promise<RateOverride>;
}

export interface MemberRates {
  memberId: string;
  at: Date;
  currency: string;
  member: ChainMember;
  plan: PlanInForce | undefined;
  passedOver: { plan: PlanInForce; why: PassedOver }[];
  levels: LevelRate[];
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  plans: Pick<Plans, 'listInForce' | 'isPlan'>;
  memberAt: EventsOffers['memberAt'];
  soldBefore: EventsOffers['soldBefore'];
  holdBack: PendingChangesOffers['holdBack'];
}

export function createRatesService({ frames, cursors, plans, memberAt, soldBefore, holdBack }: Deps): RatesService {
  /** In a frame of its own: in a member's own call the sales that pay it nothing are hidden. */
  async function soldBy(
    { tenantId, environment }: Scope,
    plan: PlanDefinition,
    { memberId: id, at, currency }: Pick<MemberRates, 'memberId' | 'at' | 'currency'>,
  ) {
    if (salesAsked(plan).length === 0) return undefined;
    const whole = { tenantId, environment };
    const sold = await frames.read(whole, (db) => soldBefore(db, whole, { plan, upline: [{ id }], at, currency }));
    return sold.get(id);
  }

  return {
    create: (context, input) =>
      frames.write(
        context.scope,
        async (db) => {
          const { scope } = context;
          const agreed = await prepareAgreement(db, scope, input, plans);
          const hands = await holdBack(db, context, [agreed.effect]);
          const id = await storeAgreement(db, scope, agreed, input.reason ?? null, hands);
          const override = await find(db, scope, id);
          const inForce = await plans.listInForce(db, scope, override.validFrom);
          return { ...override, warnings: warnOfOverride(override, inForce) };
        },
        { guard: context.guard, shape: context.shape },
      ),

    async list({ scope }, { limit, cursor, userId, target, targetId, planId, at }) {
      const filters = { userId, target, targetId, planId, at };
      const identity = { scope, operationId: 'listRateOverrides', filters };
      const afterId = cursors.open(cursor, identity);
      const rows = await frames.read(scope, (db) => listOverrides(db, scope, filters, afterId, limit + 1));
      return cursors.page(rows, limit, identity, ({ id }) => id);
    },

    async ofMember({ scope }, memberId, { at, planId, currency }) {
      const { plan, agreed, ...found } = await frames.read(scope, async (db) => {
        const known = await readNow(db, scope);
        const instant = at === undefined ? known.now : new Date(at);
        const [member, inForce] = await Promise.all([
          memberAt(db, scope, memberId, instant),
          plans.listInForce(db, scope, instant),
        ]);
        if (!member) throw new AppError('USER_NOT_FOUND', 'No such member');
        const { plan: chosen, passedOver } = choosePlan(inForce, { type: 'one_time', lineItems: [], group: member.group });
        const asked = planId === undefined ? chosen : inForce.find((one) => one.planId === planId);
        if (planId !== undefined && !asked) throw invalidField('planId', 'is not a plan in force at that time');
        return {
          memberId,
          at: instant,
          currency: currency ?? known.currency,
          member,
          plan: asked,
          passedOver: planId === undefined ? passedOver : [],
          agreed: asked && member.hasOverride ? await readAgreedOf(db, scope, memberId, instant, asked.planId) : [],
        };
      });
      if (!plan) return { ...found, plan, levels: [] };
      const sold = await soldBy(scope, plan.definition, found);
      return { ...found, plan, levels: ratesOf(plan.definition, { ...found.member, ...sold }, agreed, found.currency) };
    },

    async read({ scope }, id) {
      const [override] = await frames.readOnce(scope, overrideStatement(scope, { id }));
      if (!override) throw unknownOverride();
      return override;
    },

    end: ({ scope, guard, shape }, id, { at, reason }) =>
      frames.write(
        scope,
        async (db) => {
          await db.rows(lockHistoryForChange(scope));
          const known = await db.row(overrideStatement(scope, { id }));
          const owner = known && (await lockOwner(db, scope, known.target, known.targetId));
          if (!owner) throw unknownOverride();
          const from = at == null ? owner.now : new Date(at);
          if (at != null && from < known.validFrom) throw invalidField('at', 'must not be before the override counts');
          refuseFarAhead(from, owner.now, 'at');
          const counts = await readSeriesAt(db, scope, known, from);
          if (counts?.id !== id)
            throw new AppError('STATE_CONFLICT', 'The override does not count then: it was ended, or replaced');
          const createdBy = actorRef(scope.provenance.actor);
          const { target, targetId, planId, level, items, itemsKey, userId: memberId } = known;
          const series = { target, targetId, planId, level, itemsKey };
          const ended = {
            ...series,
            memberId,
            items,
            pay: null,
            validFrom: from,
            recordedAt: owner.now,
            reason: reason ?? null,
            createdBy,
          };
          await insertOverride(db, scope, ended);
          await tellAndAudit(db, scope, 'ended', id, { target, level });
          return find(db, scope, id);
        },
        { guard, shape },
      ),
  };
}

async function find(db: Db, scope: Scope, id: string): Promise<RateOverride> {
  const override = await db.row(overrideStatement(scope, { id }));
  if (!override) throw unknownOverride();
  return override;
}

const unknownOverride = () => new AppError('NOT_FOUND', 'No such override');
