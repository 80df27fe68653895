/** The public contract of the summaries of a member's downline: docs/specification/hierarchy.md#summaries. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { currency, emailOut, majorSumOut, uuid } from '../../http/schemas.ts';
import { period } from './members-operations.ts';

const timeZone = z.string().meta({ description: "The tenant's reporting zone, in which months begin and end" });
const currencyQuery = currency.optional().meta({ description: "The amounts in this currency; default the tenant's" });

export const referralStatistics = z
  .object({
    totalReferrals: z.int().meta({ description: 'Everybody below the member, inactive members included' }),
    directReferrals: z.int().meta({ description: 'Members whose sponsor is this member' }),
    referralsThisMonth: z.int().meta({ description: 'Those below the member who joined in the present month' }),
    conversionRate: z.number().meta({
      description: 'Converted leads among those credited to the member, 0 to 1 with four decimals; 0 when there is none',
    }),
    ...majorSumOut(
      'totalCommissionFromReferrals',
      'What the member earned from sales credited to its downline (level 2 and above), less what was taken back',
    ),
    topPerformers: z
      .array(
        z.object({
          userId: z.string().meta({ override: { type: 'string', format: 'uuid' } }),
          email: emailOut.nullable().meta({ description: 'Null where a bearer token may not see it' }),
          name: z.string().nullable().meta({ description: 'Name; null: none given' }),
          givenName: z.string().nullable().meta({ description: 'First name; null: not known' }),
          surname: z.string().nullable().meta({ description: 'Family name; null: not known' }),
          referralCount: z.int().meta({ description: "The recruit's own direct recruits" }),
          ...majorSumOut('commissionGenerated', 'What the member earned from sales that came through the recruit'),
        }),
      )
      .meta({ description: 'Up to ten present direct recruits, highest `commissionGenerated` first, then by id' }),
    currency,
    timeZone,
  })
  .meta({ id: 'ReferralStatistics' });

export type ReferralStatsAnswer = z.input<typeof referralStatistics>;

export const getReferralStats = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/referral-stats',
  operationId: 'getReferralStats',
  group: 'Member summaries',
  summary: "A member's downline, leads and best recruits",
  description: 'Amounts are of one currency and of all time.',
  scope: 'members:read',
  member: 'self',
  params: z.strictObject({ userId: uuid }),
  query: z.strictObject({ currency: currencyQuery }),
  success: [{ status: 200, meaning: 'The statistics' }],
  response: referralStatistics,
  errors: ['USER_NOT_FOUND'],
});

export const teamStatistics = z
  .object({
    teamSize: z.int().meta({ description: 'Everybody below the member today, inactive members included; whatever the period' }),
    directReferrals: z.int().meta({ description: 'Of them those whose sponsor is this member' }),
    activeMembers: z.int().meta({ description: 'Of them the active ones' }),
    newMembers: z.int().meta({ description: 'Of them those who joined in the period; for `all` everybody' }),
    ...majorSumOut(
      'commission',
      "What the member earned from its downline's sales of the period (level 2 and above), less what was taken back",
    ),
    commissions: z
      .int()
      .meta({ description: 'Number of commission lines that make up `commission`; reversed ones count nowhere' }),
    byLevel: z
      .array(
        z.object({
          level: z.int().meta({ description: 'Real distance from the sale, 2 or more' }),
          ...majorSumOut('amount'),
          count: z.int().meta({ description: 'How many' }),
        }),
      )
      .meta({ description: 'A level without commissions is left out' }),
    period: z.string().meta({ description: 'The period asked for' }),
    currency,
    timeZone,
  })
  .meta({ id: 'TeamStatistics' });

export type TeamStatsAnswer = z.input<typeof teamStatistics>;

export const getTeamStats = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/team-stats',
  operationId: 'getTeamStats',
  group: 'Member summaries',
  summary: "A member's team, its growth and what it earned the member",
  description: 'Commissions are of one currency and count by the date of the sale, new members by the date they joined.',
  scope: 'members:read',
  member: 'self',
  params: z.strictObject({ userId: uuid }),
  query: z.strictObject({
    period: period.default('all').meta({ description: 'A month, or `all`' }),
    currency: currencyQuery,
  }),
  success: [{ status: 200, meaning: 'The statistics' }],
  response: teamStatistics,
  errors: ['USER_NOT_FOUND'],
});
