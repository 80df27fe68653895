/** One lead as a document, with the receipts of its attribution. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { actor, auditOf } from '../../../pages/parts/actor.ts';
import { drawCandidates } from '../../../pages/parts/candidates.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { chip, stateChip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { listReceipts } from '../../attribution/receipts-operations.ts';
import { convertLead, updateLead } from '../../leads/leads-operations.ts';
import { createUser } from '../../users/users-operations.ts';
import type { Lead } from './leads-view.ts';

type Receipt = AnswerOf<typeof listReceipts>['data'][number];

export interface LeadFacts {
  lead: Lead;
  /** Undefined where the role may not see them. */
  receipts: readonly Receipt[] | undefined;
  names: MemberNames;
}

type Look = Pick<PageContext, 'at' | 'can' | 'form' | 'format'>;

const TIERS = ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'].map((value) => ({ value, label: value }));

export function drawLead(page: Look, all: LeadFacts): PageView {
  const { lead } = all;
  return {
    title: lead.name ?? lead.email,
    lead: html`<bdi>${lead.email}</bdi> ${stateChip(lead.conversion_status)}`,
    crumbs: [{ label: 'Leads', href: page.at('/leads') }],
    crumb: id(lead.id),
    actions: html`${auditOf(page, 'lead', lead.id)}${eventsOf(page, lead.id)}${offers(page, lead)}`,
    body: html`${beside(drawReceipts(page, all), about(page, all))}${drawDialogs(page, lead)}`,
  };
}

function isOpen({ conversion_status: state }: Lead): boolean {
  return state === 'captured' || state === 'qualified';
}

function offers({ can }: Look, lead: Lead): Html {
  const open = isOpen(lead);
  const mayChange = can(updateLead);
  return html`${mayChange && opensDialog('change', 'Change…')}${mayChange && open && html`${lead.conversion_status === 'captured' && opensDialog('qualify', 'Qualify…')}${opensDialog('disqualify', 'Disqualify…')}${opensDialog('expire', 'Expire…')}`}${open && can(convertLead, createUser) && opensDialog('convert', 'Make a member…')}`;
}

function drawReceipts(page: Look, { lead, receipts, names }: LeadFacts): Html {
  const { at, format } = page;
  if (receipts === undefined || receipts.length === 0) {
    const who = lead.referrer_user_id === null ? 'Nobody' : html`<bdi>${names.link(lead.referrer_user_id)}</bdi>`;
    const why = receipts === undefined ? 'Your role does not see receipts.' : 'No capture named anybody, so there is no receipt.';
    return card({ title: 'Credited to', body: html`<p>${who}</p><p class="muted">${why}</p>` });
  }
  return html`${receipts.map((receipt) => {
    const counts = receipt.id === lead.attribution_receipt_id;
    const again = receipt.decided_again ? chip('the same', 'good') : chip('otherwise', 'bad');
    const nobody = receipt.user_id === null && html`<p>Nobody is credited.</p>`;
    return card({
      title: counts ? 'Credited to' : 'A capture that changed nothing',
      lead: html`${exactTime(format, receipt.as_of)}, <a href="${at(`/attributions/${receipt.id}`)}">receipt</a>. Decided again now: ${again}`,
      body: html`<div class="stack-small">${nobody}${drawCandidates(page, { candidates: receipt.candidates, names })}</div>`,
    });
  })}`;
}

function about(page: Look, { lead, names }: LeadFacts): Html {
  const { format } = page;
  const text = (value: string | null) => value !== null && html`<bdi class="break">${value}</bdi>`;
  const campaign = [lead.utm_source, lead.utm_medium, lead.utm_campaign].filter((part) => part !== null);
  return card({
    title: 'About',
    body: facts([
      { name: 'Email', value: text(lead.email) },
      { name: 'Phone', value: text(lead.phone) },
      { name: 'Source', value: text(lead.source) },
      campaign.length > 0 && { name: 'Campaign', value: text(campaign.join(' / ')) },
      lead.click_id !== null && { name: 'Click', value: id(lead.click_id) },
      lead.converted_user_id !== null && {
        name: 'Member now',
        value: html`<bdi>${names.link(lead.converted_user_id)}</bdi>`,
      },
      { name: 'Captured', value: exactTime(format, lead.created_at) },
      { name: 'Captured by', value: lead.created_by && html`<bdi>${actor(page, lead.created_by)}</bdi>` },
      { name: 'Changed', value: exactTime(format, lead.updated_at) },
      lead.updated_by !== null && { name: 'Changed by', value: html`<bdi>${actor(page, lead.updated_by)}</bdi>` },
      { name: 'Expires', value: lead.expires_at === null ? 'never' : exactTime(format, lead.expires_at) },
    ]),
  });
}

function drawDialogs(page: Look, lead: Lead): Html {
  const { can } = page;
  const change =
    can(updateLead) &&
    dialog({
      id: 'change',
      title: 'Change the lead',
      body: page.form('change', {
        fields: [
          { name: 'name', label: 'Name', value: lead.name, maxLength: 255 },
          { name: 'phone', label: 'Phone', value: lead.phone, maxLength: 32 },
          { name: 'source', label: 'Source', value: lead.source, maxLength: 100 },
        ],
        submit: 'Change the lead',
      }),
    });
  if (!isOpen(lead)) return html`${change}`;
  const steps =
    can(updateLead) &&
    html`${
      lead.conversion_status === 'captured' &&
      dialog({
        id: 'qualify',
        title: 'Qualify this lead?',
        body: page.form('qualify', { note: 'It can still become a member, be disqualified or expire.', submit: 'Qualify' }),
      })
    }${dialog({
      id: 'disqualify',
      title: 'Disqualify this lead?',
      body: page.form('disqualify', {
        note: 'For good. Purchases of this email are credited to nobody by it any more.',
        submit: 'Disqualify for good',
        tone: 'danger',
      }),
    })}${dialog({
      id: 'expire',
      title: 'Let this lead expire now?',
      body: page.form('expire', { note: 'For good. It credits nobody any more.', submit: 'Expire now', tone: 'danger' }),
    })}`;
  const convert =
    can(convertLead, createUser) &&
    dialog({
      id: 'convert',
      title: 'Make a member of this lead',
      body: page.form('convert', {
        note: 'The member has the email of the lead, and its referrer as sponsor; without a referrer it is a root of the tree.',
        fields: [
          { name: 'membership_tier', label: 'Tier', type: 'select', value: 'ORDINARY', required: true, choices: TIERS },
          { name: 'external_id', label: 'Your id of the member', maxLength: 255 },
        ],
        submit: 'Make the member',
      }),
    });
  return html`${change}${steps}${convert}`;
}
