/** The parameters, query and body of a request by the schemas of its operation, with every fault reported together. */
import type { Request } from 'express';
import { z } from 'zod';
import { invalidFields } from '../errors.ts';
import { inPlainWords, inPlainWordsOfQuery, toFieldFaults } from './field-faults.ts';
import type { SentRequest } from './held-back.ts';
import type { Operation } from './operation.ts';
import { refuseRepeatedParameters } from './wire-guard.ts';

export interface Input {
  params: unknown;
  query: unknown;
  body: unknown;
}

const NO_PARAMETERS = z.strictObject({});

/** `raw` is the body as it was parsed. 400 VALIDATION_ERROR, also for a query where the operation has none. */
export function validateInput(operation: Operation, req: Request, raw: unknown): Input {
  refuseRepeatedParameters(req.query);
  return validateSent(operation, { params: req.params, query: req.query, body: raw });
}

/** The same of a request that was taken apart before. */
export function validateSent(operation: Operation, sent: SentRequest): Input {
  const query = sent.query as object;
  const faults: { field: string; message: string }[] = [];
  const part = (schema: z.ZodType | undefined, value: unknown, words = inPlainWords): unknown => {
    const parsed = schema?.safeParse(value, words);
    if (parsed && !parsed.success) faults.push(...toFieldFaults(parsed.error));
    return parsed?.data;
  };
  const params = part(operation.params, sent.params);
  const parsedQuery = part(operation.query, query, inPlainWordsOfQuery);
  if (!operation.query && Object.keys(query).length > 0) {
    part(NO_PARAMETERS, query, inPlainWordsOfQuery);
  }
  const body = part(operation.body, sent.body);
  if (faults.length > 0) throw invalidFields(faults);
  return { params, query: parsedQuery, body };
}
