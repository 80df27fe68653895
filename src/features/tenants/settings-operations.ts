/** The public contract of a tenant's settings: api-decisions §1 (Tenant settings), §6. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { currency, timestamp } from '../../http/schemas.ts';

const settings = z
  .object({
    defaultCurrency: currency.meta({ description: "Of members' status and of summaries that name no other" }),
    reportingTimeZone: z.string().meta({ description: 'IANA; days and months of summaries, plans and holding begin by it' }),
    updatedAt: timestamp,
  })
  .meta({ id: 'Settings' });

export const getSettings = defineOperation({
  method: 'get',
  path: '/api/v1/admin/settings',
  operationId: 'getSettings',
  group: 'Admin',
  summary: "The tenant's settings",
  description: 'They are the same in both environments.',
  scope: 'admin:settings',
  success: [{ status: 200, meaning: 'The settings' }],
  response: settings,
  errors: [],
});

export const updateSettings = defineOperation({
  method: 'patch',
  path: '/api/v1/admin/settings',
  operationId: 'updateSettings',
  group: 'Admin',
  summary: "Change the tenant's settings",
  description:
    'Both environments change together, so only a LIVE key may do it. Summaries follow a new time zone at once. What was recorded stays: the currency of a member or a commission, and when a commission clears.',
  scope: 'admin:settings',
  body: z
    .strictObject({
      defaultCurrency: currency.optional(),
      reportingTimeZone: z.string().min(1).max(100).optional().meta({ description: 'IANA, as `Europe/Berlin`' }),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), {
      message: 'must set something',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ example: { reportingTimeZone: 'Europe/Berlin' } }),
  success: [{ status: 200, meaning: 'The settings as they are now' }],
  response: settings,
  errors: ['ENVIRONMENT_MISMATCH'],
});
