/** The list of plans. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago, dateOf } from '../../../pages/parts/time.ts';
import { createCommissionPlan, type listCommissionPlans } from '../../commissions/plans-operations.ts';

type Plans = AnswerOf<typeof listCommissionPlans>;

export function drawPlans(
  page: Pick<PageContext, 'at' | 'can' | 'format' | 'here' | 'query'>,
  { data, nextCursor }: Plans,
): PageView {
  const { at, can, format } = page;
  const list = table<Plans['data'][number]>({
    caption: 'Plans',
    rows: data,
    link: ({ id }) => at(`/plans/${id}`),
    columns: [
      { title: 'Plan', cell: ({ name }) => html`<bdi class="break">${name}</bdi>` },
      {
        title: 'Latest version',
        cell: ({ latestVersion }) =>
          latestVersion === null ? chip('never published', 'waiting') : html`version ${latestVersion}`,
      },
      { title: 'Draft', cell: ({ hasDraft }) => (hasDraft ? 'a draft' : '–') },
      { title: 'Made', secondary: true, cell: ({ createdAt }) => dateOf(format, createdAt) },
      { title: 'Changed', secondary: true, cell: ({ updatedAt }) => ago(format, updatedAt) },
    ],
    empty: empty({
      what: 'Plans that say who is paid what appear here',
      why: 'There is none yet.',
      action: can(createCommissionPlan) && { href: at('/plans/new'), label: 'Make a plan' },
    }),
  });
  return {
    lead: 'A plan says who is paid what. Sales keep the version that was in force when they took place.',
    ...(can(createCommissionPlan) && { actions: html`<a class="button button-main" href="${at('/plans/new')}">New plan</a>` }),
    body: card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` }),
  };
}
