/** A row of a file that somebody sent: its cells by column, what they mean, and what is wrong with them. */
import type { z } from 'zod';
import type { AppError, FieldFault } from '../errors.ts';
import { toFieldFaults } from '../http/field-faults.ts';

/** The cells that are not empty. */
export type Cells = Readonly<Record<string, string>>;

export interface RowFault extends FieldFault {
  /** Where there is more to it than a malformed value. */
  code?: string;
}

/** What has become of a row; `later` when it is to be tried again. */
export type RowOutcome = 'done' | 'later' | RowFault[];

/** True and false in any case, as spreadsheets write them; anything else is left for the schema to refuse. */
export function booleanOf(cell: string | undefined): boolean | string | undefined {
  const text = cell?.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : cell;
}

export function integerOf(cell: string | undefined): number | string | undefined {
  return cell !== undefined && /^-?\d{1,18}$/.test(cell) ? Number(cell) : cell;
}

/** The faults of a row by its columns. */
export function toRowFaults(error: z.ZodError, columnOf: (field: string) => string = (field) => field): RowFault[] {
  return toFieldFaults(error).map(({ field, message }) => ({ field: columnOf(field), message }));
}

/** Why an operation refuses what a row asks for. */
export function refusalOf(error: AppError, columnOf: (field: string) => string = (field) => field): RowFault[] {
  const code = error.code === 'VALIDATION_ERROR' ? {} : { code: error.code };
  const fields = error.details?.['fields'];
  if (!Array.isArray(fields)) return [{ field: '', ...code, message: error.message }];
  return (fields as FieldFault[]).map(({ field, message }) => ({ field: columnOf(field), ...code, message }));
}
