/** The list of API keys as a document. */
import type { z } from 'zod';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { actor } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago } from '../../../pages/parts/time.ts';
import type { listApiKeys } from '../../tenants/api-keys-operations.ts';

export type ApiKey = z.output<(typeof listApiKeys)['response']>['data'][number];

type Page = Pick<PageContext, 'at' | 'here' | 'can' | 'format' | 'query' | 'environment'>;

const FIRST_KEY = `curl -X POST -H 'x-tenant-api-key: $KEY' -H 'content-type: application/json' $URL/api/v1/admin/api-keys -d '{"name": "shop", "scopes": ["events:write"]}'`;

export function drawKeys(page: Page, { data, nextCursor }: { data: readonly ApiKey[]; nextCursor: string | null }): PageView {
  const { at, format, environment } = page;
  const list = table<ApiKey>({
    caption: 'API keys',
    rows: data,
    link: ({ id }) => at(`/keys/${id}`),
    columns: [
      { title: 'Key', cell: (key) => keyName(key) },
      { title: 'State', cell: ({ status }) => stateChip(status) },
      {
        title: 'Last used',
        cell: ({ lastUsedAt }) => (lastUsedAt === null ? html`<span class="muted">never</span>` : ago(format, lastUsedAt)),
      },
      { title: 'May', secondary: true, cell: ({ scopes }) => mayWords(scopes) },
      {
        title: 'From',
        secondary: true,
        cell: ({ allowedIps }) => (allowedIps === null ? 'anywhere' : `${allowedIps.length} ranges`),
      },
      { title: 'Made by', secondary: true, cell: ({ createdBy }) => createdBy && actor(page, createdBy) },
      { title: 'Made', secondary: true, cell: ({ createdAt }) => ago(format, createdAt) },
    ],
    empty: empty({
      what: 'Keys of this environment appear here',
      why: 'There are none yet.',
      curl: FIRST_KEY,
      action: page.can('admin:keys') && { href: at('/keys/new'), label: 'Make a key' },
    }),
  });
  return {
    lead: `Of ${environment}. Each is shown once, when it is made; here are its last four characters.`,
    actions: html`<a class="button button-main" href="${at('/keys/new')}">New key</a>`,
    body: html`${card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` })}`,
  };
}

export function keyName({ name, lastFour }: Pick<ApiKey, 'name' | 'lastFour'>): string {
  return name === null ? `Key …${lastFour}` : `${name} …${lastFour}`;
}

export function mayWords(scopes: readonly string[]): string {
  if (scopes.includes('*')) return 'everything';
  return scopes.length === 1 ? (scopes[0] ?? '') : `${scopes.length} scopes`;
}
