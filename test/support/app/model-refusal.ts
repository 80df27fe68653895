/** What an error answer must look like: status, code, and exactly the fields it names. */
import type { Response } from 'supertest';
import { expect } from 'vitest';

export function expectRefusal(answer: Response, status: number, code: string, fields?: string[]): void {
  expect({ status: answer.status, code: answer.body.code, text: answer.status >= 500 ? answer.text : undefined }).toEqual({
    status,
    code,
    text: undefined,
  });
  expect(typeof answer.body.error).toBe('string');
  if (fields === undefined) return;
  const named = (answer.body.details?.fields ?? []) as { field: string; message: string }[];
  expect([...new Set(named.map((fault) => fault.field))]).toEqual(fields);
  for (const { message } of named) expect(message).not.toBe('');
}
