/** The pages that links in mails lead to. */
import { type Drawn, type Html, html } from '../../pages/html.ts';
import { facts } from '../../pages/parts/facts.ts';
import { drawForm } from '../../pages/parts/form.ts';
import type { OtherSignIn } from '../staff/open/not-me.ts';
import { SIGN_IN } from './addresses.ts';

interface Alone {
  title: string;
  lead?: Drawn;
  body: Drawn;
}

const told = (body: Html): Html => html`<div class="told">${body}</div>`;

/** The token in the address is all that the form goes by: a mail program sends it too. */
const button = (address: string, submit: string, tone: 'danger' | 'main') =>
  drawForm({ id: 'mail-link', address, hidden: {}, sent: undefined, submit, tone });

export function drawNotMe({ tenantName, email, at, ip, agent }: OtherSignIn, address: string): Alone {
  const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    title: 'Was this not you?',
    lead: html`Somebody signed in to <bdi>${tenantName}</bdi> as ${email}.`,
    body: told(
      html`${facts([
        { name: 'When', value: time },
        { name: 'From', value: ip ?? 'unknown' },
        { name: 'Browser', value: agent === null ? 'unknown' : html`<bdi>${agent}</bdi>` },
      ])}<p>If it was you, close this page: nothing has happened.</p><p>If it was not, the button ends all of your sessions, makes your password useless, and removes passkeys, codes of an authenticator and recovery codes that were added since that sign-in.</p>${button(address, 'This was not me: sign out everywhere', 'danger')}`,
    ),
  };
}

export function drawNotMeDone(passwordLink: string | undefined): Alone {
  return {
    title: 'You are signed out everywhere',
    lead: 'Whoever it was is signed out too, within a second.',
    body: told(
      html`<ol><li>${
        passwordLink === undefined
          ? 'Tell whoever looks after your account at your provider: people sign in here by it alone.'
          : html`<a class="button button-main" href="${passwordLink}">Choose another password</a> The link works once, within an hour.`
      }</li><li>Change the password of your mailbox, and wherever else you used this one.</li><li>Sign in, and look under your account whether your second factors and sessions are yours.</li><li>Tell an owner of the tenant. The audit log shows what was done under your name; keys that were made then go on working until somebody revokes them.</li></ol>${passwordLink === undefined && html`<p><a class="button" href="${SIGN_IN}">To sign in</a></p>`}`,
    ),
  };
}

export function drawNotMeGone(): Alone {
  return {
    title: 'This link cannot be used any more',
    lead: 'It works once, within three days of the sign-in that it is about.',
    body: told(
      html`<p>Is it still not you? Sign in, and end all sessions under your account. If you cannot sign in, ask an owner of the tenant to end them.</p><p><a class="button" href="${SIGN_IN}">To sign in</a></p>`,
    ),
  };
}

export function drawRefusal(tenantName: string, address: string): Alone {
  return {
    title: 'No more mail about payouts?',
    lead: html`From <bdi>${tenantName}</bdi>.`,
    body: told(
      html`<p>You will get no mail any more when a payout was paid or failed. Mail about the security of your account still comes.</p>${button(address, 'No more mail about payouts', 'main')}`,
    ),
  };
}

export function drawRefused(tenantName: string): Alone {
  return {
    title: 'You get no mail about payouts',
    lead: html`From <bdi>${tenantName}</bdi>.`,
    body: told(
      html`<p>Mail about the security of your account still comes. To be told of payouts again, ask <bdi>${tenantName}</bdi>.</p>`,
    ),
  };
}

export function drawRefusalGone(): Alone {
  return {
    title: 'This link is not ours',
    body: told(html`<p>Open it as it stands in the mail. A part of it may be missing.</p>`),
  };
}
