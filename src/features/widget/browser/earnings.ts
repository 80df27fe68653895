/** What the member has earned by month and line by line, with the way to each line's explanation. */
import type { EarningLine, Earnings, Explanation } from './answers.ts';
import { drawChart } from './chart.ts';
import { button, type Child, card, chip, empty, freshId, h, pair, put, unitsOf } from './kit.ts';
import { clear, type Look, loaded, moreButton, show } from './look.ts';

interface Wanted {
  currency?: string | undefined;
  month?: string | undefined;
  cursor?: string | undefined;
}

export function draw(panel: HTMLElement, look: Look): void {
  drawOf(panel, look, undefined);
}

function drawOf(panel: HTMLElement, look: Look, currency: string | undefined): void {
  void show(
    panel,
    look,
    () => read(look, { currency }),
    (earnings) => drawEarnings(look, earnings, (other) => drawOf(panel, look, other)),
  );
}

function read({ connection }: Look, wanted: Wanted): Promise<Earnings> {
  const query = new URLSearchParams(Object.entries(wanted).filter((entry): entry is [string, string] => Boolean(entry[1])));
  return connection.get<Earnings>(`/earnings${query.size > 0 ? `?${query}` : ''}`);
}

function drawEarnings(look: Look, earnings: Earnings, onCurrency: (currency: string) => void): Child {
  const { words, format } = look;
  const { currency, currencies = [], total, byStatus, months, lines } = earnings;
  const choice =
    currencies.length > 1 &&
    select(
      words.earnings.currency,
      currencies.map((one) => ({ value: one, text: one })),
      currency,
      onCurrency,
    ).box;
  if (lines.length === 0 && unitsOf(total) === 0n) {
    const toLinks = look.has('links') && button(words.summary.share, () => look.open('links'), { class: 'button primary' });
    return [choice, empty(words.earnings.empty, words.earnings.emptyWhy, toLinks)];
  }

  const list = h('div', { class: 'lines' });
  const drawList = ({ lines, nextCursor }: Earnings, month: string | undefined): Child => {
    if (lines.length === 0) return h('p', { class: 'small' }, words.earnings.emptyMonth);
    const rows = h(
      'ul',
      { class: 'rows' },
      lines.map((line) => drawLine(look, line)),
    );
    const load = async (cursor: string): Promise<{ items: HTMLElement[]; next: string | null }> => {
      const further = await read(look, { currency, month, cursor });
      return { items: further.lines.map((line) => drawLine(look, line)), next: further.nextCursor };
    };
    return [rows, moreButton(look, rows, load, nextCursor)];
  };
  const choose = (month: string): void => {
    filter.select.value = month;
    chart.mark(month);
    const wanted = month || undefined;
    void show(
      list,
      look,
      () => read(look, { currency, month: wanted }),
      (answer) => drawList(answer, wanted),
    );
  };
  const chart = drawChart(look, months, choose);
  const filter = select(
    words.earnings.month,
    [
      { value: '', text: words.earnings.allMonths },
      ...months
        .toReversed()
        .map(({ month, amount }) => ({ value: month, text: `${format.month(month)}: ${format.money(amount)}` })),
    ],
    '',
    choose,
  );
  put(list, drawList(earnings, undefined));
  const parts = (['pending', 'cleared', 'processing', 'paid'] as const).map((part) =>
    h(
      'div',
      { class: `figure ${part}` },
      h('dt', null, words.lineStatus[part]),
      h('dd', { class: 'amount' }, format.money(byStatus[part])),
    ),
  );
  return [
    choice,
    card(
      [words.earnings.total, h('span', { class: 'big' }, format.money(total))],
      h('dl', { class: 'figures tight' }, parts),
      h('h3', null, words.earnings.lastYear),
      chart.element,
    ),
    card(words.earnings.list, filter.box, list),
  ];
}

interface Option {
  value: string;
  text: string;
}

interface Select {
  select: HTMLSelectElement;
  box: HTMLElement;
}

function select(label: string, options: readonly Option[], value: string, onChoose: (value: string) => void): Select {
  const id = freshId();
  const element: HTMLSelectElement = h(
    'select',
    { id, onchange: () => onChoose(element.value) },
    options.map((one) => h('option', { value: one.value, selected: one.value === value }, one.text)),
  );
  return { select: element, box: h('p', { class: 'filter' }, h('label', { for: id }, label), element) };
}

const TINTS = {
  pending: 'waiting',
  held: 'waiting',
  cleared: 'good',
  processing: 'moving',
  paid: 'good',
  reversed: 'neutral',
} as const;

function drawLine(look: Look, line: EarningLine): HTMLElement {
  const { words, format } = look;
  const { id, amount, status, kind, source, level, occurredAt, clearsAt, holdCause } = line;
  const kindWord = words.earnings.kind[kind] ?? kind;
  const from = kind === 'commission' && source === 'subscription' ? words.earnings.renewal : kindWord;
  const day = format.day(occurredAt);
  const isMinus = unitsOf(amount) < 0n;
  const note =
    status === 'held'
      ? (words.earnings.held[holdCause ?? 'manual'] ?? words.earnings.heldAny)
      : status === 'pending' && !isMinus && words.earnings.payableFrom(format.day(clearsAt));
  const below = h('div', { class: 'below', id: freshId() });
  const toggle = h(
    'button',
    { type: 'button', class: 'quiet', 'aria-expanded': 'false', 'aria-controls': below.id, onclick: () => open() },
    words.earnings.why,
    h('span', { class: 'unseen' }, ` ${format.money(amount)}, ${day}`),
  );
  const open = (): void => {
    const isOpen = toggle.getAttribute('aria-expanded') === 'true';
    toggle.setAttribute('aria-expanded', String(!isOpen));
    if (isOpen) clear(below);
    else {
      void show(
        below,
        look,
        async () => {
          const [{ readWhy }, explanation] = await Promise.all([
            loaded(import('./why.ts')),
            look.connection.get<Explanation>(`/earnings/${encodeURIComponent(id)}`),
          ]);
          return readWhy(look, explanation);
        },
        (drawn) => drawn,
      );
    }
  };
  return h(
    'li',
    { class: 'row' },
    pair(
      h(
        'p',
        null,
        h('strong', null, from),
        kind === 'commission' && level > 0 && h('span', { class: 'small' }, ` ${words.earnings.atLevel(level)}`),
      ),
      h('p', { class: isMinus ? 'amount minus' : 'amount' }, format.money(amount)),
    ),
    pair(
      h('p', { class: 'small' }, day, note !== false && ` · ${note}`),
      chip(
        (isMinus ? words.minusStatus : words.lineStatus)[status] ?? status,
        isMinus ? 'neutral' : (TINTS[status] ?? 'neutral'),
      ),
    ),
    toggle,
    below,
  );
}
