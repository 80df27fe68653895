/** One person as a document. */
import type { z } from 'zod';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { actor, auditOf } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { type ShownSession, sessionsTable } from '../../../pages/parts/sessions-table.ts';
import { ago, exactTime } from '../../../pages/parts/time.ts';
import type { getStaffMember } from '../../staff/staff-operations.ts';
import { factorWords } from './people-view.ts';
import { ROLE_CHOICES, roleWord } from './role-words.ts';

type Person = z.output<(typeof getStaffMember)['response']>;
type Page = Pick<PageContext, 'at' | 'can' | 'form' | 'format'>;

export function drawPerson(page: Page, person: Person, sessions: readonly ShownSession[]): PageView {
  const { at, format } = page;
  const name = person.name ?? person.email ?? 'Removed';
  const isThere = person.state !== 'removed';
  const about = facts([
    { name: 'State', value: stateChip(person.state) },
    { name: 'Email', value: person.email },
    { name: 'Role', value: roleWord(person.role) },
    { name: 'Second factor', value: factorWords(person.factors) },
    { name: 'Invited by', value: actor(page, person.createdBy) },
    { name: 'Joined', value: person.joinedAt && exactTime(format, person.joinedAt) },
    { name: 'Last signed in', value: person.lastSignedInAt && ago(format, person.lastSignedInAt) },
  ]);
  const change = page.form('change', {
    fields: [
      { name: 'name', label: 'Name', value: person.name, required: person.name !== null, maxLength: 200 },
      { name: 'role', label: 'Role', type: 'radio', value: person.role, choices: ROLE_CHOICES },
    ],
    submit: 'Keep the changes',
  });
  const list = sessionsTable(page, sessions, (id) =>
    page.form('end', { key: id, hidden: { sessionId: id }, inline: true, submit: 'End', tone: 'plain' }),
  );
  const endAll =
    sessions.some(({ status }) => status === 'open') && page.form('endAll', { inline: true, submit: 'End all', tone: 'plain' });
  return {
    title: name,
    crumbs: [{ label: 'People', href: at('/people') }],
    actions: html`${auditOf(page, 'staff', person.id)}<a class="button" href="${at('/audit', { actorKind: 'staff', actorId: person.id })}">What they did</a>`,
    body: html`${beside(
      html`${isThere && card({ title: 'Change', body: change })}${card({ title: 'Sessions', actions: endAll, flush: true, body: list })}`,
      html`${card({ title: 'About', body: about })}${isThere && card({ title: 'Way in', body: html`<div class="actions">${opensDialog('password-link', 'New password…')}${person.factors.length > 0 && opensDialog('reset-factors', 'Remove second factors…')}${opensDialog('switch', person.state === 'disabled' ? 'Enable…' : 'Disable…')}${opensDialog('remove', 'Remove…')}</div>` })}`,
    )}${isThere && dialogs(page, person, name)}`,
  };
}

function dialogs(page: Page, person: Person, name: string): Html {
  const isOff = person.state === 'disabled';
  const toggle = page.form('switch', {
    note: isOff ? `${name} may sign in again.` : `${name} is signed out within a second, and cannot sign in until enabled again.`,
    hidden: { disabled: isOff ? 'no' : 'yes' },
    submit: isOff ? 'Enable' : 'Disable',
    tone: isOff ? 'main' : 'danger',
  });
  const remove = page.form('remove', {
    note: 'For good: email, password, second factors and sessions are gone. The name stays where it says who did something. Keys that the person has made go on working.',
    submit: `Remove ${name}`,
    tone: 'danger',
  });
  const link = page.form('passwordLink', {
    note: 'A link that works once, within an hour. It ends all sessions when it is used. For seven days the person counts as you where a second pair of hands is asked for.',
    submit: 'Make the link',
  });
  const factors = page.form('resetFactors', {
    note: 'For somebody who has lost them. All sessions end, and the next sign-in is by the password alone. For seven days the person counts as you where a second pair of hands is asked for.',
    submit: 'Remove the second factors',
    tone: 'danger',
  });
  return html`${dialog({ id: 'switch', title: isOff ? 'Enable' : 'Disable', body: toggle })}${dialog({ id: 'remove', title: 'Remove', body: remove })}${dialog({ id: 'password-link', title: 'A link for a new password', body: link })}${dialog({ id: 'reset-factors', title: 'Remove all second factors', body: factors })}`;
}
