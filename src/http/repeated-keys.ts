/**
 * Keys that stand twice in an object of a JSON text: two readers of it may see two values. Whether there are any is told
 * by counting (wire-guard.ts); this finds where. Source: docs/specification/conventions.md#wire.
 */
import type { FieldFault } from '../errors.ts';
import { LONGEST_FIELD, LONGEST_NAME, shorten } from './field-faults.ts';

const MOST_FAULTS = 20;

const [QUOTE, BACKSLASH, COMMA] = ['"', '\\', ','].map((sign) => sign.charCodeAt(0));
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = ['{', '}', '[', ']'].map((sign) => sign.charCodeAt(0));

interface Place {
  at: string;
  /** The keys of an object, by what they mean; undefined in an array. */
  keys: Set<string> | undefined;
  /** Of an array: which item it is. */
  index: number;
  /** Of an object: whose value comes. */
  key: string | undefined;
}

/** Of a text that is JSON, nested no deeper than the wire guard lets it be: each place once, 20 at most. */
export function findRepeatedKeys(json: string): FieldFault[] {
  const found = new Set<string>();
  const places: Place[] = [];
  let here: Place | undefined;
  for (let i = 0; i < json.length && found.size < MOST_FAULTS; i++) {
    const sign = json.charCodeAt(i);
    if (sign === QUOTE) {
      const end = endOfString(json, i);
      if (here?.keys && here.key === undefined) {
        here.key = JSON.parse(json.slice(i, end + 1)) as string;
        if (here.keys.has(here.key)) found.add(nameOf(here));
        here.keys.add(here.key);
      }
      i = end;
    } else if (sign === OPEN_OBJECT || sign === OPEN_ARRAY) {
      const keys = sign === OPEN_OBJECT ? new Set<string>() : undefined;
      places.push({ at: here ? nameOf(here) : '', keys, index: 0, key: undefined });
      here = places.at(-1);
    } else if (sign === CLOSE_OBJECT || sign === CLOSE_ARRAY) {
      places.pop();
      here = places.at(-1);
    } else if (sign === COMMA && here) {
      here.index++;
      here.key = undefined;
    }
  }
  return [...found].map((field) => ({ field, message: 'stands more than once in its object' }));
}

function endOfString(json: string, start: number): number {
  let i = start + 1;
  for (; i < json.length && json.charCodeAt(i) !== QUOTE; i++) {
    if (json.charCodeAt(i) === BACKSLASH) i++;
  }
  return i;
}

function nameOf({ at, keys, index, key = '' }: Place): string {
  if (!keys) return shorten(`${at}[${index}]`, LONGEST_FIELD);
  const name = shorten(key, LONGEST_NAME);
  return shorten(at === '' ? name : `${at}.${name}`, LONGEST_FIELD);
}
