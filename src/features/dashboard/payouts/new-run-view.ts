/** The first step of a run as a document: the choice, and the draft as it would be. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { facts } from '../../../pages/parts/facts.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { money } from '../../../pages/parts/money.ts';
import { table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { createPayoutRun } from '../../payouts/runs/runs-operations.ts';
import { amountOf, counted, totalOf, totalText } from './amounts.ts';
import { drawFreeze, type Freeze } from './freeze-view.ts';
import { REASONS } from './reasons.ts';
import { steps } from './run-steps.ts';

type Plan = AnswerOf<typeof createPayoutRun>;
type Look = Pick<PageContext, 'at' | 'can' | 'opens' | 'form' | 'format' | 'query' | 'tenant'>;

interface Planned {
  plan: Plan;
  names: MemberNames;
}

/** So many rows of what would be drafted are shown: the draft has all of them by pages. */
const SHOWN = 50;

interface NewRunFacts {
  /** Undefined where the role may not see it. */
  freeze: Freeze | undefined;
  planned?: Planned;
}

export function drawNewRun(page: Look, { freeze, planned }: NewRunFacts): PageView {
  return {
    lead: 'Look first: nothing is stored before you draft it, and nothing moves before somebody approves it.',
    crumbs: [{ label: 'Payouts', href: page.at('/payouts') }],
    body: html`${steps(page, undefined, 'choose')}${freeze && drawFreeze(page, freeze)}<div class="stack">${choice(page)}${planned && drawPlan(page, planned)}</div>`,
  };
}

function choice({ at, query, tenant }: Look): Html {
  const currency = query['currency'] || tenant.currency;
  return card({
    title: 'Whom to pay',
    body: html`<form class="form" method="get" action="${at('/payouts/runs/new')}" aria-label="Choose"><div class="field"><label for="run-currency">Currency</label><input id="run-currency" name="currency" type="text" value="${currency}" maxlength="3" required></div><div class="field"><label for="run-cutoff">What had cleared by, in ${tenant.timeZone} <span class="optional">optional</span></label><input id="run-cutoff" name="cutoff" type="datetime-local" value="${query['cutoff'] ?? ''}" aria-describedby="run-cutoff-hint"><p class="hint" id="run-cutoff-hint">Empty: by now. What takes money back counts always.</p></div><div class="form-end"><button class="button" type="submit">Show what would be drafted</button></div></form>`,
  });
}

function drawPlan(page: Look, { plan, names }: Planned): Html {
  const { format, query } = page;
  const { currency, payouts, blocked } = plan;
  const some = plan.payoutCount > 0;
  const cutoff: Record<string, string> = query['cutoff'] ? { cutoff: query['cutoff'] } : {};
  const draft =
    (some || plan.blockedCount > 0) &&
    page.form('draft', {
      hidden: { currency, ...cutoff },
      submit: some
        ? `Draft ${totalText(format, plan, currency)} to ${counted(format, plan.payoutCount, 'member')}`
        : 'Draft it, with nobody to pay',
      tone: some ? 'main' : 'plain',
      note: 'The draft keeps these commissions from other runs until it is executed or cancelled.',
    });
  const about = facts(
    [
      { name: 'In all', value: totalOf(format, plan, currency) },
      { name: 'Would be paid', value: counted(format, plan.payoutCount, 'member') },
      { name: 'Left out', value: counted(format, plan.blockedCount, 'member') },
      { name: 'Cleared by', value: exactTime(format, plan.cutoffAt) },
      plan.minimumPayout !== null && {
        name: 'Minimum',
        value: money(format, plan.minimumPayout.amountMinor, currency),
      },
    ],
    { row: true },
  );
  const list = table<Plan['payouts'][number]>({
    caption: 'Who would be paid',
    rows: payouts.slice(0, SHOWN),
    columns: [
      { title: 'Member', cell: ({ userId }) => html`<bdi class="break">${names.link(userId)}</bdi>` },
      { title: 'Commissions', number: true, secondary: true, cell: ({ commissionCount }) => format.count(commissionCount) },
      { title: 'Amount', number: true, cell: (payout) => amountOf(format, payout, currency) },
    ],
    empty: empty({
      what: 'Who would be paid appears here',
      why:
        plan.blockedCount > 0
          ? 'Everybody to whom something is due is left out, for the reasons below.'
          : `No cleared commission in ${currency} waits to be paid.`,
      level: 3,
    }),
  });
  const left = blocked.length > 0 && drawLeftOut(page, plan, names);
  const more = payouts.length > SHOWN || plan.hasMorePayouts;
  return html`${card({ title: 'The draft as it would be', body: html`${about}${draft && html`<div class="run-deed">${draft}</div>`}` })}${card({ flush: true, title: 'Who would be paid', lead: more ? `The first ${SHOWN}. The draft shows all of them.` : undefined, body: list })}${left}`;
}

function drawLeftOut({ format }: Look, { blocked, currency, blockedCount }: Plan, names: MemberNames): Html {
  return card({
    flush: true,
    title: 'Who would be left out',
    lead: blockedCount > SHOWN ? `The first ${SHOWN} of ${format.count(blockedCount)}.` : undefined,
    body: table<Plan['blocked'][number]>({
      caption: 'Who would be left out',
      rows: blocked.slice(0, SHOWN),
      columns: [
        { title: 'Member', cell: ({ userId }) => html`<bdi class="break">${names.link(userId)}</bdi>` },
        { title: 'Why', secondary: true, cell: ({ reason }) => REASONS[reason].title },
        { title: 'Due', number: true, cell: (member) => amountOf(format, member, currency) },
      ],
      empty: html``,
    }),
  });
}
