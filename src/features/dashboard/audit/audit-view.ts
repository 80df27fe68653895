/** The audit log as a document. */
import type { z } from 'zod';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Drawn, html } from '../../../pages/html.ts';
import { actor, actorKind } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import { shortId } from '../../../pages/parts/id.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { listAuditLogs } from '../../audit/audit-log-operations.ts';

type Entry = z.output<(typeof listAuditLogs)['response']>['data'][number];
type Page = Pick<PageContext, 'at' | 'here' | 'can' | 'opens' | 'format' | 'query'>;

/** Names of the filters in the address. */
export const FILTERS = ['actorKind', 'actorId', 'targetKind', 'targetId', 'action', 'from', 'to'] as const;
const ACTORS = ['api_key', 'staff', 'member', 'operator', 'vendor', 'system'];

/** Where a thing has a page of its own. */
const PAGE_OF: Readonly<Record<string, string>> = {
  api_key: '/keys',
  member: '/members',
  staff: '/people',
  event: '/sales',
  commission: '/commissions',
  import: '/imports',
  auth_provider: '/providers',
  lead: '/leads',
  referral_link: '/links',
  webhook_endpoint: '/webhooks/endpoints',
  webhook_delivery: '/webhooks/deliveries',
  kyc_record: '/verification',
};

export function drawAudit(page: Page, { data, nextCursor }: { data: readonly Entry[]; nextCursor: string | null }): PageView {
  const { at, format, query } = page;
  const whole = page.can('admin:audit');
  const filtered = FILTERS.some((name) => query[name]);
  const list = table<Entry>({
    caption: 'Audit log',
    rows: data,
    columns: [
      { title: 'When', cell: ({ createdAt }) => exactTime(format, createdAt) },
      { title: 'Who', secondary: true, cell: (entry) => actor(page, entry.actor) },
      { title: 'Did', cell: ({ action }) => html`<a href="${at('/audit', { action })}"><code>${action}</code></a>` },
      { title: 'To', secondary: true, cell: ({ target }) => targetOf(page, target) },
      { title: 'What', secondary: true, cell: ({ details }) => detailsOf(details) },
      { title: 'From', secondary: true, cell: ({ ip }) => ip ?? '–' },
      {
        title: 'Request',
        secondary: true,
        cell: ({ requestId }) => requestId !== null && html`<code title="${requestId}">${shortId(requestId)}</code>`,
      },
    ],
    empty: empty({
      what: whole
        ? 'Every change and every reading of protected data appears here'
        : 'Every change of a verification and every reading of its documents appears here',
      why: filtered ? 'Nothing matches these filters.' : 'There is nothing yet in this environment.',
      action: filtered && { href: at('/audit'), label: 'Show all' },
    }),
  });
  const bar = filters({
    address: at('/audit'),
    fields: [
      {
        name: 'actorKind',
        label: 'By',
        type: 'select',
        value: query['actorKind'],
        choices: ACTORS.map((value) => ({ value, label: actorKind(value) })),
      },
      { name: 'actorId', label: 'Id of who', type: 'text', value: query['actorId'] },
      {
        name: 'targetKind',
        label: 'To what',
        type: 'text',
        value: query['targetKind'],
        placeholder: whole ? 'member' : 'kyc_record',
      },
      { name: 'targetId', label: 'Its id', type: 'text', value: query['targetId'] },
      { name: 'action', label: 'Action', type: 'text', value: query['action'] },
      { name: 'from', label: 'From', type: 'date', value: query['from'] },
      { name: 'to', label: 'Until', type: 'date', value: query['to'] },
    ],
  });
  const verify = page.can('ledger:read') && html`<a class="button" href="${at('/ledger', { verify: 'yes' })}">Verify the log</a>`;
  return {
    lead: `Who did what${whole ? '' : ' with verifications'}, newest first. Entries are never changed, and are sealed by hash.`,
    actions: verify,
    body: html`${bar}${card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` })}`,
  };
}

function targetOf({ at, opens }: Page, target: Entry['target']): Drawn {
  if (target === null || target.kind === null) return '–';
  const { kind, id } = target;
  const word = kind.replaceAll('_', ' ');
  if (id === null) return word;
  const own = `${PAGE_OF[kind]}/${encodeURIComponent(id)}`;
  const to = PAGE_OF[kind] !== undefined && opens(own) ? at(own) : at('/audit', { targetKind: kind, targetId: id });
  return html`<a href="${to}">${word} <code title="${id}">${shortId(id)}</code></a>`;
}

function detailsOf(details: Readonly<Record<string, unknown>>): Drawn {
  const said = Object.entries(details).filter(([, value]) => value !== null && value !== undefined);
  return said.map(([name, value], at) => html`${at > 0 && ', '}${name}: ${textOf(value)}`);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
