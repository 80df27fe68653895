/** What an operation refused while somebody edits a plan: it is told, and what was typed stays. */
import { AppError, type FieldFault } from '../../../errors.ts';
import { commissionsErrors } from '../../commissions/open/commissions-errors.ts';
import type { Findings } from './told.ts';

export interface Refusal {
  status: number;
  message: string;
  /** By paths of the definition. */
  faults: readonly FieldFault[];
  /** What a save would change, of a plan that is not the one any more that the form was drawn with. */
  difference?: readonly string[];
}

/** What was found of a draft; without findings it was not checked, for what the faults or the message say. */
export interface Checked {
  findings?: Findings;
  faults: readonly FieldFault[];
  message?: string;
}

/** Who may not, and a plan that is gone, have no editor to go on in. */
const LEAD_ELSEWHERE: ReadonlySet<number> = new Set([401, 403, 404]);

/** Whether the plan is not any more as the page has shown it. */
export const isChangedPlan = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.code === commissionsErrors.PLAN_CHANGED.code;

/** Throws on what is no refusal, what asks for a second factor, and what leaves no editor. */
export function refusalOf(thrown: unknown): Refusal {
  if (!(thrown instanceof AppError) || LEAD_ELSEWHERE.has(thrown.status)) throw thrown;
  if (thrown.status >= 500 && thrown.status !== 503) throw thrown;
  const fields = thrown.details?.['fields'];
  const faults = Array.isArray(fields) ? (fields as FieldFault[]) : [];
  return {
    status: thrown.status,
    message: thrown.message,
    faults: faults.map(({ field, message }) => ({ field: field.replace(/^definition\./, ''), message })),
  };
}
