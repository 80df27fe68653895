/** The form of a new plan. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { card } from '../../../pages/parts/card.ts';
import type { listCommissionPlans } from '../../commissions/plans-operations.ts';

export function drawNewPlan(
  page: Pick<PageContext, 'at' | 'form' | 'query'>,
  plans: AnswerOf<typeof listCommissionPlans>['data'],
): PageView {
  const form = page.form('create', {
    fields: [
      { name: 'name', label: 'Name', required: true, maxLength: 200, autocomplete: 'off' },
      {
        name: 'like',
        label: 'Copy of',
        type: 'select',
        value: page.query['like'],
        choices: plans.map(({ id, name }) => ({ value: id, label: name })),
        hint: 'Its draft, else its latest version. Without one it begins as the plan of a new tenant.',
      },
    ],
    submit: 'Make the plan',
  });
  return {
    crumbs: [{ label: 'Plans', href: page.at('/plans') }],
    crumb: 'New',
    lead: 'It pays nothing until it is published.',
    body: card({ body: form }),
  };
}
