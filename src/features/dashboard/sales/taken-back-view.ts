/**
 * What a refund or a stage of a dispute did, as the column of the sale: each line with what it gives back, what the
 * company forgives, and what was put on hold. Source: docs/specification/pages.md#explain.
 */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { exactMajor } from '../../../pages/parts/exact.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { money } from '../../../pages/parts/money.ts';
import { dash, distance, rung } from '../../../pages/parts/rungs.ts';
import { type Explanation, type SaleEvent, sentence } from './walk-view.ts';

type Reversal = NonNullable<Explanation['reversal']>;

/** What a refund or a stage did, or would do. */
export interface TakenBack {
  kind: string;
  stage: string | null;
  amount_minor: number;
  currency: string;
  reversal: Reversal;
  /** The lines that it made, by the line they are about; of one that is only looked at they have no id. */
  made: readonly { id: string | null; reverses_commission_id: string | null; kind: string }[];
  /** The lines of the sale. */
  of: readonly Pick<SaleEvent['commissions'][number], 'id' | 'user_id' | 'amount_minor' | 'currency' | 'level'>[];
  names: MemberNames;
}

type Look = Pick<PageContext, 'at' | 'can' | 'format'>;

export function drawTakenBack(page: Look, back: TakenBack, head?: Drawn): Html {
  const { reversal } = back;
  const lines = reversal.lines.map((line) => lineRung(page, back, line));
  const none =
    reversal.lines.length === 0 && rung('rung-unpaid', dash, html`<p class="rung-why">No commission changes by it.</p>`);
  return html`<ol class="rungs">${firstRung(page, back, head)}${lines}${none}${movedRung(back)}${forgivenRungs(page, back)}${recoveredRungs(page, back)}</ol>`;
}

const KINDS: Readonly<Record<string, string>> = {
  purchase: 'Sale',
  refund: 'Refund',
  commission: 'Commission by hand',
  period: 'Period',
};

/** "Sale", "Refund", "Dispute lost". */
export function whatHappened({ kind, stage }: { kind: string; stage: string | null }): string {
  if (kind === 'chargeback') return `Dispute ${stage ?? ''}`.trim();
  return KINDS[kind] ?? kind;
}

function firstRung({ format }: Look, back: TakenBack, head: Drawn): Html {
  const { currency, reversal } = back;
  const amount = (minor: number): string => format.money(minor, currency);
  const { refunded_before_minor: before, refunded_after_minor: after, purchase_minor: paid } = reversal;
  const text =
    before === after
      ? `${amount(after)} of ${amount(paid)} is taken back, as before`
      : `${amount(before)} was taken back before, ${amount(after)} of ${amount(paid)} is now`;
  return rung(
    'rung-stop',
    html`<span aria-hidden="true">↩</span>`,
    html`<p class="rung-name">${whatHappened(back)} of ${amount(back.amount_minor)}</p>${head && html`<p class="rung-why">${head}</p>`}<p class="rung-why">${sentence(text)}</p>`,
  );
}

function lineRung(page: Look, back: TakenBack, line: Reversal['lines'][number]): Html {
  const { of, made, names, reversal } = back;
  const { format } = page;
  const original = of.find(({ id }) => id === line.commission_id);
  const currency = original?.currency ?? back.currency;
  const amount = (minor: number): string => format.money(minor, currency);
  const share = `${format.money(reversal.refunded_after_minor, back.currency)} of ${format.money(reversal.purchase_minor, back.currency)}`;
  const exact = exactMajor(line.exact, currency);
  const inAll = line.reversed_in_all_minor;
  const before = line.reversed_before_minor === 0 ? '' : `, ${amount(line.reversed_before_minor)} of it before`;
  const becomes = made.find(({ reverses_commission_id: id }) => id === line.commission_id);
  const href = becomes?.id != null && page.can('commissions:read') ? page.at(`/commissions/${becomes.id}`) : undefined;
  const why = html`The share ${share} of ${amount(line.amount_minor)} = ${exact}: ${amount(inAll)} in all${before}${becomes && html` (${becomes.kind})`}`;
  const who = original ? html`<bdi>${names.link(original.user_id)}</bdi>` : html`A line of the sale`;
  return rung(
    'rung-back',
    original ? distance(original.level) : dash,
    html`<p class="rung-name">${who}</p><div class="rung-share"><p class="rung-why">${why}</p><div class="rung-money">${money(format, line.posted_minor, currency, href)}</div></div>`,
  );
}

function movedRung({ reversal, stage }: TakenBack): Html | undefined {
  const moved = reversal.moved_commission_ids.length;
  if (moved === 0) return undefined;
  const lines = moved === 1 ? 'One unpaid line' : `${moved} unpaid lines`;
  const text = stage === 'opened' ? `${lines} put on hold` : `${lines} released from the hold`;
  return rung('rung-unpaid', html`<span aria-hidden="true">❚❚</span>`, html`<p class="rung-why">${text}.</p>`);
}

function forgivenRungs({ format }: Look, { reversal, names }: TakenBack): Html[] {
  return reversal.forgiven.map(({ user_id, currency, amount_minor, floor_minor }) =>
    rung(
      'rung-unpaid',
      dash,
      html`<p class="rung-name"><bdi>${names.link(user_id)}</bdi></p><div class="rung-share"><p class="rung-why">Need not pay this back: by the plan of the sale a member may owe ${floor_minor === null ? 'nothing' : `no more than ${format.money(floor_minor, currency)}`}. The company bears it.</p><div class="rung-money">${money(format, amount_minor, currency)}</div></div>`,
    ),
  );
}

function recoveredRungs({ format }: Look, { reversal, names }: TakenBack): Html[] {
  return reversal.recovered.map(({ user_id, currency, amount_minor }) =>
    rung(
      'rung-unpaid',
      dash,
      html`<p class="rung-name"><bdi>${names.link(user_id)}</bdi></p><div class="rung-share"><p class="rung-why">Was forgiven before, and is taken back of what is reinstated.</p><div class="rung-money">${money(format, amount_minor, currency)}</div></div>`,
    ),
  );
}
