/** One member as a document: on top what they are owed, then their team, sales and accounts, and who changed what. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { label, stateChip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { type Fact, facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import { drawnName, isolated, nameOf } from '../../../pages/parts/member-name.ts';
import { dateOf } from '../../../pages/parts/time.ts';
import { exportMemberData } from '../../profile/data-export-operations.ts';
import { eraseMember } from '../../profile/erasure-operations.ts';
import { addGroupMembers } from '../../users/group-operations.ts';
import { moveMember } from '../../users/sponsor-operations.ts';
import { updateUser } from '../../users/users-operations.ts';
import { drawAudit, drawHistory } from './member-changes-view.ts';
import type { MemberFacts } from './member-facts.ts';
import {
  drawAccounts,
  drawBalances,
  drawCommissions,
  drawHoldDialog,
  drawMonths,
  drawSales,
  holdButton,
} from './member-money-view.ts';
import { drawTeam } from './member-team-view.ts';
import { TIERS } from './members-view.ts';

export function drawMember(page: PageContext, member: MemberFacts): PageView {
  const { at } = page;
  const { user } = member;
  return {
    title: nameOf(user),
    crumbs: [{ label: 'Members', href: at('/members') }],
    crumb: id(user.id),
    lead: html`${isolated(user.email)} ${stateChip(user.is_active ? 'active' : 'inactive')} ${label(user.membership_tier)}${user.group !== 'default' && html` ${label(user.group)}`}${user.standing !== 'approved' && html` ${stateChip(user.standing)}`}${!user.can_recruit && html` ${label('may not recruit')}`}${user.is_test_user && html` ${label('test')}`}`,
    actions: drawActions(page, member),
    body: html`${drawBalances(page, member)}${beside(
      html`${drawCommissions(page, member)}${drawSales(page, member)}${drawMonths(page, member)}${drawHistory(page, member)}`,
      html`${drawFacts(page, member)}${drawTeam(page, member)}${drawVerification(page, member)}${drawAccounts(page, member)}${drawAudit(page, member)}`,
    )}${drawDialogs(page, member)}`,
  };
}

/** For `can`: of the export only its scope is asked. */
const dataExport = exportMemberData([]);

function drawActions(page: PageContext, { user, hold, groups = [] }: MemberFacts): Html {
  const { at, can } = page;
  return html`${eventsOf(page, user.id)}${can(updateUser) && opensDialog('change-member', 'Change…')}${can(moveMember) && html`<a class="button" href="${at(`/members/${user.id}/move`)}">Move…</a>`}${groups.length > 1 && opensDialog('move-to-group', 'Group…')}${holdButton(page, hold)}${can(updateUser) && opensDialog('activity', user.is_active ? 'Deactivate…' : 'Activate…')}${can(dataExport) && html`<a class="button" href="${at(`/members/${user.id}/data-export`)}" download="member-${user.id}.json">Export data</a>`}${can(eraseMember) && opensDialog('erase-member', 'Erase…')}`;
}

function drawFacts({ at, format }: PageContext, { user, profile, upline }: MemberFacts): Html {
  const [sponsor] = upline ?? [];
  return card({
    title: 'Facts',
    body: facts([
      {
        name: 'Recruited by',
        value:
          user.parent_id === null
            ? html`<span class="muted">nobody: a root of the tree</span>`
            : html`<a href="${at(`/members/${user.parent_id}`)}">${sponsor ? drawnName(sponsor) : 'Sponsor'}</a>`,
      },
      { name: 'Joined', value: dateOf(format, user.joined_at) },
      { name: 'Group', value: html`<code>${user.group}</code>` },
      { name: 'Created by', value: user.created_by?.name ?? user.created_by?.kind },
      { name: 'Referral code', value: html`<code>${user.referral_code}</code>` },
      { name: 'External id', value: user.external_id !== null && html`<code>${user.external_id}</code>` },
      { name: 'Paid in', value: user.pay_currency },
      ...(profile ? personalFacts(profile) : []),
    ]),
  });
}

/** Of the profile what was given. */
function personalFacts(profile: NonNullable<MemberFacts['profile']>): Fact[] {
  const { address } = profile;
  const place = [address?.addressLine1, address?.addressLine2, address?.postalCode, address?.city, address?.countryCode];
  const lines = place.filter((line) => typeof line === 'string' && line !== '');
  const given: [string, string | null][] = [
    ['Given name', profile.givenName],
    ['Surname', profile.surname],
    ['Born', profile.dateOfBirth],
    ['ID number', profile.idNumber],
    ['Business', profile.businessName],
    ['Address', lines.join(', ') || profile.countryCode],
  ];
  const known = given.flatMap(([name, value]) => (value === null || value === '' ? [] : [{ name, value }]));
  return known.length > 0 ? known : [{ name: 'Profile', value: html`<span class="muted">not given yet</span>` }];
}

const KYC_WORDS: Readonly<Record<string, string>> = { manual: 'by the staff', kycvendor: 'by the provider' };

