/** What can be imported, in words: the columns of each kind, and what a key needs to make such things. */
import type { Need, PageContext } from '../../../pages/define-page.ts';
import type { Choice } from '../../../pages/parts/form.ts';
import { recordPurchase } from '../../events/purchases/purchase-operations.ts';
import { captureLead } from '../../leads/leads-operations.ts';
import { createRateOverride } from '../../rates/rates-operations.ts';
import { createUser } from '../../users/users-operations.ts';

export const IMPORTED = ['members', 'leads', 'purchases', 'rate_overrides'] as const;
export type Imported = (typeof IMPORTED)[number];

interface Kind {
  word: string;
  /** Whose effect each row has. */
  effect: Need;
  required: readonly string[];
  optional: readonly string[];
  example: string;
}

/** A test compares the columns with the operation's own words. */
export const KINDS: Readonly<Record<Imported, Kind>> = {
  members: {
    word: 'Members',
    effect: createUser,
    required: ['email'],
    optional: [
      'name',
      'external_id',
      'membership_tier',
      'group',
      'joined_at',
      'is_active',
      'can_recruit',
      'pay_currency',
      'referral_code',
      'sponsor_email',
      'sponsor_external_id',
      'sponsor_code',
      'parent_id',
    ],
    example: 'email,name,sponsor_email\nada@shop.example,Ada,\nlee@shop.example,Lee,ada@shop.example',
  },
  leads: {
    word: 'Leads',
    effect: captureLead,
    required: ['email'],
    optional: ['name', 'phone', 'referral_code', 'source', 'utm_source', 'utm_medium', 'utm_campaign', 'click_id'],
    example: 'email,name,referral_code\nmia@shop.example,Mia,ADA10',
  },
  purchases: {
    word: 'Purchases',
    effect: recordPurchase,
    required: ['external_event_id', 'amount_minor', 'currency', 'customer_external_id'],
    optional: [
      'type',
      'occurred_at',
      'tax_minor',
      'shipping_minor',
      'discount_minor',
      'discount_code',
      'customer_email',
      'customer_name',
      'customer_country',
      'buyer_user_id',
      'attribution_user_id',
      'attribution_referral_code',
    ],
    example: 'external_event_id,amount_minor,currency,customer_external_id\norder-1001,4990,EUR,customer-77',
  },
  rate_overrides: {
    word: 'Agreed rates',
    effect: createRateOverride,
    required: ['target'],
    optional: [
      'target_id',
      'email',
      'external_id',
      'referral_code',
      'plan_id',
      'level',
      'skus',
      'categories',
      'rate_bps',
      'flat_minor',
      'currency',
      'per',
      'valid_from',
      'reason',
    ],
    example: 'target,email,referral_code,rate_bps\nmember,ada@shop.example,,1500\ncode,,ADA10,2000',
  },
};

/** Those that the reader may make. */
export function offered({ can }: Pick<PageContext, 'can'>): Imported[] {
  return IMPORTED.filter((kind) => can(KINDS[kind].effect));
}

export const MODES: readonly Choice[] = [
  {
    value: 'validate',
    label: 'Look at it first',
    hint: 'Every row is tried and nothing is kept. You see what would be refused.',
  },
  { value: 'apply', label: 'Carry it out', hint: 'Rows that are in order are kept; the others are listed.' },
];
