/** Exchanges of leads that say something to a reader. */
import type { ExchangeRow } from '../../support/exchanges/record.ts';
import { shopRow } from '../../support/exchanges/shop.ts';

const lea = {
  email: 'lea@shop.example',
  name: 'Lea Brown',
  referral_code: 'ANN',
  source: 'spring page',
  utm_source: 'newsletter',
};

export const leadsExchanges: ExchangeRow[] = [
  shopRow('captureLead', 201, () => ({ body: lea })),
  shopRow('captureLead', 200, () => ({ body: lea })),
  shopRow('updateLead', 200, async ({ client }) => {
    const [{ id }] = (await client.get('/api/v1/leads')).body.data as [{ id: string }];
    return { path: { lead_id: id }, body: { conversion_status: 'qualified', phone: '+1 617 555 0100' } };
  }),
];
