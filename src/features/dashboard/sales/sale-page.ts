/** Why an event paid whom how much. */
import { definePage } from '../../../pages/define-page.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { getEvent, listEvents } from '../../events/events-operations.ts';
import { explainEvent } from '../../events/explain/explain-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { drawSale } from './sale-view.ts';
import type { Explanation, SaleEvent } from './walk-view.ts';

/** So many refunds and stages of disputes of one sale are shown, the latest of them. */
const MOST_BACK = '20';

export const salePage = definePage({
  path: '/sales/:eventId',
  title: 'Sale',
  below: '/sales',
  needs: [getEvent, explainEvent, listEvents],
  uses: [listMembers],
  async get(page) {
    const params = { event_id: page.params['eventId'] ?? '' };
    const [event, why] = await Promise.all([page.invoke(getEvent, { params }), page.invoke(explainEvent, { params })]);
    if (page.query['as'] === 'json') return { json: why };
    const [purchase, taken] = await Promise.all([
      event.purchase ? page.invoke(getEvent, { params: { event_id: event.purchase.event_id } }) : undefined,
      event.kind === 'purchase'
        ? page.invoke(listEvents, { query: { purchase_event_id: event.event_id, sort: '-recorded_at', limit: MOST_BACK } })
        : undefined,
    ]);
    const back = await Promise.all(
      (taken?.data ?? []).toReversed().map(async (one) => ({
        event: one,
        why: await page.invoke(explainEvent, { params: { event_id: one.event_id } }),
      })),
    );
    const ids = [...idsOf(event, why), ...(purchase ? idsOf(purchase) : []), ...back.flatMap((one) => idsOf(one.event, one.why))];
    const names = await memberNames(page, ids, (some) =>
      page.invokeIfAllowed(listMembers, { query: { ids: some, limit: '100' } }),
    );
    return drawSale(page, { event, why, purchase, back, names });
  },
});

/** Of everybody that the page may name. */
function idsOf({ attribution, buyer_user_id, commissions }: SaleEvent, why?: Explanation): (string | null)[] {
  return [
    attribution.user_id,
    buyer_user_id,
    ...commissions.map((line) => line.user_id),
    ...(why?.outcomes ?? []).map((outcome) => outcome.user_id),
    ...(why?.credit?.candidates ?? []).map((candidate) => candidate.user_id),
    ...(why?.journal?.postings ?? []).map((posting) => posting.user_id),
  ];
}
