/** What a form has sent, as texts by name, and the second factor that it may have with it. */
import express, { type Request, type Response } from 'express';
import { AppError, invalidField } from '../../errors.ts';
import { boundaryOf, readParts, type SentFile } from '../../http/multipart.ts';
import { type FormValues, formValues } from '../../pages/form-values.ts';
import type { FactorProof } from '../staff/open/factors.ts';
import { FACTOR } from './step-up-view.ts';

const MOST_FORM_BYTES = 256 * 1024;
const readText = express.text({ type: 'application/x-www-form-urlencoded', limit: MOST_FORM_BYTES });

/** What a form has sent. VALIDATION_ERROR where it holds what no field can, BODY_TOO_LARGE. */
export async function readFormOf(req: Request, res: Response, takesFile = false): Promise<FormValues> {
  const boundary = takesFile ? boundaryOf(req) : undefined;
  if (boundary !== undefined) {
    const { fields, file } = await readParts(req, res, boundary);
    try {
      return valuesOf(fields, file);
    } catch (error) {
      file?.drop();
      throw error;
    }
  }
  await new Promise<void>((resolve, reject) => {
    readText(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(fromReader(error))));
  });
  const text: unknown = req.body;
  return valuesOf(new URLSearchParams(typeof text === 'string' ? text : ''));
}

function valuesOf(sent: URLSearchParams, file?: SentFile): FormValues {
  for (const [name, value] of sent) {
    if (value.includes('\0') || !value.isWellFormed()) throw invalidField(name, 'has a character that no text has');
  }
  return formValues(sent, file);
}

function fromReader(error: unknown): AppError {
  const { type } = error as { type?: string };
  if (type === 'entity.too.large') return new AppError('BODY_TOO_LARGE', 'The form is too large');
  if (type === 'request.aborted') return new AppError('REQUEST_TIMEOUT', 'The form did not arrive');
  return invalidField('', 'The form cannot be read');
}

/** The second factor that a form has; undefined where it has none. */
export function factorOf(form: FormValues): FactorProof | undefined {
  const method = form.raw(FACTOR.method);
  const answer = form.raw(FACTOR.answer).trim();
  if (answer === '' || (method !== 'passkey' && method !== 'code')) return undefined;
  if (method === 'passkey') return { method, answer };
  const code = answer.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(code) ? { method: 'totp', answer: code } : { method: 'recovery_code', answer };
}
