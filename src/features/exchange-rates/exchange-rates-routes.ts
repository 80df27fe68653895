import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { toJsonInteger } from '../../money.ts';
import { createExchangeRate, type ExchangeRateAnswer, listExchangeRates } from './exchange-rates-operations.ts';
import type { ExchangeRate } from './exchange-rates-queries.ts';
import type { ExchangeRatesService } from './exchange-rates-service.ts';

export function exchangeRatesRoutes(rates: ExchangeRatesService): Route[] {
  return [
    route(
      createExchangeRate,
      ({ body, ...context }) => rates.recordRate(context, body),
      (rate) => ({ status: 201, body: rateBody(rate) }),
    ),
    route(listExchangeRates, ({ query, ...context }) => rates.listRates(context, query), camelList(rateBody)),
  ];
}

function rateBody(rate: ExchangeRate): ExchangeRateAnswer {
  return { ...rate, numerator: toJsonInteger(rate.numerator), denominator: toJsonInteger(rate.denominator) };
}
