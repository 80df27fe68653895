/** One API key as a document. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { actor, auditOf } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import { ago, exactTime } from '../../../pages/parts/time.ts';
import { addressField, holdsAll, nameField, scopeBoxes } from './key-fields.ts';
import { type ApiKey, keyName, mayWords } from './keys-view.ts';
import { SCOPE_WORDS } from './scope-words.ts';

const OVERLAPS = [
  { value: '86400', label: 'for a day' },
  { value: '0', label: 'no more: it stops at once' },
  { value: '3600', label: 'for an hour' },
  { value: '604800', label: 'for a week' },
];

type Page = Pick<PageContext, 'at' | 'can' | 'form' | 'format'>;

export function drawKey(page: Page, key: ApiKey): PageView {
  const { at, format, can } = page;
  const mayChange = can('admin:keys') && key.status !== 'revoked';
  const time = (instant: string | null) => instant !== null && exactTime(format, instant);
  const about = facts([
    { name: 'State', value: stateChip(key.status) },
    { name: 'Ends in', value: html`<code>…${key.lastFour}</code>` },
    { name: 'Last used', value: key.lastUsedAt === null ? 'never' : ago(format, key.lastUsedAt) },
    { name: 'Made', value: exactTime(format, key.createdAt) },
    { name: 'Made by', value: key.createdBy && actor(page, key.createdBy) },
    { name: 'In the hands of', value: actor(page, key.root) },
    { name: 'From', value: key.allowedIps === null ? 'anywhere' : key.allowedIps.join(', ') },
    key.rateLimit !== null && { name: 'Requests per window', value: format.count(key.rateLimit) },
    key.expiresAt !== null && { name: 'Ends', value: time(key.expiresAt) },
    key.disabledAt !== null && { name: 'Disabled', value: time(key.disabledAt) },
    key.revokedAt !== null && { name: 'Revoked', value: time(key.revokedAt) },
    key.replacesKeyId !== null && {
      name: 'In place of',
      value: html`<a href="${at(`/keys/${key.replacesKeyId}`)}">the key before</a>`,
    },
  ]);
  const scopes = key.scopes.includes('*')
    ? html`<p>Everything, also what is added later.</p>`
    : html`<ul class="plain">${key.scopes.map((scope) => html`<li>${SCOPE_WORDS[scope] ?? scope} <code class="muted">${scope}</code></li>`)}</ul>`;
  return {
    title: keyName(key),
    crumbs: [{ label: 'API keys', href: at('/keys') }],
    crumb: id(key.id),
    actions: html`${auditOf(page, 'api_key', key.id)}${eventsOf(page, key.id)}${mayChange && html`${opensDialog('roll', 'Roll…')}${opensDialog('switch', key.disabledAt === null ? 'Disable…' : 'Enable…')}${opensDialog('revoke', 'Revoke…')}`}`,
    body: html`${beside(
      html`${mayChange ? card({ title: 'Change', body: html`<div class="key-form">${changeForm(page, key)}</div>` }) : card({ title: 'It may', body: scopes })}`,
      card({ title: 'About', lead: `It may: ${mayWords(key.scopes)}`, body: about }),
    )}${mayChange && dialogs(page, key)}`,
  };
}

function changeForm(page: Page, key: ApiKey) {
  const all = key.scopes.includes('*');
  return page.form('change', {
    submit: 'Keep the changes',
    fields: [
      nameField(key.name),
      {
        name: 'preset',
        label: 'It may do',
        type: 'radio',
        value: all ? 'everything' : 'chosen',
        choices: [
          ...(all || holdsAll(page) ? [{ value: 'everything', label: 'Everything, also what is added later' }] : []),
          { value: 'chosen', label: 'As ticked below' },
        ],
      },
      scopeBoxes(page, key.scopes),
      addressField(key.allowedIps),
    ],
  });
}

function dialogs(page: Page, key: ApiKey) {
  const roll = page.form('roll', {
    note: 'Another key takes its place, with the same scopes and addresses. It is shown once.',
    fields: [
      {
        name: 'overlapSeconds',
        label: 'The old key goes on working',
        type: 'select',
        choices: OVERLAPS,
        value: '86400',
        required: true,
      },
    ],
    submit: 'Make the new key',
  });
  const isOff = key.disabledAt !== null;
  const toggle = page.form('switch', {
    note: isOff
      ? 'The key works again, within a second.'
      : 'Whoever calls with it is refused within a second, until it is enabled again.',
    hidden: { disabled: isOff ? 'no' : 'yes' },
    submit: isOff ? 'Enable the key' : 'Disable the key',
    tone: isOff ? 'main' : 'danger',
  });
  const revoke = page.form('revoke', {
    note: `${keyName(key)} stops working for good. ${key.lastUsedAt === null ? 'It was never used.' : `It was last used ${page.format.ago(key.lastUsedAt)}.`}`,
    submit: 'Revoke for good',
    tone: 'danger',
  });
  return html`${dialog({ id: 'roll', title: 'Roll this key', body: roll })}${dialog({ id: 'switch', title: isOff ? 'Enable this key' : 'Disable this key', body: toggle })}${dialog({ id: 'revoke', title: 'Revoke this key', body: revoke })}`;
}
