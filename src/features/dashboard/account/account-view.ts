/** The own account as a document. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { chip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { sessionsTable } from '../../../pages/parts/sessions-table.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago, dateOf } from '../../../pages/parts/time.ts';
import type { getOwnFactors } from '../../staff/factors/factors-operations.ts';
import type { getOwnAccount, listOwnSessions } from '../../staff/staff-operations.ts';

type Factors = AnswerOf<typeof getOwnFactors>;
type Passkey = Factors['passkeys'][number];
type Page = Pick<PageContext, 'at' | 'here' | 'query' | 'form' | 'format'>;

export interface Account {
  person: AnswerOf<typeof getOwnAccount>;
  factors: Factors;
  sessions: AnswerOf<typeof listOwnSessions>;
}

/** With so few codes left new ones are due. */
const FEW_CODES = 3;

export function drawAccount(page: Page, { person, factors, sessions }: Account): PageView {
  const { format } = page;
  const about = facts([
    { name: 'Email', value: html`<bdi>${person.email}</bdi>` },
    { name: 'Role', value: person.role },
    { name: 'Joined', value: person.joinedAt && dateOf(format, person.joinedAt) },
    { name: 'Last signed in', value: person.lastSignedInAt && ago(format, person.lastSignedInAt) },
  ]);
  const name = page.form('rename', {
    fields: [{ name: 'name', label: 'Name', value: person.name, required: true, maxLength: 200, autocomplete: 'name' }],
    submit: 'Change the name',
  });
  const password = page.form('password', {
    fields: [
      {
        name: 'password',
        label: 'The password that you have',
        type: 'password',
        required: true,
        autocomplete: 'current-password',
      },
      {
        name: 'newPassword',
        label: 'The new one',
        type: 'password',
        required: true,
        minLength: 12,
        maxLength: 128,
        autocomplete: 'new-password',
        hint: 'At least 12 characters. Several words are better than one with signs in it.',
      },
    ],
    note: 'It ends all your other sessions.',
    submit: 'Change the password',
  });
  return {
    lead: 'Who you are to the other people of the tenant, and how you sign in.',
    body: beside(
      html`${factorsCard(page, factors)}${sessionsCard(page, sessions)}`,
      html`${card({ title: 'About you', body: html`<div class="own-account">${about}${name}</div>` })}${person.hasPassword && card({ title: 'Password', body: password })}`,
    ),
  };
}

function factorsCard(page: Page, factors: Factors): Html {
  const { format } = page;
  const { passkeys, authenticator, recoveryCodesLeft } = factors;
  const has = passkeys.length > 0 || authenticator !== null;
  const list =
    passkeys.length > 0 &&
    table<Passkey>({
      caption: 'Your passkeys',
      rows: passkeys,
      columns: [
        { title: 'Passkey', cell: ({ name }) => html`<bdi>${name}</bdi>` },
        { title: 'Added', secondary: true, cell: ({ createdAt }) => dateOf(format, createdAt) },
        {
          title: 'Last used',
          secondary: true,
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : ago(format, lastUsedAt)),
        },
        {
          title: 'Change',
          cell: ({ id }) =>
            html`<span class="actions">${opensDialog(`rename-${id}`, 'Rename…')}${opensDialog(`remove-${id}`, 'Remove…')}</span>`,
        },
      ],
      empty: html``,
    });
  const app = authenticator === null ? chip('not set up', 'neutral') : chip('set up', 'good');
  const appDeed =
    authenticator === null
      ? page.form('beginAuthenticator', { submit: 'Set up an app', inline: true, tone: 'plain' })
      : opensDialog('remove-app', 'Remove…');
  const codes = !has
    ? chip('none', 'neutral')
    : chip(`${recoveryCodesLeft} left`, recoveryCodesLeft > FEW_CODES ? 'good' : 'waiting');
  const newPasskey = html`<div class="only-script">${page.form('askForPasskey', { submit: 'Add a passkey', inline: true, tone: has ? 'plain' : 'main' })}</div>`;
  const rows = facts([
    {
      name: 'Passkeys',
      value: html`<div class="actions">${passkeys.length === 0 ? chip('none', 'neutral') : chip(`${passkeys.length}`, 'good')}${newPasskey}</div>`,
    },
    {
      name: 'Authenticator app',
      value: html`<div class="actions">${app}${authenticator !== null && html`<span class="muted">since ${dateOf(format, authenticator.confirmedAt)}</span>`}${appDeed}</div>`,
    },
    {
      name: 'Recovery codes',
      value: has
        ? html`<div class="actions">${codes}${opensDialog('recovery-codes', recoveryCodesLeft === 0 ? 'Make ten codes…' : 'Make new ones…')}</div>`
        : html`${codes} <span class="muted">They stand in for a passkey or an app, once you have one.</span>`,
    },
  ]);
  return card({
    id: 'factors',
    title: 'Second factors',
    lead: 'A passkey is your device and your finger, face or PIN. It signs in alone. An app shows a code that you type behind the password.',
    body: html`${missing(factors, has)}<div class="own-account">${rows}</div>${list}${dialogsOf(page, factors)}`,
  });
}

