/** The pages of signing in by a tenant's own provider. */
import { type Drawn, type Html, html } from '../../pages/html.ts';
import type { ProviderLook } from '../staff/open/sso.ts';
import { SIGN_IN } from './addresses.ts';
import { BY_PROVIDER } from './after-sign-in.ts';

interface Alone {
  title: string;
  lead?: Drawn;
  body: Drawn;
}

const told = (body: Html): Html => html`<div class="told">${body}</div>`;

const toSignIn = html`<p><a class="button" href="${SIGN_IN}">Sign in with a password or passkey</a></p>`;

interface Parts {
  /** As it was typed; undefined while it is asked for. */
  tenant: string | undefined;
  provider: ProviderLook | undefined;
  next: string | undefined;
  /** Where the sign-in begins. */
  to: string;
}

export function drawByProvider({ provider, next, to }: Parts): Alone {
  if (!provider) {
    return {
      title: 'Sign in by your organisation',
      lead: 'Some tenants let their people sign in by their own provider.',
      body: told(
        html`<form class="form" method="get" action="${BY_PROVIDER}"><div class="field"><label for="sso-tenant">Tenant</label><input type="text" id="sso-tenant" name="tenant" required maxlength="63" autocomplete="organization" autofocus><p class="hint">As in the addresses of its pages</p></div>${next !== undefined && html`<input type="hidden" name="next" value="${next}">`}<div class="form-end"><button class="button button-main" type="submit">Continue</button></div></form>${toSignIn}`,
      ),
    };
  }
  return {
    title: `Sign in to ${provider.tenantName}`,
    ...(provider.ssoOnly && { lead: 'Passwords are switched off here.' }),
    body: told(
      html`<p><a class="button button-main" href="${to}">Continue at ${provider.host}</a></p>${!provider.ssoOnly && toSignIn}`,
    ),
  };
}

export function drawNoProvider(tenant: string): Alone {
  return {
    title: 'No provider is set up',
    lead: html`No tenant <bdi>${tenant}</bdi> lets its people sign in by a provider of its own.`,
    body: told(
      html`<p>An owner sets one up under Settings. Is the name right?</p><p><a class="button" href="${BY_PROVIDER}">Another tenant</a></p>${toSignIn}`,
    ),
  };
}

export function drawNotInvited(): Alone {
  return {
    title: 'Nobody has invited you here',
    lead: 'Your provider knows you, and this tenant does not, or your invitation is too old.',
    body: told(
      html`<p>Ask an owner of the tenant to invite you, under the email address that your provider has verified. Then sign in again.</p>${toSignIn}`,
    ),
  };
}

export function drawProviderFailed(): Alone {
  return {
    title: 'That sign-in did not hold',
    lead: 'It took too long, was begun in another browser, or the provider did not answer as it should.',
    body: told(
      html`<p>Nothing happened. Begin again; if it fails again, an owner of the tenant can look at the settings of the provider.</p><p><a class="button" href="${BY_PROVIDER}">Begin again</a></p>${toSignIn}`,
    ),
  };
}
