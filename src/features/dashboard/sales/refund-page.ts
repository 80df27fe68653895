/** A refund of a sale: first what each line gives back, then the deed. */
import { definePage } from '../../../pages/define-page.ts';
import { getEvent } from '../../events/events-operations.ts';
import { recordRefund } from '../../events/reversals/reversal-operations.ts';
import { drawRefund } from './refund-view.ts';
import { amountOf, GROUND_NEEDS, GROUND_USES, readGround, recordAsShown, saleIdOf } from './reversal-ground.ts';

export const refundPage = definePage({
  path: '/sales/:eventId/refund',
  title: 'Refund a sale',
  below: '/sales',
  needs: [...GROUND_NEEDS, recordRefund],
  uses: GROUND_USES,
  async get(page) {
    const ground = await readGround(page, ({ currency }) => ({ kind: 'refund', amount_minor: amountOf(page, currency) }));
    return ground ? drawRefund(page, ground) : { redirect: page.at(`/sales/${saleIdOf(page)}`) };
  },
  actions: {
    refund: {
      needs: [recordRefund],
      async run(page, form) {
        const sale = await page.invoke(getEvent, { params: { event_id: saleIdOf(page) } });
        const wanted = { kind: 'refund', amount_minor: form.number('amount_minor') } as const;
        return recordAsShown(page, form, { operation: recordRefund, wanted, sale });
      },
    },
  },
});