function drawVerification(page: PageContext, { kyc }: MemberFacts): Html | undefined {
  if (kyc === undefined) return undefined;
  if (kyc === null) {
    return card({
      title: 'Verification',
      body: html`<p class="muted">Not started. Where the tenant asks for it, nothing is paid to the member before.</p>`,
    });
  }
  const { format } = page;
  const current = kyc.documents.filter(({ superseded }) => !superseded);
  return card({
    title: 'Verification',
    actions: html`${page.opens(`/verification/${kyc.id}`) && html`<a class="button" href="${page.at(`/verification/${kyc.id}`)}">Review</a>`}${eventsOf(page, kyc.id, { label: 'Events of the verification' })}`,
    body: facts([
      { name: 'State', value: stateChip(kyc.status) },
      { name: 'Reviewed', value: KYC_WORDS[kyc.provider] ?? kyc.provider },
      { name: 'Verified', value: kyc.verifiedAt !== null && dateOf(format, kyc.verifiedAt) },
      { name: 'Good until', value: kyc.expiresAt !== null && dateOf(format, kyc.expiresAt) },
      kyc.rejectionReason !== null && { name: 'Because', value: kyc.rejectionReason },
      {
        name: 'Documents',
        value:
          current.length > 0 &&
          html`<ul class="lines">${current.map(({ documentType, status }) => html`<li>${documentType.replaceAll('_', ' ')} ${stateChip(status)}</li>`)}</ul>`,
      },
      { name: 'Record', value: id(kyc.id) },
    ]),
  });
}

function drawDialogs(page: PageContext, member: MemberFacts): Html {
  const { user, groups = [] } = member;
  const { can } = page;
  const change =
    can(updateUser) &&
    dialog({
      id: 'change-member',
      title: `Change ${nameOf(user)}`,
      body: page.form('change', {
        fields: [
          { name: 'name', label: 'Name', value: user.name, maxLength: 255 },
          { name: 'email', label: 'Email', type: 'email', value: user.email, required: true },
          { name: 'external_id', label: 'External id', value: user.external_id, maxLength: 255 },
          {
            name: 'membership_tier',
            label: 'Tier',
            type: 'select',
            value: user.membership_tier,
            required: true,
            choices: TIERS.map((tier) => ({ value: tier, label: tier })),
            hint: 'Counts for sales from now on; commissions for earlier ones keep the former tier.',
          },
          { name: 'pay_currency', label: 'Paid in', value: user.pay_currency, required: true, maxLength: 3 },
          { name: 'can_recruit', label: 'May recruit', type: 'checkbox', value: user.can_recruit },
          { name: 'is_test_user', label: 'Test member: never paid', type: 'checkbox', value: user.is_test_user },
          { name: 'reason', label: 'Why the tier changes', maxLength: 500 },
        ],
        submit: 'Change the member',
      }),
    });
  const group =
    can(addGroupMembers) &&
    groups.length > 1 &&
    dialog({
      id: 'move-to-group',
      title: `Move ${nameOf(user)} into another group`,
      body: page.form('moveToGroup', {
        fields: [
          {
            name: 'group',
            label: 'Group',
            type: 'select',
            value: user.group,
            required: true,
            choices: groups.map(({ key, name }) => ({ value: key, label: name })),
            hint: 'Counts for sales from now on; earlier ones are paid by the plan of the former group.',
          },
          { name: 'reason', label: 'Why', maxLength: 500 },
        ],
        submit: 'Move the member',
      }),
    });
  const activity =
    can(updateUser) &&
    dialog({
      id: 'activity',
      title: user.is_active ? `Deactivate ${nameOf(user)}?` : `Activate ${nameOf(user)}?`,
      body: page.form(user.is_active ? 'deactivate' : 'activate', {
        note: user.is_active
          ? 'Sales from now on pay the member nothing, and payouts are held. What was earned before stays.'
          : 'Sales from now on count for the member again. A hold on payouts stays until it is lifted.',
        fields: [{ name: 'reason', label: 'Why', maxLength: 500 }],
        submit: user.is_active ? 'Deactivate' : 'Activate',
        tone: user.is_active ? 'danger' : 'main',
      }),
    });
  return html`${change}${group}${activity}${drawHoldDialog(page, member)}${can(eraseMember) && eraseDialog(page, member)}`;
}

function eraseDialog(page: PageContext, { user }: MemberFacts): Html {
  return dialog({
    id: 'erase-member',
    title: `Erase the personal data of ${nameOf(user)}?`,
    body: page.form('erase', {
      note: html`For good: email, name, profile and identities go, sessions end, payout accounts lose their details. Commissions and the ledger stay, without a name.`,
      fields: [
        {
          name: 'confirm',
          label: 'Type the email address of the member',
          hint: html`<code>${user.email}</code>`,
          required: true,
          autocomplete: 'off',
        },
        { name: 'reason', label: 'Why', hint: 'It is kept: write nothing of the person into it.', maxLength: 500 },
        { name: 'acknowledgeOwed', label: 'I know that money may be owed to the member, which is paid later', type: 'checkbox' },
      ],
      submit: 'Erase the personal data',
      tone: 'danger',
    }),
  });
}
