/** Where a record that was found leads, and what the palette says of it. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import type { searchAll } from '../../overview/search-operations.ts';

export type Found = AnswerOf<typeof searchAll>['data'][number];

/** What is found, as it is shown. */
export interface Hit {
  title: string;
  /** A word for what it is. */
  kind: string;
  /** What tells it from others. */
  note: string;
  state: string;
  /** It was named whole: Enter opens it. */
  exact: boolean;
  /** Null where there is no page that the reader may open. */
  href: string | null;
}

const KINDS: Readonly<Record<Found['kind'], string>> = {
  member: 'Member',
  event: 'Sale',
  commission: 'Commission',
  lead: 'Lead',
  referral_code: 'Code',
  referral_link: 'Link',
  payout_run: 'Payout run',
  payout: 'Payout',
  api_key: 'API key',
};

const OF_EVENTS: Readonly<Record<string, string>> = {
  refund: 'Refund',
  chargeback: 'Dispute',
  commission: 'Commission by hand',
  period: 'Period',
};

export function whereTo(page: Pick<PageContext, 'at' | 'opens'>, found: Found): Hit {
  const { kind, title, subtitle, state, exact } = found;
  const to = pathsOf(found).find((path) => page.opens(path));
  const ofEvent = kind === 'event' ? OF_EVENTS[subtitle ?? ''] : undefined;
  return {
    title,
    kind: ofEvent ?? KINDS[kind],
    note: kind === 'event' ? '' : (subtitle ?? ''),
    state: state.replaceAll('_', ' '),
    exact,
    href: to === undefined ? null : page.at(to),
  };
}

/** Its own page, else that of what it belongs to. */
function pathsOf({ kind, id, userId, eventId }: Found): string[] {
  const member = userId === null ? [] : [`/members/${userId}`];
  const paths: Record<Found['kind'], string[]> = {
    member: [`/members/${id}`],
    event: [`/sales/${id}`],
    commission: [`/commissions/${id}`, ...(eventId === null ? [] : [`/sales/${eventId}`])],
    lead: [`/leads/${id}`, ...member],
    referral_link: [`/links/${id}`, ...member],
    referral_code: member,
    payout_run: [`/payouts/runs/${id}`],
    payout: [`/payouts/${id}`, ...member],
    api_key: [`/keys/${id}`],
  };
  return paths[kind];
}
