/** What can be done with a commission: each button names the amount. */
import { type Html, html } from '../../../pages/html.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { holdCommission, releaseCommission, voidCommission } from '../../commissions/commissions-operations.ts';
import type { CommissionWhy, Look } from './commission-facts.ts';

interface Deed {
  name: 'hold' | 'release' | 'void';
  operation: typeof holdCommission;
  from: readonly string[];
  opens: string;
  title: string;
  note: string;
  /** Behind it stands the amount. */
  submit: string;
}

const DEEDS: readonly Deed[] = [
  {
    name: 'release',
    operation: releaseCommission,
    from: ['held'],
    opens: 'Release…',
    title: 'Release this commission?',
    note: 'It is pending again, or cleared when its time has come. While a dispute of the sale is open it stays held.',
    submit: 'Release',
  },
  {
    name: 'hold',
    operation: holdCommission,
    from: ['pending', 'cleared'],
    opens: 'Hold…',
    title: 'Put this commission on hold?',
    note: 'It is neither cleared nor paid until somebody releases it. Everything linked to it is held too.',
    submit: 'Hold',
  },
  {
    name: 'void',
    operation: voidCommission,
    from: ['pending', 'held', 'cleared'],
    opens: 'Void…',
    title: 'Void this commission for good?',
    note: 'What is left of it is taken back by a line of its own. Nothing reinstates it.',
    submit: 'Void for good:',
  },
];

/** Those that its state allows. */
function deedsFor({ can }: Look, { commission }: CommissionWhy): Deed[] {
  return DEEDS.filter(({ from, operation }) => from.includes(commission.status) && can(operation));
}

/** Buttons that open the forms. */
export function offersOf(page: Look, why: CommissionWhy): Html {
  return html`${deedsFor(page, why).map(({ name, opens }) => opensDialog(name, opens))}`;
}

export function drawDeeds(page: Look, why: CommissionWhy): Html {
  const { currency } = why.commission;
  const left = page.format.money(why.netMinor, currency);
  return html`${deedsFor(page, why).map(({ name, title, note, submit }) =>
    dialog({
      id: name,
      title,
      body: page.form(name, {
        note,
        fields: [{ name: 'reason', label: 'Why', required: true, maxLength: 500, hint: 'For your colleagues.' }],
        submit: `${submit} ${left}`,
        tone: name === 'release' ? 'main' : 'danger',
      }),
    }),
  )}`;
}
