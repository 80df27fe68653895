/** The statements of the operations of exchange rates. */
import { read, type StatementRow, write } from '../../support/statements/statement-row.ts';

const ratesPath = '/api/v1/admin/exchange-rates';

export const exchangeRateStatements: StatementRow[] = [
  [
    'createExchangeRate',
    ({ client }) =>
      client.post(ratesPath, { sourceCurrency: 'USD', targetCurrency: 'JPY', numerator: 3, denominator: 2, source: 'Bank' }),
    201,
    write(
      'exchange_rates_lock_pair',
      'exchange_rates_ground',
      'exchange_rates_insert',
      'pending_changes_lock_of_fields',
      'audit_insert',
    ),
  ],
  ['listExchangeRates of 100', ({ client }) => client.get(`${ratesPath}?limit=100`), 200, read('built')],
];
