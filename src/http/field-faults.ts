/** zod's issues as the API's `details.fields`: one entry a field, an unknown field named itself. */
import type { z } from 'zod';
import type { FieldFault } from '../errors.ts';
import { plainWords } from './plain-words.ts';

/** For `safeParse` of what somebody sent, so that `toFieldFaults` finds its messages in plain words. */
export const inPlainWords = { error: plainWords('field') };
export const inPlainWordsOfQuery = { error: plainWords('parameter') };

const MOST_FAULTS = 100;
export const LONGEST_NAME = 100;
export const LONGEST_FIELD = 300;

export function toFieldFaults(error: z.ZodError): FieldFault[] {
  const byField = new Map<string, FieldFault>();
  for (const { field, message } of error.issues.flatMap(faultsOf)) {
    if (byField.size >= MOST_FAULTS) break;
    if (!byField.has(field)) byField.set(field, { field, message });
  }
  return [...byField.values()];
}

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  const at = pathOf(issue.path);
  if (issue.code !== 'unrecognized_keys') return [{ field: at || 'body', message: issue.message }];
  const messages = issue.message.split('\n');
  return issue.keys.slice(0, MOST_FAULTS).map((key, index) => {
    const name = shorten(key, LONGEST_NAME);
    return { field: shorten(at === '' ? name : `${at}.${name}`, LONGEST_FIELD), message: messages[index] ?? 'is not known' };
  });
}

function pathOf(path: readonly PropertyKey[]): string {
  const text = path.reduce<string>(
    (before, part) =>
      typeof part === 'number'
        ? `${before}[${part}]`
        : `${before}${before === '' ? '' : '.'}${shorten(String(part), LONGEST_NAME)}`,
    '',
  );
  return shorten(text, LONGEST_FIELD);
}

/** What a sender calls a field is shown back to it, though not without end. */
export function shorten(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most)}…`;
}
