/** The SANDBOX as a document: its clock, what vendors say, and its end. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { chip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { facts } from '../../../pages/parts/facts.ts';
import type { Field } from '../../../pages/parts/form.ts';
import { shortId } from '../../../pages/parts/id.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { listKycReviews } from '../../kyc/review/kyc-queue-operations.ts';
import type { listPayouts } from '../../payouts/payouts/payouts-operations.ts';
import { type getSandboxClock, moveSandboxClock, resetSandbox } from '../../sandbox/sandbox-operations.ts';
import { UNITS } from './clock-units.ts';

type Page = Pick<PageContext, 'at' | 'can' | 'form' | 'format' | 'tenant'>;

export interface SandboxFacts {
  clock: AnswerOf<typeof getSandboxClock>;
  /** Of the simulated vendor. */
  reviews: AnswerOf<typeof listKycReviews>['data'];
  /** On their way, and paid of late. */
  payouts: AnswerOf<typeof listPayouts>['data'];
  names: MemberNames;
}

export function drawSandbox(page: Page, shown: SandboxFacts): PageView {
  return {
    lead: 'Only this environment: nothing here reaches LIVE, and no money moves.',
    body: beside(
      html`${clockCard(page, shown)}${vendorsCard(page, shown)}`,
      html`${tipsCard()}${page.can(resetSandbox) && resetCard(page)}`,
    ),
  };
}

function clockCard(page: Page, { clock }: SandboxFacts): Html {
  const { format, tenant } = page;
  const advance = page.form('advance', {
    fields: [
      {
        name: 'advanceSeconds',
        label: 'Forward by',
        type: 'number',
        value: 1,
        required: true,
        inputmode: 'numeric',
      },
      { name: 'unit', label: 'Of', type: 'select', value: 'days', required: true, choices: UNITS },
    ],
    submit: 'Move the clock',
    inline: true,
  });
  const freeze = page.form('freeze', {
    fields: [{ name: 'frozenAt', label: `To an instant, in ${tenant.timeZone}`, type: 'datetime-local', required: true }],
    submit: 'Move it there and stop it',
    tone: 'plain',
    inline: true,
  });
  return card({
    id: 'clock',
    title: 'Clock',
    lead: 'Money goes by it. Holding times end, months close and runs become due before the next page is drawn. It never goes back.',
    actions: clock.frozen ? chip('stands still', 'waiting') : chip('runs', 'good'),
    body: html`${facts([{ name: 'Now', value: exactTime(format, clock.now) }], { row: true })}${page.can(moveSandboxClock) && html`<div class="stack sandbox-moves">${advance}${freeze}</div>`}`,
  });
}

/** Choices where there are some, else an id to be typed. */
function which(name: string, label: string, choices: readonly { value: string; label: string }[], none: string): Field {
  if (choices.length > 0) return { name, label, type: 'select', required: true, choices };
  return { name, label, required: true, mono: true, placeholder: '018f3c1e-…', hint: none };
}

const words = (values: readonly string[]) => values.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

function vendorsCard(page: Page, { reviews, payouts, names }: SandboxFacts): Html {
  const { format } = page;
  const kyc = page.form('kyc', {
    fields: [
      which(
        'userId',
        'Member',
        reviews.map(({ userId, status }) => ({ value: userId, label: `${names.text(userId)} (${status.replaceAll('_', ' ')})` })),
        'No verification was started with the vendor yet. The id of the member.',
      ),
      {
        name: 'outcome',
        label: 'The vendor says',
        type: 'select',
        required: true,
        value: 'approved',
        choices: words(['approved', 'rejected', 'resubmit_required', 'pending', 'on_hold', 'reset']),
      },
      { name: 'reason', label: 'Why', maxLength: 500, hint: 'What the member is shown, of rejected and resubmit required.' },
    ],
    submit: 'Send the event',
  });
  const payout = page.form('payout', {
    fields: [
      which(
        'payoutId',
        'Payout',
        payouts.map(({ id, userId, amountMinor, amountMinorExact, currency, status }) => ({
          value: id,
          label: `${format.money(amountMinor ?? amountMinorExact ?? 0, currency)} to ${names.text(userId)} (${status}, ${shortId(id)})`,
        })),
        'None is on its way. The id of a payout.',
      ),
      {
        name: 'outcome',
        label: 'The vendor says',
        type: 'select',
        required: true,
        value: 'paid',
        choices: words(['paid', 'failed', 'returned']),
      },
    ],
    submit: 'Send the event',
  });
  const account = page.form('account', {
    fields: [
      {
        name: 'accountId',
        label: 'Payout account',
        required: true,
        mono: true,
        placeholder: '018f3c1e-…',
        hint: 'Its id. All accounts of the member in the country stand so then.',
      },
      {
        name: 'outcome',
        label: 'The vendor says',
        type: 'select',
        required: true,
        value: 'active',
        choices: words(['active', 'action_required', 'rejected']),
      },
    ],
    submit: 'Send the event',
  });
  const parts = [
    { title: 'A verification', form: kyc },
    { title: 'A payout', form: payout },
    { title: 'A payout account', form: account },
  ].filter(({ form }) => form.text !== '');
  return card({
    id: 'vendors',
    title: 'What vendors say',
    lead: 'The simulated vendors send an event, as the real ones would. It goes the same way.',
    body:
      parts.length === 0
        ? html`<p class="muted">Your role decides neither verifications nor payouts here.</p>`
        : html`<div class="sandbox-vendors">${parts.map(({ title, form }) => html`<section><h3>${title}</h3>${form}</section>`)}</div>`,
  });
}

function tipsCard(): Html {
  return card({
    title: 'Outcomes by themselves',
    lead: 'Without an event, what becomes of a member follows from what it is called.',
    body: facts([
      {
        name: 'Email ends in',
        value: html`<code>+kyc-approve</code>, <code>+kyc-reject</code>, <code>+kyc-resubmit</code> before the @`,
      },
      {
        name: 'Account ends in',
        value: html`<code>0003</code> payouts fail, <code>0004</code> they come back, <code>0006</code> it is refused`,
      },
    ]),
  });
}

function resetCard(page: Page): Html {
  const { slug } = page.tenant;
  const form = page.form('reset', {
    note: 'Members, leads, events, commissions, plans, rates, the ledger and the audit log of this SANDBOX are gone for good, and the default plan is back. Keys, settings and sign-in providers stay.',
    fields: [
      {
        name: 'confirm',
        label: `Type ${slug} to go on`,
        required: true,
        autocomplete: 'off',
        mono: true,
      },
    ],
    submit: 'Erase the SANDBOX',
    tone: 'danger',
  });
  return card({
    title: 'Begin anew',
    lead: 'Everything that was tried here goes.',
    body: html`${opensDialog('reset', 'Erase the SANDBOX…')}${dialog({ id: 'reset', title: 'Erase this SANDBOX', body: form })}`,
  });
}
