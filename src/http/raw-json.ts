/** JSON that somebody else signed, as it can be kept: what the signature is over is not ours to refuse. */
import { isUtf8 } from 'node:buffer';
import { invalidField } from '../errors.ts';
import { isDeeperThan } from './wire-guard.ts';

const MAX_DEPTH = 32;

/** VALIDATION_ERROR for what is not JSON in UTF-8. To be called when the signature is known to be good. */
export function readRawJson(rawBody: Buffer): { value: unknown; text: string } {
  if (!isUtf8(rawBody)) throw invalidField('', 'the body is not valid UTF-8');
  if (isDeeperThan(rawBody, MAX_DEPTH)) throw invalidField('', `the body is nested more than ${MAX_DEPTH} deep`);
  try {
    const text = storable(JSON.stringify(JSON.parse(rawBody.toString())));
    return { value: JSON.parse(text) as unknown, text };
  } catch {
    throw invalidField('', 'the body is not valid JSON');
  }
}

/**
 * A NUL or half a character cannot be stored: each becomes a replacement character. `JSON.stringify`
 * writes both as escapes, and a backslash only begins one.
 */
function storable(json: string): string {
  return json.replaceAll(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g, (found) => (/^\\u(?:0000|d)/.test(found) ? '\ufffd' : found));
}
