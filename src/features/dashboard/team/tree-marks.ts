/** What is marked beside the rows of the tree, by choice. Source: docs/specification/pages.md#tree. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { drawnName } from '../../../pages/parts/member-name.ts';
import { minorOfMajor, money } from '../../../pages/parts/money.ts';
import type { TreeNode } from './tree-node.ts';

type Page = Pick<PageContext, 'at' | 'query' | 'format' | 'can'>;

type Mark = '' | 'share' | 'inactive' | 'commissions' | 'tier';

const MARKS: readonly { mark: Mark; label: string; needs?: `${string}:${string}` }[] = [
  { mark: '', label: 'Nothing' },
  { mark: 'share', label: 'Share of the team above' },
  { mark: 'inactive', label: 'Inactive share' },
  { mark: 'commissions', label: 'Commissions this month', needs: 'commissions:read' },
  { mark: 'tier', label: 'Tier' },
];

/** Those that the reader may choose, as pairs of value and word. */
export function marksFor({ can }: Pick<Page, 'can'>): [string, string][] {
  return MARKS.flatMap(({ mark, label, needs }) =>
    needs === undefined || can(needs) ? [[mark, label] as [string, string]] : [],
  );
}

/** The mark in the address; nothing where there is no such mark for the reader. */
export function markOf({ query, can }: Pick<Page, 'query' | 'can'>): Mark {
  const found = MARKS.find(({ mark }) => mark === query['mark']);
  return found === undefined || (found.needs !== undefined && !can(found.needs)) ? '' : found.mark;
}

export interface DrawnMark {
  /** In the cell of the downline, in front of its figure: a bar, and words for whoever does not see it. */
  bar?: Html;
  /** On a narrow screen, below the name. */
  note?: Html;
}

/** A mark that is a share of others; nothing where there are none of whom it could be one, or they are not known. */
export function drawShareMark(page: Page, node: TreeNode, ofTotal: number | undefined): DrawnMark {
  const { totalDownline: total, activeDownline: active } = node;
  const { format } = page;
  switch (markOf(page)) {
    case 'share': {
      if (ofTotal === undefined || ofTotal === 0 || total === 0) return {};
      const share = Math.round(((total + 1) / ofTotal) * 1_000) / 1_000;
      const words = `${format.percent(share)} of the team above`;
      return { bar: drawBar({ share, words, tint: 'accent' }), note: html`<span class="muted">${words}</span>` };
    }
    case 'inactive': {
      if (active === undefined || total === 0) return {};
      const inactive = total - active;
      const share = inactive / total;
      const percent = shortPercent(page, share);
      const words = `${format.count(inactive)} of ${format.count(total)} below inactive, ${percent}`;
      return {
        bar: drawBar({ share, words, tint: 'waiting', figure: percent }),
        note: html`<span class="muted">${percent} below inactive</span>`,
      };
    }
    default:
      return {};
  }
}

/** A share of whole percents, of which neither nobody nor everybody is said where it is not so. */
function shortPercent({ format }: Page, share: number): string {
  const percents = Math.round(share * 100);
  if (share > 0 && percents === 0) return `<${format.percent(0.01)}`;
  if (share < 1 && percents === 100) return `>${format.percent(0.99)}`;
  return format.percent(percents / 100);
}

const BAR_WIDTH = 72;

interface Bar {
  share: number;
  words: string;
  tint: 'accent' | 'waiting';
  /** Written beside the bar. */
  figure?: string;
}

function drawBar({ share, words, tint, figure }: Bar): Html {
  const width = share > 0 ? Math.max(1, Math.round(Math.min(share, 1) * BAR_WIDTH)) : 0;
  const written = figure !== undefined && html`<span class="tree-share-figure" aria-hidden="true">${figure}</span>`;
  return html`<span class="tree-share" title="${words}">${written}<svg viewBox="0 0 ${BAR_WIDTH} 8" width="${BAR_WIDTH}" height="8" aria-hidden="true" focusable="false"><rect class="tree-share-all" width="${BAR_WIDTH}" height="8" rx="2"/><rect class="fill-${tint}" width="${width}" height="8" rx="2"/></svg><span class="unseen">${words}, </span></span>`;
}

/** What the member earned this month, as a link to it; undefined where it is not told of the row. */
export function drawEarned({ at, format }: Page, node: TreeNode): Html | undefined {
  const earned = node.commissionsThisMonth;
  if (!earned) return undefined;
  const { month, currency, totalAmount, totalAmountExact } = earned;
  const minor = minorOfMajor(totalAmount, totalAmountExact, currency);
  if (minor === 0n) return html`<span class="muted">${money(format, minor, currency)}</span>`;
  const href = at('/commissions', { userId: node.userId, period: month, currency });
  return html`<a href="${href}">${money(format, minor, currency)}<span class="unseen"> of commissions of ${drawnName(node)} in ${format.month(month)}</span></a>`;
}
