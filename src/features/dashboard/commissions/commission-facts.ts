/** What one commission is drawn from. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import type { explainCommission } from '../../commissions/commissions-operations.ts';

export type CommissionWhy = AnswerOf<typeof explainCommission>;

export interface CommissionFacts {
  why: CommissionWhy;
  /** Who stands at which level above the sale, where the role may see it. */
  standsAt: ReadonlyMap<number, string>;
  names: MemberNames;
}

export type Look = Pick<PageContext, 'at' | 'can' | 'form' | 'format'>;
