/** A receipt of an attribution as a document. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { drawCandidates, ruleInWords } from '../../../pages/parts/candidates.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip, label } from '../../../pages/parts/chips.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { getReceipt } from '../../attribution/receipts-operations.ts';

type Receipt = AnswerOf<typeof getReceipt>;
type Look = Pick<PageContext, 'at' | 'can' | 'format'>;

export function drawAttribution(page: Look, { receipt, names }: { receipt: Receipt; names: MemberNames }): PageView {
  const { format } = page;
  const won = receipt.user_id === null ? 'Nobody' : html`<bdi>${names.link(receipt.user_id)}</bdi>`;
  const clicks = receipt.model === 'first_click' ? 'the first counts' : 'the last counts';
  const top = facts(
    [
      { name: 'Credited', value: won },
      { name: 'By', value: label(ruleInWords(receipt.rule)) },
      { name: 'Of', value: subject(page, receipt, names) },
      { name: 'As of', value: exactTime(format, receipt.as_of) },
      {
        name: 'Decided again now',
        value: receipt.decided_again ? chip('The same', 'good') : chip('Otherwise', 'bad'),
      },
    ],
    { row: true },
  );
  return {
    crumbs: [way(page, receipt)],
    crumb: id(receipt.id),
    body: html`${card({ body: top })}${card({
      title: 'Who was considered',
      lead: `In the order of attribution. Clicks count for ${receipt.window_days} days; of several ${clicks}.`,
      body: drawCandidates(page, { candidates: receipt.candidates, names }),
    })}`,
  };
}

/** The list that it is come to by. */
function way({ at }: Look, { event_id, lead_id }: Receipt): { label: string; href: string } {
  if (event_id !== null) return { label: 'Sales', href: at('/sales') };
  return lead_id === null ? { label: 'Members', href: at('/members') } : { label: 'Leads', href: at('/leads') };
}

function subject({ at, can }: Look, { event_id, lead_id, placed_user_id }: Receipt, names: MemberNames): Html {
  if (event_id !== null)
    return can('events:read') ? html`<a href="${at(`/sales/${event_id}`)}">a sale</a>` : html`a sale ${id(event_id)}`;
  if (lead_id !== null) return can('leads:read') ? html`<a href="${at(`/leads/${lead_id}`)}">a lead</a>` : html`a lead`;
  return html`the sign-up of <bdi>${names.link(placed_user_id)}</bdi>`;
}
