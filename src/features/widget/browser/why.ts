/** Why an amount is what it is, in sentences, and why there was none where there was none. */
import type { EarningShare, Explanation } from './answers.ts';
import { type Child, h, rateOf, unitsOf, unsigned } from './kit.ts';
import type { Look } from './look.ts';

export function readWhy(look: Look, explanation: Explanation): HTMLElement {
  const { words, format } = look;
  const { why } = words;
  const { line, base, shares, verdicts, recomputed, net, linked, actions } = explanation;
  // A sale may pay several shares, each by a line of its own.
  const told = shares.filter(({ paidLevel }) => paidLevel === line.paidLevel).slice(0, 1);
  const arithmetic =
    base && told.length > 0
      ? [
          why.base(format.money(base)),
          ...told.flatMap((share) => readShare(look, explanation, share)),
          told.length < shares.length && why.further,
        ]
      : [why.noSale[line.kind]];
  const status = unitsOf(line.amount) < 0n ? why.minusStatus : why.status;
  const after = [
    ...linked.map(({ kind, amount, createdAt }) => why.linked(kind, format.money(unsigned(amount)), format.day(createdAt))),
    linked.length > 0 && why.net(format.money(net)),
    ...actions.map(({ action, recordedAt }) => why.action[action]?.(format.day(recordedAt))),
    line.status === 'held' && line.holdCause !== null
      ? why.held(sentence(words.earnings.held[line.holdCause] ?? words.earnings.heldAny, format.locale))
      : status[line.status]?.(format.day(line.clearsAt)),
  ];
  return h(
    'div',
    { class: 'why' },
    h('h3', null, why.title),
    // Steps that lead to another amount would explain nothing.
    recomputed === false ? h('p', { class: 'fault' }, why.differs) : sentences('ol', arithmetic),
    h('p', null, h('strong', null, why.sum(format.money(line.amount)))),
    sentences('ul', after),
    recomputed !== false && readOthers(look, verdicts),
    recomputed === true && h('p', { class: 'small' }, why.recomputed),
  );
}

/** What may stand behind a colon, with a capital letter. */
function sentence(text: string, locale: string): string {
  return text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);
}

/** Each step of the sum, in the order in which it is taken; what changes nothing is not told. */
function readShare({ words: { why }, format }: Look, { line, base }: Explanation, share: EarningShare): string[] {
  const { paidLevel, rounded, ceilingLeaves, capsLeave, conversion, amount } = share;
  const paid = share.parts ?? [{ ...share, base, units: null }];
  const sums = paid.map(({ flat, rateBps, base: of, multiplierMilli }) => {
    const begins =
      flat === null
        ? why.share(paidLevel, format.percent(rateBps), of ? format.money(of) : '')
        : why.flat(paidLevel, format.money(flat));
    return `${begins}${multiplierMilli === 1000 ? '' : why.multiplier(format.number(multiplierMilli / 1000))}`;
  });
  const before = capsLeave ?? ceilingLeaves ?? rounded;
  const rate = conversion && `1 ${before.currency} = ${format.rate(rateOf(before, amount, conversion))} ${amount.currency}`;
  return [
    paidLevel === line.level ? '' : why.movedUp(line.level, paidLevel),
    `${sums.join('; ')}${why.rounded(format.money(rounded))}`,
    ceilingLeaves ? why.ceiling(format.money(ceilingLeaves)) : '',
    capsLeave ? why.caps(format.money(capsLeave)) : '',
    rate ? why.converted(format.money(amount), rate) : '',
  ];
}

/** Those of the member first; of the others nothing but the level is known. */
function readOthers({ words: { why } }: Look, verdicts: Explanation['verdicts']): Child {
  const reasonOf = ({ reason }: Explanation['verdicts'][number]): string =>
    (reason === null ? undefined : why.notPaid[reason]) ?? why.notPaidAny;
  const own = verdicts.filter((verdict) => verdict.own && !verdict.qualified);
  const others = verdicts.filter((verdict) => !verdict.own);
  const told = others.map((verdict) =>
    verdict.qualified ? why.paid(verdict.level) : why.unpaid(verdict.level, reasonOf(verdict)),
  );
  return [
    sentences(
      'ul',
      own.map((verdict) => why.ownUnpaid(verdict.level, reasonOf(verdict))),
    ),
    told.length > 0 && [h('h3', null, why.others), sentences('ul', told)],
  ];
}

function sentences(tag: 'ol' | 'ul', texts: readonly (string | false | undefined)[]): Child {
  const told = texts.filter((text): text is string => Boolean(text));
  return (
    told.length > 0 &&
    h(
      tag,
      { class: 'sentences' },
      told.map((text) => h('li', null, text)),
    )
  );
}
