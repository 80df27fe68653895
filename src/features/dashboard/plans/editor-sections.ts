/** The fields of the plan editor, in sections: what each is called, and what it takes. */
import type { Choice, Field } from '../../../pages/parts/form.ts';
import { tierNames } from './plan-cells.ts';
import { type Edited, ROWS, type RowsName } from './plan-rows.ts';

export interface Row {
  title: string;
  fields: Field[];
  /** The row can be taken out. */
  rows?: { name: RowsName; index: number };
}

export interface Section {
  /** As problems name it. */
  name: string;
  title: string;
  hint?: string;
  fields: Field[];
  rows: Row[];
  /** What its button adds. */
  adds?: { name: RowsName; label: string };
}

const choice = (value: string, label: string): Choice => ({ value, label });
const AMOUNTS = 'Amounts with their currencies, as 50.00 USD, 40.00 EUR.';
const PAYS = 'A percent as 12.5 %, sums as 5.00 USD, 4.00 EUR, or “ladder” and its id.';

export function sectionsOf({ from }: Edited): Section[] {
  const select = (name: string, label: string, choices: Choice[], hint?: string): Field => ({
    name,
    label,
    type: 'select',
    choices,
    required: true,
    ...(hint !== undefined && { hint }),
  });
  const text = (name: string, label: string, more: Partial<Field> = {}): Field => ({ name, label, autocomplete: 'off', ...more });
  const check = (name: string, label: string): Field => ({ name, label, type: 'checkbox' });
  const lines = (name: string, label: string): Field => ({ name, label, type: 'textarea', hint: 'One a line. Empty: all.' });
  const isFull = (name: RowsName): boolean => from[name].length >= ROWS[name];

  return [
    {
      name: 'kind',
      title: 'What is paid, and on what',
      fields: [
        select('mode', 'Kind of plan', [
          choice('unilevel', 'Each level its rate'),
          choice('differential', 'Each tier what those below have not got'),
        ]),
        select('base', 'Calculated on', [
          choice('net_of_tax_shipping', 'What was paid, less tax and shipping'),
          choice('net_of_tax', 'What was paid, less tax'),
          choice('gross', 'What was paid'),
          choice('line_items', 'The line items that the scope names'),
        ]),
        select('compression', 'A member who does not qualify', [
          choice('compress', 'Is skipped: the next above takes the level'),
          choice('roll_up', 'Misses it: the level goes to the next who qualifies'),
          choice('none', 'Misses it: the company keeps the level'),
        ]),
        select('personalPurchase', "A member's own purchase", [
          choice('sponsor_first', 'Pays from the sponsor up'),
          choice('self_rebate', 'Pays the member as level 1'),
          choice('none', 'Pays nobody'),
        ]),
      ],
      rows: [],
    },
    {
      name: 'levels',
      title: 'Levels',
      hint: `Level 1 is the credited member. ${PAYS}`,
      fields: [],
      rows: from.levels.map((_level, index) => ({
        title: `Row ${index + 1}`,
        fields: [
          text(`levels[${index}].level`, 'Level', { required: true, inputmode: 'numeric' }),
          text(`levels[${index}].pays`, 'Pays', { required: true }),
        ],
        rows: { name: 'levels', index },
      })),
      ...(!isFull('levels') && { adds: { name: 'levels', label: 'Add a level' } }),
    },
    {
      name: 'tiers',
      title: 'Tiers',
      hint: 'How deep each tier is paid; 0 pays it nothing. The rate is of differential plans alone.',
      fields: [],
      rows: tierNames(from).map((tier, index) => ({
        title: tier,
        fields: [
          text(`tiers[${index}].maxDepth`, 'Deepest level', { inputmode: 'numeric' }),
          text(`tiers[${index}].multiplierMilli`, 'Multiplied by', { inputmode: 'decimal' }),
          text(`tiers[${index}].rateBps`, 'Own rate'),
        ],
      })),
    },
    {
      name: 'qualification',
      title: 'Who qualifies',
      fields: [
        check('qualification.active', 'Only active members'),
        check('qualification.kycApproved', 'Only verified members'),
        text('qualification.minPersonalSalesMinor', 'Own sales needed in the month', { hint: AMOUNTS }),
        text('qualification.minActiveDirects', 'Active recruits needed', { required: true, inputmode: 'numeric' }),
      ],
      rows: [],
    },
    {
      name: 'recurring',
      title: 'Renewals',
      fields: [
        check('recurring.enabled', 'Renewals are paid'),
        text('recurring.maxMonths', 'For so many months', { hint: 'Empty: without end.', inputmode: 'numeric' }),
        text('recurring.maxEvents', 'So many of them', { hint: 'Empty: all.', inputmode: 'numeric' }),
      ],
      rows: [],
    },
    {
      name: 'holding',
      title: 'Holding, currency and minimum payout',
      fields: [
        text('holding.days', 'Days that a commission is held', { required: true, inputmode: 'numeric' }),
        select('holding.appliesTo', 'Held are', [choice('all_levels', 'All levels'), choice('level_1', 'Level 1 alone')]),
        select('fx.payCurrency', 'Paid in the currency of', [choice('purchase', 'The purchase'), choice('member', 'The member')]),
        text('minimumPayoutMinor', 'Least that is paid out', { hint: AMOUNTS }),
      ],
      rows: [],
    },
    {
      name: 'caps',
      title: 'Limits',
      fields: [
        text('caps.perEventPayoutBps', 'Most of one sale', { hint: 'A percent of the base. Empty: no limit.' }),
        text('caps.perMemberPeriodMinor', 'Most for a member in a month', { hint: `${AMOUNTS} Empty: no limit.` }),
        text('caps.perCustomerLifetimeMinor', 'Most for a customer, ever', { hint: `${AMOUNTS} Empty: no limit.` }),
      ],
      rows: [],
    },
    {
      name: 'reversal',
      title: 'Refunds after payout',
      fields: [
        select('reversal.recoverAfterPayout', 'What is taken back', [
          choice('carry_forward', 'The member owes it'),
          choice('write_off', 'The company bears it'),
        ]),
        text('reversal.floorMinor', 'Most that a member can owe', { hint: `${AMOUNTS} Empty: any sum.` }),
        text('reversal.writeOffAfterDays', 'Written off after days', { hint: 'Empty: never.', inputmode: 'numeric' }),
      ],
      rows: [],
    },
    {
      name: 'rules',
      title: 'Rules',
      hint: `Asked in this order: the first that holds pays in place of the level. ${PAYS} Behind a sum may stand “a piece”.`,
      fields: [],
      rows: from.rules.map((_rule, index) => ({
        title: `Rule ${index + 1}`,
        fields: [
          text(`rules[${index}].id`, 'Id', { required: true, mono: true, maxLength: 40 }),
          text(`rules[${index}].levels`, 'Levels', { required: true, hint: '“all”, or as 1, 2.' }),
          text(`rules[${index}].pay`, 'Pays', { required: true }),
          check(`rules[${index}].final`, 'Comes before what was agreed with members'),
          text(`rules[${index}].when`, 'Where, as JSON', { type: 'textarea', required: true, mono: true }),
        ],
        rows: { name: 'rules', index },
      })),
      ...(!isFull('rules') && { adds: { name: 'rules', label: 'Add a rule' } }),
    },
    {
      name: 'ladders',
      title: 'Ladders',
      hint: 'Rates that rise with what a member has sold. A level or a rule pays by one.',
      fields: [],
      rows: from.ladders.map((_ladder, index) => ({
        title: `Ladder ${index + 1}`,
        fields: [
          text(`ladders[${index}].id`, 'Id', { required: true, mono: true, maxLength: 40 }),
          select(`ladders[${index}].measure`, 'Goes by', [
            choice('sales', 'How many sales'),
            choice('base', 'What commissions were calculated on'),
            choice('amount', 'What was paid'),
          ]),
          select(`ladders[${index}].period`, 'In a', [
            choice('month', 'Month'),
            choice('quarter', 'Quarter'),
            choice('year', 'Year'),
            choice('lifetime', 'Lifetime'),
          ]),
          select(`ladders[${index}].settle`, 'A step counts', [
            choice('next_sale', 'From the next sale on'),
            choice('whole_period', 'Afterwards for all sales of the period'),
          ]),
          text(`ladders[${index}].settleAfterDays`, 'Settled so many days later', { required: true, inputmode: 'numeric' }),
          check(`ladders[${index}].ownPurchases`, 'Own purchases count'),
          text(`ladders[${index}].steps`, 'Steps', {
            type: 'textarea',
            required: true,
            hint: 'One a line: from where, a colon, the percent. As 10: 5 % of numbers of sales, 1000.00 USD: 5 % of sums; the first from 0 or “no sum”.',
          }),
        ],
        rows: { name: 'ladders', index },
      })),
      ...(!isFull('ladders') && { adds: { name: 'ladders', label: 'Add a ladder' } }),
    },
    {
      name: 'overrides',
      title: 'What is agreed with members',
      fields: [
        check('overrides.on', 'Rates agreed with members, for links or codes count'),
        text('overrides.levels', 'For the levels', { hint: 'As 1, 2.' }),
        text('overrides.maxRateBps', 'Highest rate that counts', { hint: 'A percent.' }),
        text('overrides.maxFlatMinor', 'Highest sums that count', { hint: AMOUNTS }),
      ],
      rows: [],
    },
    {
      name: 'scope',
      title: 'Which sales',
      fields: [
        text('scope.priority', 'Priority', {
          required: true,
          inputmode: 'numeric',
          hint: 'Of several plans that cover a sale the highest pays.',
        }),
        {
          name: 'scope.types',
          label: 'Types of sales; none chosen: all',
          type: 'checkboxes',
          choices: [
            choice('one_time', 'One time'),
            choice('subscription_initial', 'Start of a subscription'),
            choice('subscription_renewal', 'Renewal'),
          ],
        },
        lines('scope.skus', 'Articles'),
        lines('scope.categories', 'Categories'),
        lines('scope.groups', 'Groups of members'),
      ],
      rows: [],
    },
  ];
}

/** Of all fields, then of all sections. */
export function namesOf(sections: readonly Section[]): string[] {
  const fields = sections.flatMap(({ fields: own, rows }) => [...own, ...rows.flatMap((row) => row.fields)]);
  return [...fields.map(({ name }) => name), ...sections.map(({ name }) => name)];
}
