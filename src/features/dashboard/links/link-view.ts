/** One referral link as a document. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { auditOf } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { command } from '../../../pages/parts/empty.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { copyButton, id } from '../../../pages/parts/id.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { ago, exactTime } from '../../../pages/parts/time.ts';
import { deleteReferralLink, type getReferralLink, updateReferralLink } from '../../referrals/links-operations.ts';
import { linkFields } from './link-fields.ts';
import { stateOf } from './links-view.ts';

type CountedLink = AnswerOf<typeof getReferralLink>;

type Look = Pick<PageContext, 'at' | 'can' | 'form' | 'format' | 'now' | 'tenant'>;

/** More are not counted. */
const MOST_COUNTED = 1_000_000;

export function drawLink(page: Look, { link, names }: { link: CountedLink; names: MemberNames }): PageView {
  const { at, can, format, now } = page;
  const isOn = link.status === 'active';
  const more = link.click_count >= MOST_COUNTED ? ' or more' : '';
  const top = facts(
    [
      { name: 'Credits', value: html`<bdi>${names.link(link.user_id)}</bdi>` },
      { name: 'Clicks', value: `${format.count(link.click_count)}${more}` },
      { name: 'Last click', value: link.last_clicked_at === null ? 'never' : ago(format, link.last_clicked_at) },
      { name: 'State', value: stateChip(stateOf(link, now)) },
    ],
    { row: true },
  );
  const leads = card({
    title: 'Where it leads',
    lead: 'Clicks are counted without bots, and without pages that a browser fetched ahead.',
    body: facts([
      {
        name: 'To hand out',
        value: html`<span class="break"><code>${link.url}</code> ${copyButton(link.url, 'Copy the address')}</span>`,
      },
      { name: 'Destination', value: html`<span class="break">${link.destination_url}</span>` },
      { name: 'Ends', value: link.expires_at === null ? 'never' : exactTime(format, link.expires_at) },
    ]),
  });
  const about = card({
    title: 'About',
    body: html`<div class="stack-small">${facts([
      { name: 'Name', value: link.name !== null && html`<bdi class="break">${link.name}</bdi>` },
      { name: 'Made', value: exactTime(format, link.created_at) },
      { name: 'Changed', value: exactTime(format, link.updated_at) },
    ])}<p class="muted">As a QR code, in a file of its own:</p>${command(`curl -H 'x-tenant-api-key: $KEY' -o ${link.slug}.svg $URL/api/v1/referrals/links/${link.id}/qr`)}</div>`,
  });
  const buttons = html`${can(updateReferralLink) && html`${opensDialog('change', 'Change…')}${opensDialog('switch', isOn ? 'Disable…' : 'Enable…')}`}${can(deleteReferralLink) && opensDialog('delete', 'Delete…')}`;
  return {
    title: link.name ?? link.slug,
    crumbs: [{ label: 'Links', href: at('/links') }],
    crumb: id(link.id),
    actions: html`${auditOf(page, 'referral_link', link.id)}<a class="button" href="${at('/links', { user_id: link.user_id })}">Links of the member</a>${buttons}`,
    body: html`${card({ body: top })}${beside(leads, about)}${drawDialogs(page, link)}`,
  };
}

function drawDialogs(page: Look, link: CountedLink): Html {
  const { can, format } = page;
  const isOn = link.status === 'active';
  const change =
    can(updateReferralLink) &&
    html`${dialog({
      id: 'change',
      title: 'Change the link',
      body: page.form('change', {
        note: 'Its address stays: what was printed leads to the new destination.',
        fields: linkFields(page, link),
        submit: 'Change the link',
      }),
    })}${dialog({
      id: 'switch',
      title: isOn ? 'Disable the link?' : 'Enable the link?',
      body: page.form(isOn ? 'disable' : 'enable', {
        note: isOn ? 'Whoever follows it finds nothing. It can be enabled again.' : 'It leads to its destination again.',
        submit: isOn ? 'Disable' : 'Enable',
        tone: isOn ? 'danger' : 'main',
      }),
    })}`;
  const remove =
    can(deleteReferralLink) &&
    dialog({
      id: 'delete',
      title: 'Delete the link for good?',
      body: page.form('delete', {
        note: `It had ${format.count(link.click_count)} clicks. What they have earned stays. The address is never given to another link.`,
        submit: 'Delete for good',
        tone: 'danger',
      }),
    });
  return html`${change}${remove}`;
}
