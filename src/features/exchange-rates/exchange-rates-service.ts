/** Exchange rates: recorded, never changed, read as of a sale. Source: docs/specification/commissions.md#rates. */
import type { z } from 'zod';
import { actorRef } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { invalidField } from '../../errors.ts';
import type { FieldEffect } from '../../http/held-back.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { Rate } from '../commissions/open/price-shares.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import type { createExchangeRate, listExchangeRates } from './exchange-rates-operations.ts';
import { type ExchangeRate, findRatesAt, insertRate, listRates } from './exchange-rates-queries.ts';
import { handsOfRate, type Ratio } from './judge-rate.ts';
import { lockRateGround, type ReadGround } from './rate-ground-queries.ts';

type Create = z.output<(typeof createExchangeRate)['body'] & {}>;
type List = z.output<(typeof listExchangeRates)['query'] & {}>;

export interface ExchangeRatesService {
  /** One that is backdated, or far from what counts, may wait for another pair of hands. */
  recordRate(context: CallContext, input: Create): Promise<ExchangeRate>;
  listRates(context: RequestContext, query: List): Promise<Page<ExchangeRate>>;
  /**
   * By target currency the rate in force at `at`, in one statement inside the caller's transaction: the
   * latest by effective_at, of equal ones the last recorded. A target without a rate is left out.
   */
  readRates(
    db: Db,
    scope: Scope,
    sourceCurrency: string,
    targetCurrencies: readonly string[],
    at: Date,
  ): Promise<ReadonlyMap<string, Rate>>;
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  holdBack: PendingChangesOffers['holdBack'];
}

export function createExchangeRatesService({ frames, cursors, holdBack }: Deps): ExchangeRatesService {
  return {
    async recordRate(context, input) {
      const { scope, guard, shape } = context;
      const wanted = { ...input, effectiveAt: input.effectiveAt ?? null };
      return frames.write(
        scope,
        async (db) => {
          const createdBy = actorRef(scope.provenance.actor);
          const ground = await lockRateGround(db, scope, wanted);
          const rate = await insertRate(db, scope, { ...wanted, createdBy });
          if (!rate) throw invalidField('effectiveAt', 'must be at most a year ahead');
          // Nothing of the above is left where it throws.
          const hands = await holdBack(db, context, [effectOf(wanted, rate, ground)]);
          // Without the source, which is free text.
          const { id, sourceCurrency, targetCurrency, numerator, denominator, effectiveAt } = rate;
          await recordAudit(db, scope, {
            action: 'exchange_rate.recorded',
            by: scope.provenance,
            objectKind: 'exchange_rate',
            objectId: id,
            details: {
              sourceCurrency,
              targetCurrency,
              numerator: `${numerator}`,
              denominator: `${denominator}`,
              effectiveAt,
              ...hands,
            },
          });
          return rate;
        },
        { guard, shape },
      );
    },

    async listRates({ scope }, { limit, cursor, sourceCurrency, targetCurrency }) {
      const filters = { sourceCurrency, targetCurrency };
      const identity = { scope, operationId: 'listExchangeRates', filters };
      const afterId = cursors.open(cursor, identity);
      const rows = await frames.read(scope, (db) => listRates(db, scope, filters, afterId, limit + 1));
      return cursors.page(rows, limit, identity, (rate) => rate.id);
    },

    async readRates(db, scope, sourceCurrency, targetCurrencies, at) {
      const rows = await findRatesAt(db, scope, sourceCurrency, targetCurrencies, at);
      return new Map(rows.map(({ targetCurrency, ...rate }) => [targetCurrency, rate]));
    },
  };
}

/** The rate of the pair that counts at the instant, and the one that is to count. */
function effectOf(wanted: { effectiveAt: string | null }, rate: ExchangeRate, ground: ReadGround): FieldEffect {
  const { sourceCurrency, targetCurrency } = rate;
  const { inForce } = ground;
  return {
    field: `exchangeRates.${sourceCurrency}.${targetCurrency}`,
    direction: handsOfRate(rate, ground),
    before: inForce?.id ?? 'none',
    shown: {
      from: inForce && ratioOf(inForce),
      to: { ...ratioOf(rate), effectiveAt: wanted.effectiveAt },
    },
  };
}

const ratioOf = ({ numerator, denominator }: Ratio) => ({ numerator: `${numerator}`, denominator: `${denominator}` });
