/** The form of a new key, and the key itself in a dialog that must be confirmed. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { dialog } from '../../../pages/parts/dialog.ts';
import { command } from '../../../pages/parts/empty.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { copyButton } from '../../../pages/parts/id.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import { addressField, holdsAll, nameField, scopeBoxes } from './key-fields.ts';
import { keyName, mayWords } from './keys-view.ts';

export function drawNewKey(page: Pick<PageContext, 'at' | 'can' | 'form' | 'environment'>): PageView {
  const all = holdsAll(page);
  const form = page.form('create', {
    submit: `Make a key for ${page.environment}`,
    fields: [
      { ...nameField(null), required: true, autofocus: true },
      {
        name: 'preset',
        label: 'What is it for?',
        type: 'radio',
        value: 'backend',
        choices: [
          {
            value: 'backend',
            label: "A shop's server",
            hint: 'All that it needs day by day. Nothing that pays, erases or looks after the tenant.',
          },
          { value: 'reporting', label: 'Reports', hint: 'Reading, and exports as files.' },
          { value: 'chosen', label: 'As ticked below' },
          ...(all
            ? [
                {
                  value: 'full',
                  label: 'Everything',
                  hint: 'Also what is added later. For scripts of your own that set the tenant up.',
                },
              ]
            : []),
        ],
      },
      { ...scopeBoxes(page, []), hint: 'Counts where “As ticked below” is chosen. You can give what you may do yourself.' },
      addressField(null),
      { name: 'expiresAt', label: 'Ends on', type: 'date', hint: 'Empty: never.' },
    ],
  });
  return {
    crumbs: [{ label: 'API keys', href: page.at('/keys') }],
    body: card({ body: html`<div class="key-form">${form}</div>` }),
  };
}

export interface Secret {
  id: string;
  name: string | null;
  lastFour: string;
  scopes: readonly string[];
  /** Null when the form came a second time. */
  secret: string | null;
  /** Of the key in whose place it is. */
  replacedKeyExpiresAt?: string;
}

/** Drawn in answer to the form alone: no address leads here again. */
export function drawSecret(page: Pick<PageContext, 'at' | 'format'>, key: Secret): PageView {
  const { at, format } = page;
  const done = html`<div class="form-end"><a class="button button-main" href="${at(`/keys/${key.id}`)}">I have stored it</a></div>`;
  const gone = html`<p>The key was made, and shown when the form was sent first. It cannot be shown again. If you did not store it, roll it: that makes another in its place.</p>`;
  const shown = html`<p>Store it now where your server finds it, and nowhere else. It is not shown again, to nobody.</p><div class="command secret"><pre tabindex="0"><code>${key.secret}</code></pre>${copyButton(key.secret ?? '', 'Copy the key')}</div>`;
  const overlap =
    key.replacedKeyExpiresAt !== undefined &&
    html`<p>The old key goes on working until ${exactTime(format, key.replacedKeyExpiresAt)}.</p>`;
  const title = 'Your new key';
  return {
    title,
    crumbs: [{ label: 'API keys', href: at('/keys') }],
    body: html`${dialog({ id: 'secret', title, mustConfirm: true, body: html`${key.secret === null ? gone : shown}${overlap}${done}` })}${card(
      {
        body: html`${facts([
          { name: 'Name', value: keyName(key) },
          { name: 'May', value: mayWords(key.scopes) },
        ])}<p class="muted">Try it, with the key in $KEY:</p>${command("curl -H 'x-tenant-api-key: $KEY' $URL/api/v1/events?limit=1")}`,
      },
    )}`,
  };
}
