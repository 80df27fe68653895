/** How two pairs of hands are told apart. Source: docs/specification/two-hands.md#rule. */

/** From the weakest on. `keys`: keys of two roots; `persons`: the second is a person. */
export const TWO_HANDS_RULES = ['none', 'keys', 'persons'] as const;
export type TwoHandsRule = (typeof TWO_HANDS_RULES)[number];

/** The one of the two that asks for more. */
export function stricterRule(one: TwoHandsRule, other: TwoHandsRule): TwoHandsRule {
  return TWO_HANDS_RULES.indexOf(one) < TWO_HANDS_RULES.indexOf(other) ? other : one;
}
