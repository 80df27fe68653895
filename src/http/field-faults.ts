/** zod's issues as the API's `details.fields`: one entry a field, an unknown field named itself. */
import type { z } from 'zod';
import type { FieldFault } from '../errors.ts';

export function toFieldFaults(error: z.ZodError): FieldFault[] {
  const faults = error.issues.flatMap((issue) => {
    const at = pathOf(issue.path);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: at === '' ? key : `${at}.${key}`, message: 'is not a known field' }));
    }
    const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
    return [{ field: at || 'body', message: isMissing ? 'is required' : issue.message.replace(/^Invalid input: /, '') }];
  });
  return faults.filter(({ field }, index) => faults.findIndex((fault) => fault.field === field) === index);
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`),
    '',
  );
}
