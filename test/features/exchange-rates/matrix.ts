/** The access matrix of exchange rates. */
import { cursorOf, cursorReference, type MatrixRow, post } from '../../support/matrix/matrix-row.ts';

const rateOf = () => ({
  sourceCurrency: 'USD',
  targetCurrency: 'JPY',
  numerator: 1495,
  denominator: 1000,
  source: 'Central bank',
});

export const exchangeRateRows: Record<string, MatrixRow> = {
  createExchangeRate: {
    request: () => ({ body: rateOf() }),
    status: 201,
    references: [],
  },
  listExchangeRates: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.cursor',
        async object(world, side) {
          for (let i = 0; i < 2; i++) await post(world, side, '/api/v1/admin/exchange-rates', rateOf());
          return cursorOf(world, side, '/api/v1/admin/exchange-rates?limit=1');
        },
        ...cursorReference,
      },
    ],
  },
};
