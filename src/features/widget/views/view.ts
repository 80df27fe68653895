/** What the frame's pages are read with. Source: docs/specification/widget.md#reads. */
import type { Invoke } from '../../../http/invoke.ts';
import type { Caller, Origin } from '../../../http/operation.ts';
import { currencyDigits, toMajorText } from '../../../money.ts';
import type { DownlineVisibility } from '../../genealogy/open/mask-person.ts';

/** How the tenant is set up. */
export interface WidgetFacts {
  currency: string;
  timeZone: string;
  /** The time that money goes by. */
  now: Date;
  destinationHosts: string[];
  /** Null of a tenant that has set nothing. */
  visibility: DownlineVisibility | null;
}

export interface View {
  invoke: Invoke;
  /** The member, with the rights that the page takes. */
  by: { caller: Caller; origin: Origin; idempotencyKey?: string | undefined };
  memberId: string;
  facts: WidgetFacts;
  query: Readonly<Record<string, string | undefined>>;
}

/** An exact decimal text, with the digits of the currency. */
export interface Money {
  amount: string;
  currency: string;
}

/** Of minor units; where a sum is too large for a JSON number, its exact text beside it. */
export function moneyOf(minor: number | string | null, currency: string, exact?: string): Money {
  const text = exact ?? minor;
  if (text === null) throw new Error('a sum has neither a number nor its text');
  return { amount: toMajorText(BigInt(text), currency), currency };
}

/** The same of major units, which are exact up to their last digit. */
export function majorMoneyOf(major: number | null, currency: string, exact?: string): Money {
  if (exact !== undefined) return { amount: exact, currency };
  if (major === null) throw new Error('a sum has neither a number nor its text');
  return { amount: major.toFixed(currencyDigits(currency)), currency };
}
