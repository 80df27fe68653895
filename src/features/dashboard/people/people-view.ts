/** The people of a tenant as a document: who they are, who is invited, who counts as whom. */
import type { z } from 'zod';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { actor } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip, stateChip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago, exactTime } from '../../../pages/parts/time.ts';
import type { listStaff, listStaffInvites, listStaffTies } from '../../staff/staff-operations.ts';
import { ROLE_CHOICES, roleWord } from './role-words.ts';

type People = z.output<(typeof listStaff)['response']>;
type Person = People['data'][number];
type Invite = z.output<(typeof listStaffInvites)['response']>['data'][number];
type Tie = z.output<(typeof listStaffTies)['response']>['data'][number];
type Page = Pick<PageContext, 'at' | 'here' | 'can' | 'form' | 'format' | 'query' | 'person'>;

export interface PeopleFacts {
  people: People;
  /** Those that are open. */
  invites: readonly Invite[];
  ties: readonly Tie[];
}

export function drawPeople(page: Page, { people, invites, ties }: PeopleFacts): PageView {
  const invite = page.form('invite', {
    fields: [
      { name: 'email', label: 'Email', type: 'email', required: true },
      { name: 'role', label: 'Role', type: 'radio', value: 'read-only', choices: ROLE_CHOICES },
    ],
    submit: 'Invite',
  });
  return {
    lead: 'Of the tenant, in both environments.',
    actions: opensDialog('invite', 'Invite…', { main: true }),
    body: html`${card({ flush: true, body: html`${peopleTable(page, people.data)}${pagerOf(page, people.nextCursor)}` })}${invites.length > 0 && card({ title: 'Open invitations', flush: true, body: inviteTable(page, invites) })}${ties.length > 0 && card({ title: 'Who counts as whom', lead: 'Where a second pair of hands is asked for, these count as one person until the time is over or a third person confirms.', flush: true, body: tieTable(page, ties) })}${dialog({ id: 'invite', title: 'Invite somebody', body: invite })}`,
  };
}

function peopleTable({ at, format, person: me }: Page, people: readonly Person[]) {
  return table<Person>({
    caption: 'People',
    rows: people,
    link: ({ id }) => at(`/people/${id}`),
    columns: [
      { title: 'Name', cell: ({ id, name, email }) => `${name ?? email ?? 'Removed'}${id === me.id ? ' (you)' : ''}` },
      { title: 'Role', secondary: true, cell: ({ role }) => roleWord(role) },
      { title: 'State', cell: ({ state }) => stateChip(state) },
      { title: 'Second factor', secondary: true, cell: ({ factors }) => factorWords(factors) },
      { title: 'Email', secondary: true, cell: ({ email }) => email },
      {
        title: 'Last signed in',
        secondary: true,
        cell: ({ lastSignedInAt }) => (lastSignedInAt === null ? 'never' : ago(format, lastSignedInAt)),
      },
    ],
    empty: empty({ what: 'The people of the tenant appear here', why: 'There are none.' }),
  });
}

export function factorWords(factors: readonly string[]) {
  if (factors.length === 0) return chip('none', 'waiting');
  return chip(factors.map((kind) => (kind === 'totp' ? 'app' : kind)).join(', '), 'good');
}

function inviteTable(page: Page, invites: readonly Invite[]) {
  return table<Invite>({
    caption: 'Open invitations',
    rows: invites,
    columns: [
      { title: 'Who', cell: ({ email }) => email ?? 'Whoever has the welcome link' },
      { title: 'Role', cell: ({ role }) => roleWord(role) },
      { title: 'By', secondary: true, cell: ({ createdBy }) => actor(page, createdBy) },
      { title: 'Works until', cell: ({ expiresAt }) => exactTime(page.format, expiresAt) },
      {
        title: 'Take back',
        cell: ({ id }) =>
          page.form('revoke', { key: id, hidden: { inviteId: id }, inline: true, submit: 'Take back', tone: 'plain' }),
      },
    ],
    empty: html``,
  });
}

function tieTable(page: Page, ties: readonly Tie[]) {
  return table<Tie>({
    caption: 'Who counts as whom',
    rows: ties,
    columns: [
      { title: 'Who', cell: ({ subject }) => actor(page, subject) },
      { title: 'Counts as', cell: ({ countsAs }) => actor(page, countsAs) },
      { title: 'Because', cell: ({ reason }) => reason.replaceAll('_', ' ') },
      { title: 'Until', secondary: true, cell: ({ until }) => exactTime(page.format, until) },
      {
        title: 'Confirm',
        cell: ({ id }) =>
          page.form('confirmTie', { key: id, hidden: { tieId: id }, inline: true, submit: 'Has own hands', tone: 'plain' }),
      },
    ],
    empty: html``,
  });
}
