/** The public contract of clicks: docs/specification/attribution.md#clicks. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { text, timestamp, uuid } from '../../http/schemas.ts';

/** What names what led to somebody. */
const SOURCES = ['link_id', 'slug', 'referral_code', 'click_id'] as const;
/** What a click that came by a redirect has from there. */
const OF_NEW_CLICKS = ['ip', 'user_agent', 'referrer'] as const;

const body = z
  .strictObject({
    link_id: uuid.nullish().meta({ description: 'The link; null: none' }),
    slug: text(64).nullish().meta({ description: 'The last part of a link: /r/{slug}, in any case' }),
    referral_code: text(64).nullish().meta({ description: 'Without regard to case' }),
    click_id: text(255).nullish().meta({ description: 'As a redirect gave it to the destination; needs `customer`' }),
    customer: z
      .strictObject({ external_id: text(255) })
      .nullish()
      .meta({ description: 'Whose click it was' }),
    ip: z
      .string()
      .max(45)
      .refine((address) => isIP(address) !== 0, 'must be an IP address')
      .nullish()
      .meta({ description: "The visitor's; only a keyed digest of the day is kept" }),
    user_agent: text(1024).nullish().meta({ description: "The visitor's; a bot's click is not recorded" }),
    referrer: text(2048).nullish().meta({ description: 'Address of the page that the visitor came from; its host is kept' }),
  })
  .superRefine((given, context) => {
    const fault = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: field === '' ? [] : [field], message });
    if (SOURCES.filter((field) => given[field] != null).length !== 1) {
      fault('', 'must have exactly one of link_id, slug, referral_code and click_id');
    }
    if (given.click_id == null) return;
    if (given.customer == null) fault('customer', 'is required with click_id');
    for (const field of OF_NEW_CLICKS) {
      if (given[field] != null) fault(field, 'must be left out with click_id: the click has its own');
    }
  })
  .meta({
    example: {
      referral_code: 'F9DZ3HZQDS',
      customer: { external_id: 'customer-77' },
      ip: '203.0.113.7',
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      referrer: 'https://blog.example/post',
    },
  });

const clickResource = z
  .object({
    click_id: z.string().nullable().meta({ description: 'Signed, for `attribution` and leads; null: not recorded' }),
    link_id: uuid.nullable().meta({ description: 'The link; null: none' }),
    referral_code: z.string().nullable().meta({ description: 'Of a click by a code' }),
    user_id: uuid.meta({ description: 'The member that the link or code was of' }),
    clicked_at: timestamp.nullable().meta({ description: 'When it was clicked; null: not known' }),
    customer_external_id: z.string().nullable().meta({ description: "The customer's id in the tenant's system" }),
  })
  .meta({ id: 'Click' });

export type ClickAnswer = z.input<typeof clickResource>;

export const recordClick = defineOperation({
  method: 'post',
  path: '/api/v1/referrals/clicks',
  operationId: 'recordClick',
  group: 'Referrals',
  summary: 'Record a click, or say whose one was',
  description:
    'With `link_id`, `slug` or `referral_code` a click is recorded, for tenants whose own servers or apps take the visitors in; without `user_agent` it is taken for a person. With `click_id` the click that a redirect recorded is tied to the customer, once and for all.',
  scope: 'referrals:write',
  body,
  success: [
    { status: 201, meaning: 'Recorded' },
    { status: 200, meaning: 'Tied to the customer; or, with `click_id` null, not recorded, for the user agent is a bot' },
  ],
  response: clickResource,
  errors: ['STATE_CONFLICT'],
});
