/** The form of scheduled drafts, and what it says. */
import { invalidField } from '../../../errors.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import type { Html } from '../../../pages/html.ts';
import { CADENCES, type Cadence, CUTOFFS, type Cutoff } from '../../payouts/open/payout-schedule.ts';

export interface Entry {
  currency: string;
  cadence: Cadence;
  days: (number | 'last')[];
  localTime: string | undefined;
  cutoff: Cutoff;
}

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const CADENCE_WORDS: Readonly<Record<Cadence, string>> = {
  weekly: 'Every week',
  twice_a_month: 'Twice a month',
  monthly: 'Every month',
};

const CUTOFF_WORDS: Readonly<Record<Cutoff, string>> = {
  now: 'What has cleared by then',
  end_of_previous_month: 'What had cleared when the month began',
};

const days = [...Array.from({ length: 28 }, (_day, at) => String(at + 1)), 'last'].map((value) => ({
  value,
  label: value === 'last' ? 'the last day' : value,
}));

/** What a form remembers of how it was drawn, to be sent with what it changes. */
export function drawnOf(schedule: readonly Entry[]): string {
  return JSON.stringify(
    schedule.map(({ currency, cadence, days: on, localTime, cutoff }) => ({ currency, cadence, days: on, localTime, cutoff })),
  );
}

/** VALIDATION_ERROR of a form that does not say it; the operation reads what it says. */
export function drawnIn(form: FormValues): Entry[] {
  try {
    const drawn: unknown = JSON.parse(form.raw('drawn'));
    if (Array.isArray(drawn)) return drawn.map((one: Partial<Entry> | null) => ({ ...one }) as Entry);
  } catch {
    // As one that says nothing.
  }
  throw invalidField('drawn', 'must be the schedule that the form was drawn of');
}

export function scheduleForm(page: Pick<PageContext, 'form' | 'tenant'>, schedule: readonly Entry[]): Html {
  return page.form('schedule', {
    hidden: { drawn: drawnOf(schedule) },
    note: 'In the place of what there is for the currency. It drafts only: people approve and pay as ever.',
    fields: [
      { name: 'currency', label: 'Currency', required: true, maxLength: 3, value: page.tenant.currency },
      {
        name: 'cadence',
        label: 'How often',
        type: 'radio',
        value: 'monthly',
        choices: CADENCES.map((value) => ({ value, label: CADENCE_WORDS[value] })),
      },
      {
        name: 'weekday',
        label: 'Every week on',
        type: 'select',
        required: true,
        value: '1',
        choices: WEEKDAYS.map((label, at) => ({ value: String(at + 1), label })),
      },
      { name: 'day', label: 'Every month on day', type: 'select', required: true, value: '1', choices: days },
      { name: 'secondDay', label: 'Twice a month also on day', type: 'select', required: true, value: '15', choices: days },
      { name: 'localTime', label: `At, in ${page.tenant.timeZone}`, value: '06:00', maxLength: 5, hint: 'As 06:00.' },
      {
        name: 'cutoff',
        label: 'Of what is paid',
        type: 'radio',
        value: 'now',
        choices: CUTOFFS.map((value) => ({ value, label: CUTOFF_WORDS[value] })),
      },
    ],
    submit: 'Draft by schedule',
  });
}

/** VALIDATION_ERROR of a field that chooses what there is not. */
export function entryOf(form: FormValues): Entry {
  const cadence = CADENCES.find((one) => one === form.raw('cadence'));
  if (cadence === undefined) throw invalidField('cadence', 'choose one');
  const cutoff = CUTOFFS.find((one) => one === form.raw('cutoff'));
  if (cutoff === undefined) throw invalidField('cutoff', 'choose one');
  const currency = form.raw('currency').trim().toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) throw invalidField('currency', 'must be a currency such as EUR');
  const localTime = form.text('localTime');
  if (localTime !== undefined && !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(localTime))
    throw invalidField('localTime', 'must be a time such as 06:00');
  return { currency, cadence, days: daysOf(form, cadence), localTime, cutoff };
}

function daysOf(form: FormValues, cadence: Cadence): (number | 'last')[] {
  if (cadence === 'weekly') return [dayOf(form, 'weekday', 7)];
  const first = dayOf(form, 'day', 28);
  if (cadence === 'monthly') return [first];
  const second = dayOf(form, 'secondDay', 28);
  if (first === second) throw invalidField('secondDay', 'must be another day');
  return [first, second];
}

function dayOf(form: FormValues, name: string, last: number): number | 'last' {
  const typed = form.raw(name);
  if (typed === 'last' && last > 7) return 'last';
  const day = Number(typed);
  if (!Number.isInteger(day) || day < 1 || day > last) throw invalidField(name, 'must be a day');
  return day;
}

const ordinal = (day: number | 'last'): string => (day === 'last' ? 'the last day' : `day ${day}`);

/** "Every week on Monday at 06:00 in Europe/Berlin: what has cleared by then". */
export function scheduleWords(
  { cadence, days: on, localTime, cutoff }: Pick<Entry, 'cadence' | 'days' | 'cutoff'> & { localTime: string },
  timeZone: string,
): string {
  const when = cadence === 'weekly' ? (WEEKDAYS[Number(on[0]) - 1] ?? '') : on.map((day) => ordinal(day)).join(' and ');
  const what = CUTOFF_WORDS[cutoff];
  return `${CADENCE_WORDS[cadence]} on ${when} at ${localTime} in ${timeZone}: ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
}
