/** What the frame sends, and whose words its faults have. */
import type { z } from 'zod';
import { AppError, type FieldFault, invalidFields } from '../../../errors.ts';
import { inPlainWords, inPlainWordsOfQuery, toFieldFaults } from '../../../http/field-faults.ts';

/** VALIDATION_ERROR with each field. */
export function readBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  return parsed(schema.safeParse(body, inPlainWords));
}

/** The same of the query. */
export function readQuery<S extends z.ZodType>(schema: S, query: unknown): z.output<S> {
  return parsed(schema.safeParse(query, inPlainWordsOfQuery));
}

function parsed<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data;
  throw invalidFields(toFieldFaults(result.error));
}

/** Runs an operation whose fields have other names in the frame; a fault of one is told by the name that the frame knows. */
export async function renaming<T>(names: Readonly<Record<string, string>>, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const faults = thrown instanceof AppError && thrown.code === 'VALIDATION_ERROR' ? thrown.details?.['fields'] : undefined;
    if (!Array.isArray(faults)) throw thrown;
    throw invalidFields((faults as FieldFault[]).map(({ field, message }) => ({ field: names[field] ?? field, message })));
  }
}
