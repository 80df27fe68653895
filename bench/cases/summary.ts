/** The summaries of a member with very many commission lines, and of one with few. */
import type { Timed, TimedCase, TimedPlan, Times } from '../answer-times.ts';
import type { Earner, Earners } from '../earners.ts';
import { getTimes, keepAliveClient } from '../keep-alive.ts';
import type { Stage } from '../stage.ts';

/** Half a year of sales at least lies in it, whenever this is run. */
const YEAR = new Date(Date.now() - 183 * 86_400_000).getUTCFullYear();
const SUMMARIES = {
  breakdown: 'commissions/breakdown',
  'referral-stats': 'referral-stats',
  'tax-summary': `tax-summary/${YEAR}`,
} as const;

type Summary = keyof typeof SUMMARIES;
type Name = `${Summary}, ${'many' | 'few'} lines`;

/** Six contenders. */
const PLAN: TimedPlan = { rounds: 5, seconds: 1, warmUpSeconds: 2 };
const QUICK_PLAN: TimedPlan = { ...PLAN, rounds: 1, warmUpSeconds: 1 };

export async function summaryCase(stage: Stage, serviceUrl: string, earners: Earners, quick: boolean): Promise<TimedCase<Name>> {
  const { many, few } = earners;
  const pathOf = (earner: Earner, summary: Summary): string => `/api/v1/members/${earner.id}/${SUMMARIES[summary]}`;
  const timesOf = (earner: Earner, summary: Summary): Timed =>
    getTimes(keepAliveClient(serviceUrl, earners.apiKey), () => pathOf(earner, summary));
  const all = ['breakdown', 'referral-stats', 'tax-summary'] as const;
  const greatest = (value: (summary: Summary) => number): number => Math.max(...all.map(value));
  return {
    name: 'summary',
    plan: quick ? QUICK_PLAN : PLAN,
    timed: {
      'breakdown, many lines': timesOf(many, 'breakdown'),
      'breakdown, few lines': timesOf(few, 'breakdown'),
      'referral-stats, many lines': timesOf(many, 'referral-stats'),
      'referral-stats, few lines': timesOf(few, 'referral-stats'),
      'tax-summary, many lines': timesOf(many, 'tax-summary'),
      'tax-summary, few lines': timesOf(few, 'tax-summary'),
    },
    figures: [
      {
        name: `slowest p50 at ${many.lines.toLocaleString('en')} lines`,
        unit: 'ms',
        limit: 5,
        of: (round: Record<Name, Times>) => greatest((summary) => round[`${summary}, many lines`].p50),
      },
      {
        name: `greatest growth ${few.lines.toLocaleString('en')} → ${many.lines.toLocaleString('en')} lines`,
        unit: '×',
        limit: 3,
        of: (round: Record<Name, Times>) =>
          greatest((summary) => round[`${summary}, many lines`].p50 / round[`${summary}, few lines`].p50),
      },
    ],
    async check() {
      for (const earner of [many, few]) await assertSums(stage, serviceUrl, earners, earner, pathOf);
    },
  };
}

/** What the summaries add up to, against the lines and postings themselves. */
async function assertSums(
  stage: Stage,
  serviceUrl: string,
  { tenantId, apiKey }: Earners,
  earner: Earner,
  pathOf: (earner: Earner, summary: Summary) => string,
): Promise<void> {
  const [expected] = await stage.sql<{ earned: number; legs: number; paid: number }>(
    `select (select sum(amount_minor)::float8 / 100 from commission_line where tenant_id = $1 and beneficiary_id = $2) as earned,
            (select sum(amount_minor)::float8 / 100 from commission_line
             where tenant_id = $1 and beneficiary_id = $2 and leg_id is not null) as legs,
            (select sum(p.amount_minor)::float8 / 100 from posting p join journal_entry j on j.tenant_id = $1 and j.id = p.journal_id
             where p.tenant_id = $1 and p.member_id = $2 and p.account = 'member:paid_out'
               and extract(year from j.occurred_at at time zone 'UTC') = $3) as paid`,
    [tenantId, earner.id, YEAR],
  );
  const client = keepAliveClient(serviceUrl, apiKey);
  const read = (summary: Summary): Promise<unknown> => client.getJson(pathOf(earner, summary));
  const breakdown = (await read('breakdown')) as { totalAmount: number };
  const stats = (await read('referral-stats')) as {
    directReferrals: number;
    totalReferrals: number;
    totalCommissionFromReferrals: number;
  };
  const tax = (await read('tax-summary')) as { totalPaid: number };
  client.close();
  const told = [
    breakdown.totalAmount,
    stats.directReferrals,
    stats.totalReferrals,
    stats.totalCommissionFromReferrals,
    tax.totalPaid,
  ];
  const wanted = [expected?.earned, earner.legs, earner.legs * 4, expected?.legs, expected?.paid];
  if (told.join() !== wanted.join()) throw new Error(`summary: ${told.join()} instead of ${wanted.join()}`);
}
