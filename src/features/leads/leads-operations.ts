/** The public contract of the Leads group: service-description (Users and leads), api-decisions §2. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { email, emailOut, text, timestamp, uuid } from '../../http/schemas.ts';

export const leadResource = z
  .object({
    id: uuid,
    email: emailOut.meta({ description: 'Lower case' }),
    name: z.string().nullable(),
    phone: z.string().nullable(),
    referrer_user_id: uuid.nullable().meta({ description: 'Member whose referral code attributed the lead' }),
    conversion_status: z.enum(['captured', 'qualified', 'converted', 'disqualified', 'expired']),
    source: z.string().nullable(),
    utm_source: z.string().nullable(),
    utm_medium: z.string().nullable(),
    utm_campaign: z.string().nullable(),
    click_id: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Lead' });

export type LeadAnswer = z.input<typeof leadResource>;

const utm = text(255).nullish();

export const captureLead = defineOperation({
  method: 'post',
  path: '/api/v1/leads/capture',
  operationId: 'captureLead',
  group: 'Leads',
  summary: 'Capture a lead',
  description:
    'One lead per email, tenant and environment. Capturing it again answers 200: the first attribution stays and only blank fields are filled. An unknown referral code leaves the lead unattributed.',
  scope: 'leads:write',
  body: z
    .strictObject({
      email,
      name: text(255).nullish(),
      phone: text(32).nullish(),
      referral_code: text(64).nullish(),
      source: text(100).nullish(),
      utm_source: utm,
      utm_medium: utm,
      utm_campaign: utm,
      click_id: utm,
    })
    .meta({ example: { email: 'lee@visitor.example', name: 'Lee Visitor', referral_code: 'F9DZ3HZQDS', source: 'spring-fair' } }),
  success: [
    { status: 201, meaning: 'Captured' },
    { status: 200, meaning: 'This email was captured before' },
  ],
  response: leadResource,
  errors: [],
});
