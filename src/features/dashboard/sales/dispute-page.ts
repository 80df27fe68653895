/** A stage of a dispute about a sale: first what it does to each line, then the deed. */
import { definePage } from '../../../pages/define-page.ts';
import { getEvent } from '../../events/events-operations.ts';
import { recordChargeback } from '../../events/reversals/reversal-operations.ts';
import { drawDispute } from './dispute-view.ts';
import { amountOf, GROUND_NEEDS, GROUND_USES, readGround, recordAsShown, saleIdOf } from './reversal-ground.ts';

export const disputePage = definePage({
  path: '/sales/:eventId/dispute',
  title: 'A dispute about a sale',
  below: '/sales',
  needs: [...GROUND_NEEDS, recordChargeback],
  uses: GROUND_USES,
  async get(page) {
    const ground = await readGround(page, ({ currency }) => {
      const dispute = page.query['dispute']?.trim() ?? '';
      const stage = page.query['stage'] ?? '';
      if (dispute === '' || stage === '') return undefined;
      return { kind: 'chargeback', amount_minor: amountOf(page, currency), dispute_id: dispute, stage };
    });
    return ground ? drawDispute(page, ground) : { redirect: page.at(`/sales/${saleIdOf(page)}`) };
  },
  actions: {
    dispute: {
      needs: [recordChargeback],
      async run(page, form) {
        const sale = await page.invoke(getEvent, { params: { event_id: saleIdOf(page) } });
        const wanted = {
          kind: 'chargeback',
          amount_minor: form.number('amount_minor'),
          dispute_id: form.text('dispute_id'),
          stage: form.text('stage'),
        } as const;
        return recordAsShown(page, form, { operation: recordChargeback, wanted, sale });
      },
    },
  },
});
