/** What the forms of an endpoint have alike, and what they say. */
import { AppError, type FieldFault, invalidField } from '../../../errors.ts';
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import type { Choice, Field } from '../../../pages/parts/form.ts';
import type { listWebhookEventTypes } from '../../webhooks/log/events-operations.ts';
import { example, firstWord } from './json.ts';

export type EventTypes = AnswerOf<typeof listWebhookEventTypes>['data'];

export const MOST_HEADERS = 5;

/** A box for each type below the first word of it, and for whatever begins with that word. */
export function typeFields(types: EventTypes, chosen: readonly string[]): Field[] {
  const words = [...new Set(types.map(({ type }) => firstWord(type)))];
  const ofWord = (word: string): Choice[] => [
    { group: word, value: `${word}.*`, label: `Everything of ${word}`, hint: `${word}.*: also what is added later` },
    ...types
      .filter(({ type }) => firstWord(type) === word)
      .map(({ type, meaning, example: body }) => ({
        group: word,
        value: type,
        label: type,
        hint: meaning,
        more: example(body),
      })),
  ];
  const choices: Choice[] = [
    { value: '*', label: 'Everything', hint: '*: all types of events, also what is added later' },
    ...words.flatMap(ofWord),
  ];
  const offered = new Set(choices.map(({ value }) => value));
  return [
    { name: 'eventTypes', label: 'It hears', type: 'checkboxes', value: chosen, choices },
    {
      name: 'patterns',
      label: 'And these',
      type: 'textarea',
      mono: true,
      value: chosen.filter((type) => !offered.has(type)).join('\n'),
      placeholder: 'payout.*',
      hint: 'Types, or first words as payout.*, one a line; for what you would rather type than tick.',
    },
  ];
}

export function urlField(url?: string): Field {
  return {
    name: 'url',
    label: 'Address',
    type: 'url',
    value: url,
    required: true,
    maxLength: 2048,
    placeholder: 'https://shop.example/hooks',
    hint: 'An https:// address of the public internet, which takes a POST.',
  };
}

export function descriptionField(description?: string | null): Field {
  return { name: 'description', label: 'Description', value: description, maxLength: 500, hint: 'To tell endpoints apart.' };
}

/** Names and values of headers; a value is never drawn again. */
export function headerFields(names: readonly string[], count: number, hint = 'Shown to nobody again.'): Field[] {
  return Array.from({ length: count }, (_none, at): Field[] => [
    {
      name: `headerName${at + 1}`,
      label: count === 1 ? 'Name of a header of your own' : `Name of header ${at + 1}`,
      value: names[at],
      maxLength: 100,
      mono: true,
      autocomplete: 'off',
      ...(at === 0 && { placeholder: 'x-gateway-key' }),
    },
    {
      name: `headerValue${at + 1}`,
      label: count === 1 ? 'Its value' : `Value of header ${at + 1}`,
      type: 'password',
      maxLength: 1_000,
      autocomplete: 'new-password',
      hint,
    },
  ]).flat();
}

/** What was typed into them; undefined where no header was named. */
export function headersOf(form: FormValues): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (let nr = 1; nr <= MOST_HEADERS; nr += 1) {
    const name = form.text(`headerName${nr}`);
    const value = form.raw(`headerValue${nr}`);
    if (name === undefined && value !== '') throw invalidField(`headerName${nr}`, 'is missing, and there is a value for it');
    if (name === undefined) continue;
    if (value === '') throw invalidField(`headerValue${nr}`, 'is missing: values are kept, and never shown again');
    if (Object.hasOwn(headers, name)) throw invalidField(`headerName${nr}`, 'is there already');
    headers[name] = value;
  }
  return Object.keys(headers).length === 0 ? undefined : headers;
}

/** The same where they may stay as they are: undefined, too, where no value was typed. */
export function headersAgain(form: FormValues): Record<string, string> | undefined {
  const isTyped = Array.from({ length: MOST_HEADERS }, (_none, at) => form.raw(`headerValue${at + 1}`)).some(
    (value) => value !== '',
  );
  return isTyped ? headersOf(form) : undefined;
}

/** The types that are ticked, and those that are typed. */
export function eventTypesOf(form: FormValues): string[] {
  const typed = (form.text('patterns') ?? '').split(/[\s,]+/).filter((one) => one !== '');
  return [...new Set([...form.list('eventTypes'), ...typed])];
}

/** What is wrong with a typed type stands beside where it was typed. */
export async function besideItsField<T>(form: FormValues, eventTypes: readonly string[], call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const faults = (error.details?.['fields'] ?? []) as readonly FieldFault[];
    const at = faults.map(({ field }) => /^eventTypes[.[](\d+)/.exec(field)?.[1]).find((nr) => nr !== undefined);
    const wrong = at === undefined ? undefined : eventTypes[Number(at)];
    if (wrong === undefined || form.list('eventTypes').includes(wrong)) throw error;
    throw invalidField('patterns', `${wrong} is no type of event, nor the first word of one`);
  }
}
