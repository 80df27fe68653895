/** What is shown on the way to a second factor, once: no address leads here. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html, trusted } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { dialog } from '../../../pages/parts/dialog.ts';
import { command } from '../../../pages/parts/empty.ts';

type Page = Pick<PageContext, 'at' | 'form'>;

const crumbsOf = ({ at }: Page) => [{ label: 'Your account', href: at('/account') }];

/** The browser is asked when the form is sent; its answer goes into the field `response`. */
export function drawNewPasskey(page: Page, question: object): PageView {
  const form = page.form('addPasskey', {
    hidden: { response: '' },
    fields: [
      {
        name: 'name',
        label: 'What is it called?',
        required: true,
        maxLength: 100,
        placeholder: 'Laptop',
        hint: 'To tell it from others that you add.',
        autofocus: true,
      },
    ],
    submit: 'Go on with the browser',
    beside: html`<a class="button" href="${page.at('/account')}">Cancel</a>`,
  });
  return {
    title: 'A new passkey',
    crumbs: crumbsOf(page),
    scripts: ['passkey'],
    body: card({
      body: html`<div class="stack" data-passkey="register" data-question="${JSON.stringify(question)}" data-answer="response"><p>Your browser asks you next: with your finger, your face, a PIN, or a key that you plug in. You have five minutes.</p><p class="fault" role="alert" hidden></p>${form}</div>`,
    }),
  };
}

export interface Authenticator {
  secret: string;
  uri?: string;
  qrSvg?: string;
  /** What was wrong with the code before. */
  fault?: string;
}

export function drawAuthenticator(page: Page, { secret, uri, qrSvg, fault }: Authenticator): PageView {
  const picture = qrSvg === undefined ? undefined : qrOf(qrSvg);
  const form = page.form('confirmAuthenticator', {
    hidden: { secret },
    fields: [
      {
        name: 'code',
        label: 'The code that the app shows',
        required: true,
        autocomplete: 'one-time-code',
        inputmode: 'numeric',
        maxLength: 20,
        autofocus: true,
        mono: true,
      },
    ],
    submit: 'Confirm the app',
    beside: html`<a class="button" href="${page.at('/account')}">Cancel</a>`,
  });
  const wrong = fault !== undefined && html`<div class="notice notice-bad" role="alert"><p>${fault}</p></div>`;
  const scan = picture && html`<p>Scan this with your app, or type the key into it.</p>${picture}`;
  const open = uri !== undefined && html`<p><a href="${uri}">Open it in an app on this device</a></p>`;
  return {
    title: 'Set up an authenticator app',
    crumbs: crumbsOf(page),
    body: card({
      body: html`<div class="stack">${wrong}${scan}<div><p class="muted">The key, for typing</p>${command(inFours(secret))}${open}</div>${form}</div>`,
    }),
  };
}

/** Our own drawing: paths and nothing else. */
function qrOf(svg: string): Html | undefined {
  if (!/^<svg [^<>]*>(?:<path [^<>]*\/>)+<\/svg>$/.test(svg)) return undefined;
  return html`<div class="qr" role="img" aria-label="QR code for the authenticator app">${trusted(svg)}</div>`;
}

/** Groups of four, as people read them; apps take the spaces out. */
function inFours(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

export function drawRecoveryCodes(page: Page, codes: readonly string[] | null): PageView {
  const title = 'Your recovery codes';
  const done = html`<div class="form-end"><a class="button button-main" href="${page.at('/account')}">I have stored them</a></div>`;
  const body =
    codes === null
      ? html`<p>The codes were made, and shown when the form was sent first. They cannot be shown again. If you did not store them, make new ones.</p>${done}`
      : html`<p>Store them where you find them without this device: printed, or with your passwords. Each works once. They are not shown again.</p><div class="codes">${command(codes.join('\n'))}</div>${done}`;
  return {
    title,
    crumbs: crumbsOf(page),
    body: html`${dialog({ id: 'codes', title, mustConfirm: true, body })}${card({ body: html`<p class="muted">The codes are shown once.</p>` })}`,
  };
}
