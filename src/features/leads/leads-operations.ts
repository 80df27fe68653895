/** The public contract of the Leads group: docs/specification/attribution.md#leads. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { pageQuery, snakeListOf } from '../../http/pagination.ts';
import { currency, email, emailOut, instant, membershipTier, namedActor, text, timestamp, uuid } from '../../http/schemas.ts';
import { memberResource } from '../users/open/member-resource.ts';
import { usersErrors } from '../users/open/users-errors.ts';
import { LEAD_SORTS } from './lead-sorts.ts';
import { LEAD_STATUSES } from './lead-status.ts';
import { captureBody } from './open/capture.ts';

const leadStatus = z.enum(LEAD_STATUSES).meta({
  id: 'LeadStatus',
  description:
    '`captured`; `qualified`: found worth pursuing; `converted`: became a member; `disqualified`: found not to be; `expired`: not converted in time',
});

const leadResource = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    email: emailOut.meta({ description: 'Lower case' }),
    name: z.string().nullable().meta({ description: 'Full name; null: not given' }),
    phone: z.string().nullable().meta({ description: 'Phone number; null: none' }),
    referrer_user_id: uuid.nullable().meta({ description: 'Member that the lead is credited to' }),
    attribution_rule: z
      .string()
      .nullable()
      .meta({ description: 'What found the referrer, such as `referral_code` or `click`; null of a lead without a receipt' }),
    attribution_receipt_id: uuid
      .nullable()
      .meta({ description: 'The receipt by which it has its referrer: GET /api/v1/referrals/attributions/{receipt_id}' }),
    conversion_status: leadStatus,
    converted_user_id: uuid.nullable().meta({ description: 'The member that the lead has become' }),
    source: z.string().nullable().meta({ description: 'Where it came from, as the tenant writes' }),
    utm_source: z.string().nullable().meta({ description: 'UTM source; null: none' }),
    utm_medium: z.string().nullable().meta({ description: 'UTM medium; null: none' }),
    utm_campaign: z.string().nullable().meta({ description: 'UTM campaign; null: none' }),
    click_id: z.string().nullable().meta({ description: 'The click that led here; null: none' }),
    expires_at: timestamp
      .nullable()
      .meta({ description: 'When it expires, or did, unless it was converted or disqualified before; null: never' }),
    created_by: namedActor.nullable().meta({ description: 'Null of a lead from before it was kept' }),
    updated_by: namedActor.nullable().meta({ description: 'Of the last change, should there have been one' }),
    created_at: timestamp.meta({ description: 'When it was made' }),
    updated_at: timestamp.meta({ description: 'Of the last change; a capture that fills no blank is none' }),
  })
  .meta({ id: 'Lead' });

export type LeadAnswer = z.input<typeof leadResource>;

export const captureLead = defineOperation({
  method: 'post',
  path: '/api/v1/leads/capture',
  operationId: 'captureLead',
  group: 'Leads',
  summary: 'Capture a lead',
  description: [
    'One lead per email, tenant and environment. Capturing it again answers 200: the first attribution stays and only blank fields are filled, whatever its status, which stays too. A lead that is converted, disqualified or expired gets no referrer any more.',
    "A member's email is a 200 too: the lead is `converted` to that member, whose sponsor stays, and gets no referrer.",
    "The referrer is the owner of `referral_code`, or else of the link or code that `click_id` was clicked on, within the tenant's window. A code or click id that leads to nobody leaves the lead unattributed; the receipt says why each was passed over.",
    "The lead expires the settings' `leadExpiryDays` after its capture.",
  ].join(' '),
  scope: 'leads:write',
  body: captureBody,
  success: [
    { status: 201, meaning: 'Captured' },
    { status: 200, meaning: "This email was captured before, or is a member's" },
  ],
  response: leadResource,
  errors: [],
});

export const listLeads = defineOperation({
  method: 'get',
  path: '/api/v1/leads',
  operationId: 'listLeads',
  group: 'Leads',
  summary: 'List leads, in the order they were captured unless sorted',
  scope: 'leads:read',
  query: z.strictObject({
    email: email.optional().meta({ description: 'Exact, without regard to case' }),
    conversion_status: leadStatus.optional().meta({ description: 'Leads in this status' }),
    referrer_user_id: uuid.optional().meta({ description: 'Leads of this member' }),
    source: text(100).optional().meta({ description: 'Where it came from, as the tenant writes' }),
    created_from: instant.optional().meta({ description: 'Captured at this instant or later' }),
    created_to: instant.optional().meta({ description: 'Captured before this instant' }),
    sort: z.enum(LEAD_SORTS).optional().meta({ description: '`created_at`: the oldest first; `-created_at`: the newest' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: snakeListOf(leadResource),
  errors: [],
});

const leadParams = z.strictObject({ lead_id: uuid });

export const getLead = defineOperation({
  method: 'get',
  path: '/api/v1/leads/{lead_id}',
  operationId: 'getLead',
  group: 'Leads',
  summary: 'Read a lead',
  scope: 'leads:read',
  params: leadParams,
  success: [{ status: 200, meaning: 'The lead' }],
  response: leadResource,
  errors: ['NOT_FOUND'],
});

export const updateLead = defineOperation({
  method: 'patch',
  path: '/api/v1/leads/{lead_id}',
  operationId: 'updateLead',
  group: 'Leads',
  summary: "Change a lead's details or status",
  description:
    'A captured lead may become `qualified`, and a captured or qualified one `disqualified` or `expired`; those are final, as is `converted`, which only POST /api/v1/leads/{lead_id}/convert or the creation of a member with its email makes it. The status that it has already changes nothing; any other change is a 409. `expired` brings `expires_at` forward to now. A lead whose `expires_at` has passed counts as expired. With a 409 no field is changed.',
  scope: 'leads:write',
  params: leadParams,
  body: z
    .strictObject({
      name: text(255).nullable().optional().meta({ description: 'Full name; null: not given' }),
      phone: text(32).nullable().optional().meta({ description: 'Phone number; null: none' }),
      source: text(100).nullable().optional().meta({ description: 'Where it came from, as the tenant writes' }),
      conversion_status: leadStatus.optional().meta({
        description:
          '`qualified`, `disqualified` or `expired`; `captured` and `converted` are a 409, unless the lead is so already',
      }),
    })
    .refine(
      (body) => Object.values(body).some((value) => value !== undefined),
      'must set name, phone, source or conversion_status',
    )
    .meta({ example: { conversion_status: 'qualified', phone: '+49 30 1234' } }),
  success: [{ status: 200, meaning: 'The lead as it is now' }],
  response: leadResource,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

export const convertLead = defineOperation({
  method: 'post',
  path: '/api/v1/leads/{lead_id}/convert',
  operationId: 'convertLead',
  group: 'Leads',
  summary: 'Make a member of a lead',
  description:
    'The member has the email of the lead and its referrer as sponsor; without a referrer it is a root. Both are written together or not at all. A lead that is converted, disqualified or expired, or becomes so meanwhile, is a 409.',
  scope: 'leads:write',
  effects: [{ operationId: 'createUser', when: '', has: () => true }],
  params: leadParams,
  body: z
    .strictObject({
      membership_tier: membershipTier.nullish().meta({ description: 'Tier of the member; default ORDINARY' }),
      is_active: z.boolean().nullish().meta({ description: 'Whether the member is active; default true' }),
      can_recruit: z.boolean().nullish().meta({ description: 'Whether the member may have recruits; default true' }),
      is_test_user: z
        .boolean()
        .nullish()
        .meta({ description: 'Whether it is a test member, which is never paid; default false' }),
      name: text(255).nullish().meta({ description: "Default the lead's" }),
      external_id: text(255).nullish().meta({ description: "Id in the tenant's own system" }),
      pay_currency: currency.nullish().meta({ description: "Currency that the member is paid in; default the tenant's" }),
    })
    .optional()
    .meta({ example: { membership_tier: 'SENIOR' } }),
  success: [{ status: 201, meaning: 'Converted; `Location` names the member' }],
  response: z.object({ lead: leadResource, user: memberResource }),
  errors: [
    'NOT_FOUND',
    'STATE_CONFLICT',
    usersErrors.EMAIL_EXISTS,
    usersErrors.EXTERNAL_ID_EXISTS,
    usersErrors.RECRUITING_DISABLED,
  ],
});
