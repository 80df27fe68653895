/** The sign-in providers as a list. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago } from '../../../pages/parts/time.ts';
import { createAuthProvider, type listAuthProviders } from '../../auth/providers-operations.ts';
import type { Provider } from './provider-form.ts';

type Page = Pick<PageContext, 'at' | 'here' | 'can' | 'format' | 'query' | 'environment'>;

const CURL = `curl -X POST $URL/api/v1/admin/auth/providers -H 'x-tenant-api-key: $KEY' -H 'content-type: application/json' \\
  -d '{"providerId": "main", "issuerUrl": "https://login.shop.example", "allowedAudiences": ["shop-app"]}'`;

export function drawProviders(page: Page, { data, nextCursor }: AnswerOf<typeof listAuthProviders>): PageView {
  const { at, format, environment } = page;
  const mayAdd = page.can(createAuthProvider);
  const list = table<Provider>({
    caption: 'Sign-in providers',
    rows: data,
    link: ({ id }) => at(`/providers/${id}`),
    columns: [
      { title: 'Provider', cell: ({ providerId }) => html`<code>${providerId}</code>` },
      { title: 'Issuer', cell: ({ issuerUrl }) => hostOf(issuerUrl) },
      {
        title: 'New people',
        cell: ({ autoCreateUsers }) => (autoCreateUsers ? chip('become members', 'good') : chip('are refused')),
      },
      { title: 'Audiences', secondary: true, cell: ({ allowedAudiences }) => allowedAudiences.join(', ') },
      { title: 'Changed', secondary: true, cell: ({ updatedAt }) => ago(format, updatedAt) },
    ],
    empty: empty({
      what: 'The providers that your members sign in with appear here',
      why: `There are none yet in ${environment}. Members are then known to your own servers alone, by API keys.`,
      curl: CURL,
      action: mayAdd && { href: at('/providers/new'), label: 'Add a provider' },
    }),
  });
  return {
    lead: `Of ${environment}. A token of a provider is exchanged for one of ours, by OpenID Connect.`,
    actions: mayAdd && html`<a class="button button-main" href="${at('/providers/new')}">New provider</a>`,
    body: card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` }),
  };
}

/** Of an address that is long the host tells most. */
export function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}
