/** Exchanges of imports that say something to a reader. */
import type { ExchangeRow } from '../../support/exchanges/record.ts';
import { shopRow } from '../../support/exchanges/shop.ts';

export const importsExchanges: ExchangeRow[] = [
  shopRow('createImport', 201, () => ({
    query: { kind: 'members', mode: 'apply', fileName: 'members.csv' },
    csv: 'email,external_id,name,membership_tier,sponsor_email\nfinn@shop.example,finn,Finn Gray,ORDINARY,ann@shop.example\n',
  })),
];
