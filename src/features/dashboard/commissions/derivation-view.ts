/**
 * How the amount of a line follows from its sale: everybody who was considered with a verdict, and of the line's own
 * member each share with its arithmetic. Source: docs/specification/pages.md#explain.
 */
import { type Html, html } from '../../../pages/html.ts';
import { label } from '../../../pages/parts/chips.ts';
import { money } from '../../../pages/parts/money.ts';
import { distance, rung, saleMark } from '../../../pages/parts/rungs.ts';
import { reasonInWords, shareInWords } from '../../../pages/parts/share-words.ts';
import type { CommissionFacts, CommissionWhy, Look } from './commission-facts.ts';

type Derivation = NonNullable<CommissionWhy['derivation']>;
type Share = Derivation['shares'][number];
type Verdict = Derivation['verdicts'][number];

export function drawDerivation(page: Look, { derivation, ...facts }: CommissionFacts & { derivation: Derivation }): Html {
  const { format } = page;
  const { plan, baseMinor, currency, verdicts } = derivation;
  const first = rung(
    'rung-stop',
    saleMark(format, currency),
    html`<p class="rung-name">The sale</p><p class="rung-why">Calculated on <strong>${format.money(baseMinor, currency)}</strong>, by ${versionOf(page, plan)}: ${plan.mode}, compression ${plan.compression.replaceAll('_', ' ')}</p>`,
  );
  const rungs = verdicts.map((verdict) => (verdict.own ? ownRung(page, facts, derivation, verdict) : otherRung(facts, verdict)));
  return html`<ol class="rungs">${first}${rungs}</ol>`;
}

/** A link to the plan for whoever may read it. */
function versionOf({ at, can }: Look, { planId, version }: Derivation['plan']): Html {
  const text = html`version ${version} of the plan`;
  return can('plans:read') ? html`<a href="${at(`/plans/${planId}`)}">${text}</a>` : text;
}

function ownRung(page: Look, { why, names }: CommissionFacts, derivation: Derivation, { level }: Verdict): Html {
  const shares = derivation.shares.map(
    (share) =>
      html`<div class="rung-share"><p class="rung-why">${sumInWords(page, derivation, share)}</p><div class="rung-money">${money(page.format, share.amountMinor, share.currency)}</div></div>`,
  );
  const name = html`<p class="rung-name"><bdi>${names.link(why.commission.userId)}</bdi>${label('this commission')}</p>`;
  return rung('rung-paid', distance(level), html`${name}${shares}`);
}

function otherRung({ standsAt, names }: CommissionFacts, { level, qualified, reason, usedLevels }: Verdict): Html {
  const who = standsAt.get(level);
  const name = who === undefined ? 'Another member' : html`<bdi>${names.link(who)}</bdi>`;
  const levels = usedLevels.length === 0 ? '' : ` ${usedLevels.length === 1 ? 'level' : 'levels'} ${usedLevels.join(', ')}`;
  const text = qualified ? `Took${levels === '' ? ' a level' : levels} of the plan` : `Not paid: ${reasonInWords(reason)}`;
  return rung('rung-unpaid', distance(level), html`<p class="rung-name">${name}</p><p class="rung-why">${text}.</p>`);
}

function sumInWords({ format }: Look, { baseMinor, currency }: Derivation, share: Share): Html {
  const amount = (minor: number): string => format.money(minor, currency);
  const further = [
    share.ceilingLeavesMinor !== null && `The ceiling of the sale leaves ${amount(share.ceilingLeavesMinor)}.`,
    share.capsLeaveMinor !== null && `A cap leaves ${amount(share.capsLeaveMinor)}.`,
    share.rate !== null &&
      `By the stored rate ${share.rate.numerator} / ${share.rate.denominator} that is ${format.money(share.amountMinor, share.currency)}.`,
  ];
  return shareInWords(format, { ...share, baseMinor, currency }, further);
}
