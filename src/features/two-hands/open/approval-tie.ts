/** Why a person counts as another. Source: docs/specification/two-hands.md#ties. */
export const TIE_REASONS = ['invited', 'made_approver', 'factor_given'] as const;
export type TieReason = (typeof TIE_REASONS)[number];

/** How long a person counts as the other, unless a third one confirms. */
export const TIE_DAYS = 7;
