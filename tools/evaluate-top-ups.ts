/**
 * Calculates the top-ups of a settled period again, by the explain documents of the period event and of the purchases that it
 * is about, without the service's code. `node tools/evaluate-top-ups.ts period.json purchase.json…` prints `ok`, or each
 * difference and exits with 1. Under a ceiling it says only that no more is paid than the step gives: what is left under the
 * ceiling goes by what others were paid meanwhile. Other ladders of the plan are taken as they were at the sale.
 */
import { readFileSync } from 'node:fs';
import { recalculate } from './evaluate-explain.ts';
import type { ExplainDocument } from './explain-document.ts';

export interface PeriodDocument {
  attribution: { user_id: string };
  period: {
    ladder: string;
    currency: string;
    sum: string;
    step: number;
    top_ups: {
      purchase_event_id: string;
      level: number;
      paid_level: number;
      paid: { sum: string; step: number; amount_minor: number };
      settled: { step: number; amount_minor: number };
      topped_up_before_minor: number;
      amount_minor: number;
    }[];
  };
}

interface Paid {
  outcomes: { user_id: string; level: number; shares: { paid_level: number; amount_minor: number }[] }[];
}

/** What is different from the calculation; nothing when the document is right. */
export function findTopUpDifferences({ attribution, period }: PeriodDocument, purchases: readonly ExplainDocument[]): string[] {
  const { user_id } = attribution;
  return period.top_ups.flatMap((topUp, index) => {
    const purchase = purchases.find(({ event_id }) => event_id === topUp.purchase_event_id);
    const plan = purchase?.plan?.definition;
    const steps = plan?.ladders?.find(({ id }) => id === period.ladder)?.steps;
    if (!purchase || !plan || !steps) return [`top_ups[${index}]: there is no document of its purchase`];
    const begins = steps[period.step]?.from ?? 0;
    const from = (typeof begins === 'number' ? begins : begins[period.currency]) ?? 0;
    const reached = BigInt(period.sum) > BigInt(from) ? period.sum : `${from}`;
    const paidWith = (sum: string): number => {
      const upline = purchase.inputs.upline.map((member) =>
        member.user_id === user_id ? { ...member, ladder_sums: { ...member.ladder_sums, [period.ladder]: sum } } : member,
      );
      const inputs = { ...purchase.inputs, upline };
      const { outcomes } = recalculate(plan, { ...purchase, inputs }, inputs) as Paid;
      const own = outcomes.find((one) => one.user_id === user_id && one.level === topUp.level);
      return own?.shares.find((share) => share.paid_level === topUp.paid_level)?.amount_minor ?? 0;
    };
    const { paid, settled } = topUp;
    const whole = paidWith(reached);
    const isLimited = plan.caps?.perEventPayoutBps != null;
    const wrong = [
      [paidWith(paid.sum) === paid.amount_minor, `it was paid ${paid.amount_minor}, by its sum ${paidWith(paid.sum)}`],
      [
        isLimited ? settled.amount_minor <= whole : settled.amount_minor === whole,
        `it comes to ${settled.amount_minor}, not ${whole}`,
      ],
      [
        topUp.amount_minor === settled.amount_minor - paid.amount_minor - topUp.topped_up_before_minor,
        `it got ${topUp.amount_minor}, which is not the difference`,
      ],
    ] as const;
    return wrong.flatMap(([isRight, why]) => (isRight ? [] : [`top_ups[${index}]: ${why}`]));
  });
}

if (import.meta.main) {
  const [period, ...purchases] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
  const differences = findTopUpDifferences(period, purchases);
  console.log(differences.join('\n') || 'ok');
  process.exitCode = Math.min(1, differences.length);
}
