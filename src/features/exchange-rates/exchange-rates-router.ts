import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { toJsonInteger } from '../../money.ts';
import { createExchangeRate, type ExchangeRateAnswer, listExchangeRates } from './exchange-rates-operations.ts';
import type { ExchangeRate } from './exchange-rates-queries.ts';
import type { ExchangeRatesService } from './exchange-rates-service.ts';

export function mountExchangeRates(router: Router, mount: Mount, rates: ExchangeRatesService): void {
  mount(
    router,
    createExchangeRate,
    ({ body, ...context }) => rates.recordRate(context, body),
    (rate) => ({ status: 201, body: rateBody(rate) }),
  );
  mount(
    router,
    listExchangeRates,
    ({ query, ...context }) => rates.listRates(context, query),
    ({ rows, nextCursor }) => ({ status: 200, body: { data: rows.map(rateBody), hasMore: nextCursor !== null, nextCursor } }),
  );
}

function rateBody(rate: ExchangeRate): ExchangeRateAnswer {
  return { ...rate, numerator: toJsonInteger(rate.numerator), denominator: toJsonInteger(rate.denominator) };
}
