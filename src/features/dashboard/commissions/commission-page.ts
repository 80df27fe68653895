/** One commission: how its amount came about, what became of it, and what can be done with it. */
import { invalidField } from '../../../errors.ts';
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import {
  explainCommission,
  getCommission,
  holdCommission,
  releaseCommission,
  voidCommission,
} from '../../commissions/commissions-operations.ts';
import { explainEvent } from '../../events/explain/explain-operations.ts';
import { listMemberLedger } from '../../ledger/ledger-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { drawCommission } from './commission-view.ts';

export const commissionPage = definePage({
  path: '/commissions/:commissionId',
  title: 'Commission',
  below: '/commissions',
  needs: [getCommission, explainCommission],
  uses: [explainEvent, listMembers, listMemberLedger],
  async get(page) {
    const why = await page.invoke(explainCommission, { params: paramsOf(page) });
    const { commission } = why;
    // Of other members the explanation of a line has levels alone; that of its sale tells who stands there.
    const sale = why.derivation && (await page.invokeIfAllowed(explainEvent, { params: { event_id: commission.eventId } }));
    const ids = [commission.userId, ...(sale?.outcomes ?? []).map((outcome) => outcome.user_id)];
    const names = await memberNames(page, ids, (some) =>
      page.invokeIfAllowed(listMembers, { query: { ids: some, limit: '100' } }),
    );
    const standsAt = new Map((sale?.outcomes ?? []).map(({ level, user_id }) => [level, user_id]));
    return drawCommission(page, { why, standsAt, names });
  },
  actions: {
    hold: {
      needs: [holdCommission],
      async run(page, form) {
        await page.invoke(holdCommission, { params: paramsOf(page), body: { reason: reasonOf(form) } });
        return { to: page.here(), said: 'The commission is on hold. It is neither cleared nor paid until it is released.' };
      },
    },
    release: {
      needs: [releaseCommission],
      async run(page, form) {
        const { status } = await page.invoke(releaseCommission, { params: paramsOf(page), body: { reason: reasonOf(form) } });
        const said =
          status === 'held' ? 'It stays on hold: a dispute of the sale is open.' : `The commission is ${status} again.`;
        return { to: page.here(), said };
      },
    },
    void: {
      needs: [voidCommission],
      async run(page, form) {
        await page.invoke(voidCommission, { params: paramsOf(page), body: { reason: reasonOf(form) } });
        return { to: page.here(), said: 'The commission is void. What was left of it is taken back.' };
      },
    },
  },
});

function paramsOf({ params }: Pick<PageContext, 'params'>): { commissionId: string } {
  return { commissionId: params['commissionId'] ?? '' };
}

/** Pages ask for one where the API does not. */
function reasonOf(form: FormValues): string {
  const reason = form.text('reason');
  if (reason === undefined) throw invalidField('reason', 'must say why');
  return reason;
}
