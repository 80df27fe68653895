/** What is different in the ladders of a plan, as sentences. Pure functions. Source: docs/specification/commissions.md#difference. */
import { canonicalJson } from '../../../canonical-json.ts';
import type { Ladder } from './plan-ladders.ts';
import { amountsInWords, listed, percentInWords, quoted } from './plan-words.ts';

const MEASURES: Readonly<Record<Ladder['measure'], string>> = {
  base: 'what commissions were calculated on',
  amount: 'what was paid',
  sales: 'how many sales there were',
};

const PERIODS: Readonly<Record<Ladder['period'], string>> = {
  month: 'in a month',
  quarter: 'in a quarter',
  year: 'in a year',
  lifetime: 'ever',
};

const SETTLES: Readonly<Record<Ladder['settle'], string>> = {
  next_sale: 'from the next sale on',
  whole_period: 'afterwards for all sales of the period',
};

export function ladderDifference(before: readonly Ladder[], after: readonly Ladder[]): string[] {
  const was = new Map(before.map((ladder) => [ladder.id, ladder]));
  const now = new Map(after.map((ladder) => [ladder.id, ladder]));
  const gone = before.filter(({ id }) => !now.has(id)).map(({ id }) => `The ladder ${quoted(id)} is gone.`);
  const changed = after.flatMap((ladder) => {
    const old = was.get(ladder.id);
    return old ? changesOf(old, ladder) : [`The ladder ${quoted(ladder.id)} is new: ${ladderInWords(ladder)}.`];
  });
  const sentences = [...gone, ...changed];
  return sentences.length > 0 ? sentences : ['The ladders are written in another order.'];
}

/** The steps as `5 % from 0, 7 % from 1000.00 EUR`. */
function stepsInWords({ steps }: Ladder): string {
  return listed(
    steps.map(({ from, rateBps }) => `${percentInWords(rateBps)} from ${typeof from === 'number' ? from : amountsInWords(from)}`),
  );
}

function ladderInWords(ladder: Ladder): string {
  const { measure, ownPurchases, period, settle, settleAfterDays } = ladder;
  const own = ownPurchases ? ', own purchases too,' : '';
  const later = settle === 'whole_period' ? `, settled ${settleAfterDays} days after its end` : '';
  return `${MEASURES[measure]}${own} ${PERIODS[period]} pays ${stepsInWords(ladder)}, ${SETTLES[settle]}${later}`;
}

function changesOf(was: Ladder, now: Ladder): string[] {
  const name = `The ladder ${quoted(now.id)}`;
  const differs = (field: keyof Ladder): boolean => canonicalJson(was[field]) !== canonicalJson(now[field]);
  return [
    differs('measure') && `${name} goes by ${MEASURES[now.measure]}, instead of by ${MEASURES[was.measure]}.`,
    differs('ownPurchases') &&
      `${name} ${now.ownPurchases ? 'counts own purchases too now' : 'does not count own purchases any more'}.`,
    differs('period') && `${name} counts what was sold ${PERIODS[now.period]} instead of ${PERIODS[was.period]}.`,
    differs('settle') && `A step of the ladder ${quoted(now.id)} pays ${SETTLES[now.settle]}, instead of ${SETTLES[was.settle]}.`,
    differs('settleAfterDays') &&
      `${name} is settled ${now.settleAfterDays} days after the period instead of ${was.settleAfterDays}.`,
    differs('steps') && `The steps of the ladder ${quoted(now.id)} are ${stepsInWords(now)}, instead of ${stepsInWords(was)}.`,
  ].filter((sentence) => sentence !== false);
}
