/** The pages of the way in. Passwords may be pasted, and nothing has to be remembered from one page to the next. */
import { type Drawn, html } from '../../pages/html.ts';
import { drawForm, type Sent } from '../../pages/parts/form.ts';
import type { OpenInvite } from '../staff/open/sign-in.ts';
import { BY_PROVIDER } from './after-sign-in.ts';
import { FORM } from './page-context.ts';
import { drawFactorForms } from './step-up-view.ts';

interface Alone {
  title: string;
  lead?: Drawn;
  body: Drawn;
  scripts?: readonly string[];
}

type Hidden = Readonly<Record<string, string>>;

export interface SignInParts {
  address: string;
  hidden: Hidden;
  /** Filled in; it is asked for all the same. */
  tenant: string | undefined;
  next: string | undefined;
  sent: Sent | undefined;
  /** Of the form for a passkey. */
  passkeyToken: string;
}

export function drawSignIn({ address, hidden, tenant, next, sent, passkeyToken }: SignInParts): Alone {
  const known = tenant !== undefined;
  const form = drawForm({
    id: 'sign-in',
    address,
    hidden,
    sent,
    fields: [
      {
        name: 'tenant',
        label: 'Tenant',
        value: tenant,
        required: true,
        autocomplete: 'organization',
        maxLength: 63,
        hint: 'As in the addresses of its pages',
      },
      { name: 'email', label: 'Email', type: 'email', required: true, autocomplete: 'username', autofocus: known },
      { name: 'password', label: 'Password', type: 'password', required: true, autocomplete: 'current-password' },
    ],
    submit: 'Sign in',
  });
  const to = next === undefined ? '/dashboard/sign-in/passkey' : `/dashboard/sign-in/passkey?next=${encodeURIComponent(next)}`;
  const passkey = html`<form class="form only-script" method="post" action="${to}" data-passkey="sign-in" data-with="#sign-in-tenant"><input type="hidden" name="${FORM.token}" value="${passkeyToken}"><input type="hidden" name="_method" value="passkey"><input type="hidden" name="_answer" value=""><p class="fault" role="alert" hidden></p><div class="form-end"><button class="button" type="submit">Sign in with a passkey</button></div></form>`;
  const query = new URLSearchParams({ ...(known && { tenant }), ...(next !== undefined && { next }) }).toString();
  const provider = html`<p class="told"><a class="button" href="${query === '' ? BY_PROVIDER : `${BY_PROVIDER}?${query}`}">Sign in by your organisation’s own provider</a></p>`;
  const help = html`<p class="muted">No password, or none that you know? An owner of the tenant sends you a link to a new one.</p>`;
  return { title: 'Sign in', body: html`${form}${passkey}${provider}${help}`, scripts: ['passkey'] };
}

export interface SecondStep {
  address: string;
  hidden: Hidden;
  methods: readonly string[];
  fault: string | undefined;
  again: string;
}

export function drawSecondStep({ address, hidden, methods, fault, again }: SecondStep): Alone {
  const kept = Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const forms = drawFactorForms({ address, kept, fault, question: 'factor', methods });
  return {
    title: 'Your second factor',
    lead: 'The password was right.',
    body: html`${forms}<p><a href="${again}">Sign in as somebody else</a></p>`,
    scripts: methods.includes('passkey') ? ['passkey'] : [],
  };
}

export interface Welcome {
  invite: OpenInvite;
  address: string;
  hidden: Hidden;
  sent: Sent | undefined;
}

export function drawWelcome({ invite, address, hidden, sent }: Welcome): Alone {
  const isReset = invite.kind === 'reset';
  if (invite.bySso) {
    const to = `${BY_PROVIDER}?tenant=${encodeURIComponent(invite.slug)}`;
    return {
      title: `Welcome to ${invite.tenantName}`,
      lead: html`Passwords are switched off here. Sign in by your organisation’s own provider${invite.email !== null && html`, as ${invite.email}`}.`,
      body: html`<p><a class="button button-main" href="${to}">To the provider</a></p>`,
    };
  }
  const form = drawForm({
    id: 'welcome',
    address,
    hidden,
    sent,
    fields: [
      !isReset && { name: 'name', label: 'Your name', value: invite.name, required: true, autocomplete: 'name', maxLength: 200 },
      invite.kind === 'welcome' && { name: 'email', label: 'Email', type: 'email', required: true, autocomplete: 'username' },
      {
        name: 'password',
        label: isReset ? 'New password' : 'Password',
        type: 'password',
        required: true,
        autocomplete: 'new-password',
        minLength: 12,
        maxLength: 128,
        hint: 'At least 12 characters. A few words that mean something to you alone are good.',
      },
    ],
    submit: isReset ? 'Keep this password' : 'Begin',
  });
  const title = isReset ? 'Choose a new password' : `Welcome to ${invite.tenantName}`;
  const lead = isReset
    ? html`For ${invite.email}. All other sessions end.`
    : html`You become ${invite.role}${invite.email !== null && html`, as ${invite.email}`}. Nothing happens until you send this.`;
  return { title, lead, body: form };
}

export function drawGone(): Alone {
  return {
    title: 'This link cannot be used any more',
    lead: 'Each link works once, and for some time only.',
    body: html`<p>Ask whoever sent it for a new one. If you have a password, sign in.</p><p><a class="button" href="/dashboard/sign-in">To sign in</a></p>`,
  };
}
