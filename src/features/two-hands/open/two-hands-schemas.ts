/** The rule of two hands as answers name it: docs/specification/two-hands.md#rule. */
import { z } from 'zod';
import { TWO_HANDS_RULES } from './two-hands-rule.ts';

export const twoHandsRule = z.enum(TWO_HANDS_RULES).meta({
  id: 'TwoHandsRule',
  description: 'Who must confirm: `none`: nobody; `keys`: another key or person; `persons`: another person',
});
