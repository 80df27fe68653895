/** What happens in business and moves money: purchases, what reverses them, commissions by hand, and why. */
import { z } from 'zod';
import type { Db, Scope } from '../../db/scope.ts';
import { defineFeature } from '../../house/feature.ts';
import type { AttributionService } from '../attribution/attribution-service.ts';
import type { CommissionsOffers } from '../commissions/commissions-feature.ts';
import type { ExchangeRatesService } from '../exchange-rates/exchange-rates-service.ts';
import { rollupsBeingBegun } from '../genealogy/open/recording-sql.ts';
import { rollupsInAnotherZone } from '../genealogy/open/rollup-zones.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import { createContentDigester } from './content-digest.ts';
import { lockDebts } from './debts/lock-debts.ts';
import { WRITE_OFF_BATCH } from './debts/write-off-debts.ts';
import { eventsEvents } from './events-events.ts';
import { eventsPersonal } from './events-personal.ts';
import { eventsRoutes } from './events-routes.ts';
import { createEventsService, type EventsService } from './events-service.ts';
import type { ChainMember } from './open/chain-member.ts';
import type { DebtLocks } from './open/debt-locks.ts';
import { eventsErrors } from './open/events-errors.ts';
import { type BatchService, createBatchService } from './purchases/batch-service.ts';
import { COALESCING } from './purchases/coalesce/coalesce-purchases.ts';
import { soldBefore } from './purchases/sold-before.ts';
import { readUplineAsOf } from './purchases/upline-as-of-queries.ts';
import { quotesRoutes } from './quotes/quote-routes.ts';
import { createQuoteService } from './quotes/quote-service.ts';
import { FOLD_BATCH, foldSales } from './sales-sums/fold-sales.ts';
import { salesAudits } from './sales-sums/sales-audits.ts';
import { salesCommands } from './sales-sums/sales-commands.ts';
import { SETTLE_BATCH } from './settling/settle-ladders.ts';

export interface EventsOffers {
  events: EventsService;
  batches: BatchService;
  debts: DebtLocks;
  /** What members have sold before an instant, as far as the plan asks for it. Not for a frame of a member's own call. */
  soldBefore: typeof soldBefore;
  /** A member as sales of an instant would find it; undefined where there is none. */
  memberAt(db: Db, scope: Scope, memberId: string, at: Date): Promise<ChainMember | undefined>;
}

interface Needs {
  attribution: AttributionService;
  commissions: CommissionsOffers;
  exchangeRates: ExchangeRatesService;
  pendingChanges: PendingChangesOffers;
}

export const eventsFeature = defineFeature({
  name: 'events',
  events: eventsEvents,
  errors: eventsErrors,
  personal: eventsPersonal,
  commands: salesCommands,
  audits: salesAudits,
  scopes: {
    'events:read': 'Read events and their explanations',
    'events:write': 'Record purchases, refunds and chargebacks',
    'commissions:grant': 'Credit and charge members by hand',
  },
  groups: {
    Events:
      'Purchases, refunds, chargebacks, manual commissions and what the service gives for periods, each with the commissions that it made',
  },
  faultPoints: [
    'purchase:decided',
    'purchase:written',
    'purchases:decided',
    'purchases:written',
    'reversal:decided',
    'reversal:written',
    'write-off:written',
    'period:written',
    'ladders:settled',
  ],
  env: {
    PURCHASE_COALESCING: z
      .enum(COALESCING)
      .default('on')
      .describe('Purchases of a tenant that come at once share a transaction; off: never; always: for tests'),
  },
  growsWith: 'lines',
  tables: ['event_detail', 'event', 'customer', 'sales_pending', 'sales_day', 'sales_year', 'ladder_settlement'],
  due: {
    'write-off-debts': [{ table: 'commission_line', where: "status = 'cleared'", at: 'write_off_at', clock: 'scope' }],
    'settle-ladders': [{ table: 'ladder_settlement', at: 'due_at', clock: 'scope' }],
    'fold-sales': [{ table: 'sales_pending' }, { select: rollupsInAnotherZone('sales') }, { select: rollupsBeingBegun('sales') }],
  },
  open(
    { frames, cursors, pepper, house, logger, env },
    { attribution, commissions, exchangeRates, pendingChanges: { holdBack, refuseToWait } }: Needs,
  ) {
    const { plans, lines } = commissions;
    const { readRates } = exchangeRates;
    const digester = createContentDigester(pepper);
    const events = createEventsService({
      frames,
      attribution,
      plans,
      cursors,
      digester,
      lines,
      readRates,
      holdBack,
      logger,
      coalescing: env.PURCHASE_COALESCING,
    });
    const batches = createBatchService({ frames, events, constraints: house.constraints, refuseToWait });
    const quotes = createQuoteService({ frames, attribution, readRates, parsePlan: plans.parse });
    return {
      offers: {
        events,
        batches,
        debts: { lock: lockDebts },
        soldBefore,
        memberAt: async (db, scope, memberId, at) => (await readUplineAsOf(db, scope, memberId, at, 1))[0],
      } satisfies EventsOffers,
      routes: [...eventsRoutes({ events, batches }), ...quotesRoutes(quotes)],
      sweeps: [
        { name: 'write-off-debts', batchSize: WRITE_OFF_BATCH, run: events.writeOffDue },
        { name: 'settle-ladders', batchSize: SETTLE_BATCH, run: events.settleLadders },
        { name: 'fold-sales', batchSize: FOLD_BATCH, last: true, run: foldSales },
      ],
    };
  },
});