/** What is to be done first, as somebody sees it who was sent here. */
function missing({ required, recoveryCodesLeft }: Factors, has: boolean): Html | false {
  if (!has) {
    const because = required
      ? 'Your role changes LIVE data only with a second factor.'
      : 'Keys, sign-in providers and a few other things can be changed only with a second factor.';
    return html`<div class="notice notice-waiting"><p>${because} You have none yet: add a passkey, or set up an app.</p></div>`;
  }
  if (recoveryCodesLeft > FEW_CODES) return false;
  const left = recoveryCodesLeft === 0 ? 'You have no recovery codes.' : `Only ${recoveryCodesLeft} recovery codes are left.`;
  return html`<div class="notice notice-waiting"><p>${left} Without one, losing your device means that an owner has to let you in again.</p></div>`;
}

function dialogsOf(page: Page, { passkeys, authenticator }: Factors): Html {
  const passkeyDialogs = passkeys.map(({ id, name }) => {
    const hidden = { passkeyId: id };
    const rename = page.form('renamePasskey', {
      key: id,
      hidden,
      fields: [{ name: 'name', label: 'Name', value: name, required: true, maxLength: 100 }],
      submit: 'Rename',
    });
    const remove = page.form('removePasskey', {
      key: id,
      hidden,
      note: html`<bdi>${name}</bdi> will not sign you in any more. The device itself keeps its half until you remove it there.`,
      submit: 'Remove the passkey',
      tone: 'danger',
    });
    return html`${dialog({ id: `rename-${id}`, title: 'Rename this passkey', body: rename })}${dialog({ id: `remove-${id}`, title: 'Remove this passkey', body: remove })}`;
  });
  const codes = page.form('recoveryCodes', {
    note: 'Ten codes, shown once. Each signs you in once, in place of a second factor. Those that you have now work no more.',
    submit: 'Make ten codes',
  });
  const app = page.form('removeAuthenticator', {
    note: 'Its codes will not be asked for any more. Remove the entry in the app too.',
    submit: 'Remove the app',
    tone: 'danger',
  });
  const some = passkeys.length > 0 || authenticator !== null;
  return html`${passkeyDialogs}${some && dialog({ id: 'recovery-codes', title: 'New recovery codes', body: codes })}${authenticator !== null && dialog({ id: 'remove-app', title: 'Remove the authenticator app', body: app })}`;
}

function sessionsCard(page: Page, { data, nextCursor }: Account['sessions']): Html {
  const list = sessionsTable(page, data, (id) =>
    page.form('endSession', { key: id, hidden: { sessionId: id }, inline: true, submit: 'End', tone: 'plain' }),
  );
  const others = page.form('endOthers', {
    note: 'Every other browser has to sign in again. This one stays.',
    submit: 'Sign out the others',
  });
  const all = page.form('endAll', {
    note: 'This browser too. You sign in again afterwards.',
    submit: 'Sign out everywhere',
    tone: 'danger',
  });
  const notMe = page.form('notMe', {
    note: 'For when somebody else was here in your name. All sessions end, the password works no more, and you choose another here. Look at your second factors afterwards, and tell an owner.',
    submit: 'It was not me: end everything',
    tone: 'danger',
  });
  return card({
    id: 'sessions',
    title: 'Sessions',
    lead: 'Where you are signed in, and were in the last 30 days.',
    actions: html`${opensDialog('sign-out', 'Sign out everywhere…')}${opensDialog('not-me', 'This was not me…')}`,
    flush: true,
    body: html`${list}${pagerOf(page, nextCursor)}${dialog({ id: 'sign-out', title: 'Sign out everywhere', body: html`<div class="stack">${others}${all}</div>` })}${dialog({ id: 'not-me', title: 'This was not me', body: notMe })}`,
  });
}
