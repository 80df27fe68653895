/** What the member has earned, and what stands between it and the next payout. */
import type { Balance, NextPayout, Summary } from './answers.ts';
import { button, type Child, card, chip, difference, empty, h, unitsOf } from './kit.ts';
import { type Look, show } from './look.ts';

export function drawSummary(panel: HTMLElement, look: Look): void {
  void show(
    panel,
    look,
    () => look.connection.get<Summary>('/summary'),
    (summary) => drawAnswer(look, summary),
  );
}

function drawAnswer(look: Look, { asOf, balances, payouts, lastPaid }: Summary): Child {
  const { words, format } = look;
  const { summary } = words;
  const toLinks = look.has('links') && button(summary.share, () => look.open('links'), { class: 'button primary' });
  const earned = balances.every(isNothing)
    ? empty(summary.empty, summary.emptyWhy, toLinks)
    : balances.map((balance) => drawBalance(look, balance, balances.length > 1));
  return [
    earned,
    payouts.map((payout) => drawPayout(look, payout, { several: payouts.length > 1, isFirst: lastPaid === null })),
    h(
      'p',
      { class: 'foot' },
      lastPaid && h('span', null, summary.lastPaid(format.money(lastPaid.amount), format.day(lastPaid.paidAt))),
      h('span', null, summary.asOf(format.time(asOf))),
    ),
  ];
}

const PARTS = ['pending', 'cleared', 'processing', 'paid'] as const;

function isNothing(balance: Balance): boolean {
  return [...PARTS, 'owed' as const].every((part) => unitsOf(balance[part]) === 0n);
}

function drawBalance({ words, format }: Look, balance: Balance, several: boolean): HTMLElement {
  // What is owed is what is cleared below nothing.
  const second = unitsOf(balance.owed) === 0n ? 'cleared' : 'owed';
  const parts = ['pending', second, 'processing', 'paid'] as const;
  const figures = parts.map((part) =>
    h(
      'div',
      { class: `figure ${part}` },
      h('dt', null, words.balance[part]),
      h('dd', { class: 'amount' }, format.money(balance[part])),
      h('dd', { class: 'small' }, words.balanceMeans[part]),
    ),
  );
  const title = several ? words.summary.balancesIn(balance.currency) : words.summary.balances;
  return card(title, h('dl', { class: 'figures' }, figures));
}

const TINTS = { nothing_due: 'neutral', blocked: 'waiting', ready: 'good', in_payout: 'moving' } as const;

function drawPayout(look: Look, payout: NextPayout, { several, isFirst }: { several: boolean; isFirst: boolean }): HTMLElement {
  const { words, format } = look;
  const { summary } = words;
  const { currency, due, state, missing, payout: under } = payout;
  const title = several ? summary.payoutIn(currency) : summary.payout;
  const tint = TINTS[state];
  const amount = format.money(due);
  const isShort = missing[0] === 'BELOW_MINIMUM';
  const box = card(
    [title, chip(summary.state[state], tint)],
    under && h('p', null, summary.payoutStatus[under.status](format.money(under.amount), format.day(under.createdAt))),
    state === 'nothing_due' && !under && h('p', null, summary.nothingDue),
    state === 'ready' && h('p', null, summary.ready(amount)),
    state === 'blocked' && unitsOf(due) > 0n && !(isShort && missing.length === 1) && h('p', null, summary.blocked(amount)),
    state !== 'blocked' && missing.length > 0 && h('p', null, isFirst ? summary.missingFirst : `${summary.missing}:`),
    missing.length > 0 &&
      h(
        'ul',
        { class: 'asks' },
        missing.map((reason) => drawAsk(look, payout, reason)),
      ),
  );
  box.classList.add('payout');
  return box;
}

function drawAsk({ words, format }: Look, { due, minimum }: NextPayout, reason: NextPayout['missing'][number]): HTMLElement {
  const { summary } = words;
  // A reason that this page does not know yet is no reason to show nothing.
  const { what, todo } = summary.ask[reason] ?? summary.ask.HELD;
  if (reason !== 'BELOW_MINIMUM' || !minimum) return h('li', null, h('strong', null, what), h('p', null, todo));
  const share = Math.min(Math.max(Number(due.amount) / Number(minimum.amount) || 0, 0), 1);
  const text = summary.ofMinimum(format.money(due), format.money(minimum));
  return h(
    'li',
    null,
    h('strong', null, what),
    h('p', null, summary.needMore(format.money(difference(minimum, due)), format.money(minimum))),
    h('progress', { max: 1, value: share.toFixed(3), 'aria-label': text }),
    h('p', { class: 'small' }, text),
  );
}
