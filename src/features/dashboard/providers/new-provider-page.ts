/** A new sign-in provider: it is asked before it is kept. */
import { definePage } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { createAuthProvider } from '../../auth/providers-operations.ts';
import { besideField } from './provider-faults.ts';
import { providerBody, providerFields } from './provider-form.ts';

export const newProviderPage = definePage({
  path: '/providers/new',
  title: 'New sign-in provider',
  below: '/providers',
  needs: [createAuthProvider],
  async get(page) {
    const waits = page.environment === 'LIVE' && 'With dual control on, a new way in waits for a second person. ';
    const form = page.form('create', {
      note: html`${waits}Its discovery document and its keys are asked for first: what could not be used is not kept.`,
      fields: providerFields(undefined),
      submit: `Add the provider to ${page.environment}`,
    });
    return { crumbs: [{ label: 'Sign-in providers', href: page.at('/providers') }], body: card({ body: form }) };
  },
  actions: {
    create: {
      needs: [createAuthProvider],
      async run(page, form) {
        const body = { providerId: form.text('providerId'), ...providerBody(form) };
        const { id } = await besideField(page.invoke(createAuthProvider, { body }));
        return { to: page.at(`/providers/${id}`), said: 'The provider is added, and its keys were found.' };
      },
    },
  },
});
