/** One sign-in provider as a document. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { auditOf } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { chip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { command } from '../../../pages/parts/empty.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import { deleteAuthProvider, type testAuthProvider } from '../../auth/providers-operations.ts';
import type { ProviderFault } from './provider-faults.ts';
import { type Provider, providerFields } from './provider-form.ts';

type Page = Pick<PageContext, 'at' | 'can' | 'form' | 'format' | 'environment' | 'tenant'>;
type Keys = AnswerOf<typeof testAuthProvider>['keys'];

/** What a test found just now. */
export type Tested = { at: Date } & ({ keys: Keys; fault?: undefined } | { fault: ProviderFault; keys?: undefined });

export function drawProvider(page: Page, provider: Provider, tested?: Tested): PageView {
  const { at, format, environment } = page;
  const about = facts([
    { name: 'Issuer', value: html`<span class="breaks">${provider.issuerUrl}</span>` },
    { name: 'Keys', value: html`<span class="breaks">${provider.jwksUri}</span>` },
    { name: 'Added', value: exactTime(format, provider.createdAt) },
    { name: 'Changed', value: exactTime(format, provider.updatedAt) },
  ]);
  const change = page.form('change', {
    note: environment === 'LIVE' && 'With dual control on, what lets in more people waits for a second person.',
    fields: providerFields(provider),
    submit: 'Keep the changes',
  });
  const remove = page.form('remove', {
    note: html`Nobody signs in by <code>${provider.providerId}</code> any more, and every token that came of it is revoked. Members stay; the links between them and the provider go.`,
    submit: `Delete ${provider.providerId}`,
    tone: 'danger',
  });
  const mayDelete = page.can(deleteAuthProvider);
  return {
    title: provider.providerId,
    crumbs: [{ label: 'Sign-in providers', href: at('/providers') }],
    actions: html`${auditOf(page, 'auth_provider', provider.id)}${mayDelete && opensDialog('remove', 'Delete…')}${page.form('test', { submit: 'Test it now', inline: true })}`,
    body: html`${tested && drawTested(page, tested)}${beside(
      card({ title: 'Change', body: change }),
      html`${card({ title: 'About', body: about })}${card({ title: 'Exchange a token', lead: 'What your server sends when somebody has signed in.', body: command(curlOf(page, provider)) })}`,
    )}${mayDelete && dialog({ id: 'remove', title: 'Delete this provider', body: remove })}`,
  };
}

function curlOf({ tenant }: Page, { providerId }: Provider): string {
  const body = JSON.stringify({ provider: providerId, token: '…' });
  return `curl -X POST $URL/api/v1/auth/exchange -H 'x-tenant-id: ${tenant.id}' -H 'content-type: application/json' -d '${body}'`;
}

function drawTested({ format }: Page, tested: Tested): Html {
  const { fault, keys } = tested;
  if (fault) {
    return card({
      id: 'tested',
      title: 'It cannot be used now',
      actions: chip('failed', 'bad'),
      lead: html`Tested ${exactTime(format, tested.at)}. Nobody can sign in by it until this is mended.`,
      body: html`<p role="alert"><strong>${fault.message}.</strong></p>${fault.advice !== undefined && html`<p>${fault.advice}</p>`}`,
    });
  }
  return card({
    id: 'tested',
    title: 'It can be used',
    actions: chip('ok', 'good'),
    lead: html`Tested ${exactTime(format, tested.at)}: its discovery document names the issuer, and its keys can sign.`,
    body: table<Keys[number]>({
      caption: 'Keys of the provider',
      rows: keys,
      columns: [
        { title: 'Key', cell: ({ kid }) => html`<code>${kid ?? 'without an id'}</code>` },
        { title: 'Type', cell: ({ keyType }) => keyType },
        { title: 'Algorithm', cell: ({ algorithm }) => algorithm ?? 'not said' },
      ],
      empty: html`<p>It shows no key.</p>`,
    }),
  });
}
