/** The sample sale beside the editor: what is typed of it, and its quote by the draft. */
import { AppError, type FieldFault } from '../../../errors.ts';
import { currencyDigits, isCurrency } from '../../../money.ts';
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import { type FormValues, formValues } from '../../../pages/form-values.ts';
import { chosenMember } from '../../../pages/parts/chosen-member.ts';
import type { Field } from '../../../pages/parts/form.ts';
import { type MemberNames, memberNames } from '../../../pages/parts/member-names.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { quotePurchase } from '../../events/quotes/quote-operations.ts';
import { listUpline } from '../../genealogy/genealogy-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';

export interface Sale {
  amountMinor: number;
  currency: string;
  taxMinor: number;
  shippingMinor: number;
}

export interface Quoted {
  faults: FieldFault[];
  quoted?: { sale: Sale; quote: AnswerOf<typeof quotePurchase>; definition: PlanDefinition; names: MemberNames };
  /** Why there is no quote although nothing was typed wrongly. */
  message?: string;
}

type Look = Pick<PageContext, 'at' | 'can' | 'invoke' | 'invokeIfAllowed' | 'tenant'>;

/** What the fields say at first. */
export function firstSale({ tenant }: Pick<PageContext, 'tenant'>): FormValues {
  const { currency } = tenant;
  const amount = (100).toFixed(currencyDigits(currency));
  return formValues(new URLSearchParams({ 'sale.amount': amount, 'sale.currency': currency, 'sale.type': 'one_time' }));
}

/** What is folded away until somebody needs it. */
export const isFurther = ({ name }: Pick<Field, 'name'>): boolean =>
  !['sale.amount', 'sale.currency', 'sale.member'].includes(name);

export function saleFields({ can }: Pick<PageContext, 'can'>): Field[] {
  const people: Field = {
    name: 'sale.member',
    label: 'Credited to',
    placeholder: 'Email, name, id or code',
    autocomplete: 'off',
    hint: 'A member, or whose code the customer used.',
  };
  return [
    { name: 'sale.amount', label: 'Amount', type: 'money', required: true, autocomplete: 'off' },
    { name: 'sale.currency', label: 'Currency', required: true, maxLength: 3, autocomplete: 'off' },
    ...(can(listUpline) ? [people] : []),
    { name: 'sale.tax', label: 'Tax in it', type: 'money', autocomplete: 'off' },
    { name: 'sale.shipping', label: 'Shipping in it', type: 'money', autocomplete: 'off' },
    {
      name: 'sale.type',
      label: 'Type',
      type: 'select',
      required: true,
      choices: [
        { value: 'one_time', label: 'One time' },
        { value: 'subscription_initial', label: 'Start of a subscription' },
        { value: 'subscription_renewal', label: 'Renewal' },
      ],
    },
    { name: 'sale.country', label: "Customer's country", maxLength: 2, placeholder: 'DE', autocomplete: 'off' },
    { name: 'sale.discountCode', label: 'Discount code', maxLength: 64, autocomplete: 'off' },
    {
      name: 'sale.lines',
      label: 'Line items',
      type: 'textarea',
      hint: 'One a line: article; pieces; amount; category. As TEA-1; 2; 40.00; drinks.',
    },
  ];
}

/** The quote of the sale by the definition; without one only what is wrong with the sale. */
export async function quoteSale(page: Look, form: FormValues, definition: PlanDefinition | undefined): Promise<Quoted> {
  try {
    const { faults, body } = await readSale(page, form);
    if (faults.length > 0 || !definition) return { faults };
    const quote = await page.invoke(quotePurchase, { body: { ...body, definition } });
    const names = await memberNames(page, [quote.attribution.userId, ...quote.outcomes.map(({ userId }) => userId)], (ids) =>
      page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } }),
    );
    return { faults: [], quoted: { sale: body, quote, definition, names } };
  } catch (error) {
    if (!(error instanceof AppError) || (error.status >= 500 && error.status !== 503)) throw error;
    const faults = fieldsOf(error).map(({ field, message }) => ({ field: fieldFor(field), message }));
    return faults.length > 0 ? { faults } : { faults, message: error.message };
  }
}

const FIELD_FOR: Readonly<Record<string, string>> = {
  amountMinor: 'sale.amount',
  currency: 'sale.currency',
  taxMinor: 'sale.tax',
  shippingMinor: 'sale.shipping',
  type: 'sale.type',
  customerCountry: 'sale.country',
  discountCode: 'sale.discountCode',
};

function fieldFor(field: string): string {
  if (field.startsWith('lineItems')) return 'sale.lines';
  if (field.startsWith('attribution')) return 'sale.member';
  return FIELD_FOR[field] ?? field.replace(/^definition\./, '');
}

async function readSale(page: Look, form: FormValues): Promise<{ faults: FieldFault[]; body: Sale & Record<string, unknown> }> {
  const faults: FieldFault[] = [];
  const currency = form.raw('sale.currency').trim().toUpperCase();
  if (!isCurrency(currency)) {
    faults.push({ field: 'sale.currency', message: 'must be a currency such as EUR' });
    return { faults, body: { amountMinor: 0, currency, taxMinor: 0, shippingMinor: 0 } };
  }
  const minor = (name: string): number | undefined => {
    try {
      return form.minor(name, currency);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(...fieldsOf(error));
      return undefined;
    }
  };
  const amountMinor = minor('sale.amount');
  if (amountMinor === undefined && faults.length === 0) faults.push({ field: 'sale.amount', message: 'must be an amount' });
  const lineItems = linesOf(form, currency, faults);
  const typed = form.text('sale.member');
  const member = await chosenMember(typed, (query) => page.invokeIfAllowed(listMembers, { query }));
  const attribution = member.id === undefined ? { referralCode: typed } : { userId: member.id };
  const body = {
    amountMinor: amountMinor ?? 0,
    currency,
    taxMinor: minor('sale.tax') ?? 0,
    shippingMinor: minor('sale.shipping') ?? 0,
    type: form.text('sale.type'),
    customerCountry: form.text('sale.country'),
    discountCode: form.text('sale.discountCode'),
    ...(typed !== undefined && page.can(listUpline) && { attribution }),
    ...(lineItems.length > 0 && { lineItems }),
  };
  return { faults, body };
}

function linesOf(form: FormValues, currency: string, faults: FieldFault[]): object[] {
  const lines = (form.text('sale.lines') ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line, index) => {
    const [sku = '', pieces = '', amount = '', category = ''] = line.split(';').map((part) => part.trim());
    const one = formValues(new URLSearchParams({ amount }));
    try {
      const amountMinor = one.minor('amount', currency);
      if (amountMinor !== undefined && /^(?:\d{1,7})?$/.test(pieces))
        return [{ sku, amountMinor, ...(pieces !== '' && { quantity: Number(pieces) }), ...(category !== '' && { category }) }];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    faults.push({ field: 'sale.lines', message: `line ${index + 1} must be article; pieces; amount; category` });
    return [];
  });
}

function fieldsOf(error: AppError): FieldFault[] {
  const fields = error.details?.['fields'];
  return Array.isArray(fields) ? (fields as FieldFault[]) : [];
}
