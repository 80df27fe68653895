/** Waiting changes as a document: one card each, with what changes from what to what. */
import type { z } from 'zod';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { actor } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip, stateChip, type Tint } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago, exactTime } from '../../../pages/parts/time.ts';
import type { listPendingChanges } from '../../pending-changes/pending-changes-operations.ts';
import { operationWords } from './operation-words.ts';
import { labelOf } from './setting-fields.ts';
import type { Publication } from './waiting-publication.ts';
import { drawPublication } from './waiting-publication-view.ts';

type Changes = z.output<(typeof listPendingChanges)['response']>;
type Change = Changes['data'][number];
type Page = Pick<PageContext, 'at' | 'opens' | 'here' | 'can' | 'form' | 'format' | 'query' | 'person'>;

const DIRECTION: Readonly<Record<Change['fields'][number]['direction'], Tint>> = {
  weakens: 'bad',
  tightens: 'good',
  neutral: 'neutral',
};

/** `publications` are those of plans among the changes, by the ids of the changes. */
export function drawPendingChanges(
  page: Page,
  { data, nextCursor }: Changes,
  publications: ReadonlyMap<string, Publication>,
): PageView {
  const all = page.query['status'] === 'all';
  return {
    lead: 'In LIVE with dual control on, what weakens a safeguard waits until another person agrees.',
    crumbs: page.can('admin:settings') ? [{ label: 'Settings', href: page.at('/settings') }] : [],
    actions: html`<a class="button" href="${page.at('/pending-changes', { status: all ? undefined : 'all' })}">${all ? 'Only what waits' : 'Decided ones too'}</a>`,
    body:
      data.length === 0
        ? card({
            body: empty({
              what: 'Changes that wait for a second person appear here',
              why: all ? 'There were none yet.' : 'Nothing waits now.',
              action: page.can('admin:settings') && { href: page.at('/settings'), label: 'The settings, which say what waits' },
            }),
          })
        : html`${data.map((change) => drawChange(page, change, publications.get(change.id)))}${pagerOf(page, nextCursor)}`,
  };
}

function drawChange(page: Page, change: Change, publication: Publication | undefined) {
  const { format } = page;
  const isOwn = change.createdBy.kind === 'staff' && change.createdBy.id === page.person.id;
  const isOpen = change.status === 'open';
  const rejectId = `reject-${change.id}`;
  const fields = publication ? drawPublication(page, publication, isOpen) : drawFields(change);
  const hidden = { pendingChangeId: change.id };
  const confirm = page.form('confirm', { key: change.id, hidden, submit: 'Confirm', inline: true });
  const reject = page.form('reject', {
    key: change.id,
    hidden,
    fields: [{ name: 'reason', label: 'Why', type: 'textarea', maxLength: 500 }],
    submit: isOwn ? 'Withdraw' : 'Reject',
    tone: 'danger',
  });
  const asked = facts(
    [
      { name: 'Asked by', value: actor(page, change.createdBy) },
      { name: 'Asked', value: ago(format, change.createdAt) },
      isOpen
        ? { name: 'Expires', value: exactTime(format, change.expiresAt) }
        : { name: 'Decided', value: change.decidedAt && exactTime(format, change.decidedAt) },
      change.decidedBy !== null && { name: 'Decided by', value: actor(page, change.decidedBy) },
      change.reason !== null && { name: 'Why', value: change.reason },
    ],
    { row: true },
  );
  return card({
    title: operationWords(change.operationId),
    actions: html`${stateChip(change.status)}${isOpen && !isOwn && confirm}${isOpen && opensDialog(rejectId, isOwn ? 'Withdraw…' : 'Reject…')}`,
    lead: isOwn && isOpen && 'You asked for it: somebody else confirms it.',
    body: html`${asked}${fields}${isOpen && dialog({ id: rejectId, title: isOwn ? 'Withdraw this change' : 'Reject this change', body: reject })}`,
  });
}

function drawFields(change: Change): Html {
  return table({
    caption: 'What changes',
    rows: change.fields,
    columns: [
      { title: 'Field', cell: ({ field }) => fieldWords(change, field) },
      { title: 'From', cell: ({ from }) => shownValue(from) },
      { title: 'To', cell: ({ to }) => shownValue(to) },
      { title: 'Does', cell: ({ direction }) => chip(direction, DIRECTION[direction]) },
    ],
    empty: html``,
  });
}

/** Settings as their page calls them; what is of something else keeps its name in the API. */
function fieldWords({ operationId }: Change, field: string): Drawn {
  const known = operationId === 'updateSettings' ? labelOf(field) : field.replace(/^staff\..+$/, 'Role');
  return known === field ? html`<code>${field}</code>` : html`<span title="${field}">${known}</span>`;
}

/** Of a secret only whether it is set is known. */
export function shownValue(value: unknown): Drawn {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value);
  if ('set' in value) return (value as { set: boolean }).set ? 'a secret' : 'no secret';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  return JSON.stringify(value);
}
