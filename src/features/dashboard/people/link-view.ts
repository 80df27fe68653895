/** A link to hand over, shown in answer to the form alone. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { dialog } from '../../../pages/parts/dialog.ts';
import { copyButton } from '../../../pages/parts/id.ts';
import { exactTime } from '../../../pages/parts/time.ts';

export interface Link {
  title: string;
  /** Null when the form came a second time. */
  link: string | null;
  email: string | null;
  expiresAt: string;
  /** Whether the person has it by mail too. */
  mailed: boolean;
}

export function drawInviteLink(
  { at, format }: Pick<PageContext, 'at' | 'format'>,
  { title, link, email, expiresAt, mailed }: Link,
): PageView {
  const done = html`<div class="form-end"><a class="button button-main" href="${at('/people')}">I have handed it over</a></div>`;
  const how = mailed
    ? 'It was mailed to the person too. If that does not arrive, hand it over by a way that nobody else reads.'
    : html`Hand it to <bdi>${email ?? 'the person'}</bdi> by a way that nobody else reads.`;
  const body =
    link === null
      ? html`<p>The link was shown when the form was sent first, and is not shown again. Make another one.</p>${done}`
      : html`<p>${how} It works once, until ${exactTime(format, expiresAt)}, and is not shown again.</p><div class="command secret"><pre tabindex="0"><code>${link}</code></pre>${copyButton(link, 'Copy the link')}</div>${done}`;
  return {
    title,
    crumbs: [{ label: 'People', href: at('/people') }],
    body: html`${dialog({ id: 'link', title, mustConfirm: true, body })}${card({ body: html`<p class="muted">The link is shown once.</p>` })}`,
  };
}
