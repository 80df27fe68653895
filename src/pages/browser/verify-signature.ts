/** Whether the signature of an event verifies, and if not, why. By the rules of Standard Webhooks. */

export interface Pasted {
  headers: string;
  body: string;
  secret: string;
}

export interface Finding {
  ok: boolean;
  what: 'verified' | 'too_old' | 'too_new' | 'malformed' | 'bad_secret' | 'changed_body' | 'other_event' | 'wrong_secret';
  /** In a sentence or two. */
  said: string;
}

/** What receivers let pass, in seconds. */
const TOLERANCE = 300;

/** `now` is in seconds. */
export async function verifySignature({ headers, body, secret }: Pasted, now: number): Promise<Finding> {
  const read = readHeaders(headers);
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    if (!read.get(name)) return bad('malformed', `The header ${name} is missing.`);
  }
  const id = read.get('webhook-id') ?? '';
  const timestamp = read.get('webhook-timestamp') ?? '';
  if (/^\d{13}$/.test(timestamp)) return bad('malformed', 'webhook-timestamp is in milliseconds; it has to be in seconds.');
  if (!/^\d{1,11}$/.test(timestamp)) return bad('malformed', 'webhook-timestamp is no whole number of seconds.');
  const parts = (read.get('webhook-signature') ?? '').split(/\s+/).filter((part) => part.startsWith('v1,'));
  if (parts.length === 0) return bad('malformed', 'webhook-signature has no part that begins with “v1,”.');
  const signatures = parts.map((part) => bytesOf(part.slice('v1,'.length)));
  if (!signatures.every((bytes) => bytes?.length === 32)) {
    return bad('malformed', 'webhook-signature has a part that is not 32 bytes of base64 behind “v1,”. Was it cut off?');
  }
  const keyBytes = bytesOf(secret.trim().replace(/^whsec_/, ''));
  if (!keyBytes || keyBytes.length === 0) return bad('bad_secret', 'The secret is not whsec_ with base64 behind it.');
  const key = await crypto.subtle.importKey('raw', keyBytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const fits = async (text: string): Promise<boolean> => {
    const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
    for (const signature of signatures) {
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
    }
    return false;
  };
  if (await fits(body)) return timely(now - Number(timestamp));
  return (await findLayout(body, fits)) ?? whyNot(id, body);
}

function timely(age: number): Finding {
  const minutes = Math.floor(Math.abs(age) / 60);
  if (age > TOLERANCE) {
    return bad(
      'too_old',
      `The signature fits, but webhook-timestamp is ${minutes} minutes ago: receivers refuse what is older than 5 minutes, as it may be a replay. Of something that arrived a while ago that is all there is to it.`,
    );
  }
  if (age < -TOLERANCE) {
    return bad('too_new', `The signature fits, but webhook-timestamp lies ${minutes} minutes ahead: is a clock wrong?`);
  }
  return { ok: true, what: 'verified', said: 'The signature verifies, and it is not older than 5 minutes.' };
}

/** A body that was only laid out anew still says what was signed. */
async function findLayout(body: string, fits: (text: string) => Promise<boolean>): Promise<Finding | undefined> {
  if (body !== body.trim() && (await fits(body.trim()))) {
    return bad('changed_body', 'The body was changed: without the white space around it the signature fits.');
  }
  const value = parse(body);
  if (value !== undefined && (await fits(JSON.stringify(value)))) {
    return bad(
      'changed_body',
      'The body was changed: it was parsed and written anew. Verify the bytes that arrived, before anything parses them.',
    );
  }
  return undefined;
}

/** Of a signature nobody can tell which of secret and body is another one; what the body looks like says which is likely. */
function whyNot(id: string, body: string): Finding {
  const value = parse(body);
  if (typeof value !== 'object' || value === null) {
    return bad('changed_body', 'The body was changed: it is not whole JSON. Was it cut off, or decoded by something?');
  }
  const bodyId = (value as Record<string, unknown>)['id'];
  if (bodyId !== id) {
    return bad(
      'other_event',
      `The headers are of another event than the body: webhook-id is ${id}, and the body has ${String(bodyId)}.`,
    );
  }
  return bad(
    'wrong_secret',
    'No signature fits. The body is whole and belongs to these headers, so most likely the secret is another one: of another endpoint, of the other environment, or of before a rotation. If the secret is right for sure, a value in the body was changed.',
  );
}

/** One a line, also as curl and logs show them, or an object of JSON. Names in any case are the same. */
function readHeaders(text: string): Map<string, string> {
  const object = parse(text);
  if (typeof object === 'object' && object !== null) {
    return new Map(Object.entries(object).map(([name, value]) => [name.toLowerCase(), String(value).trim()]));
  }
  const lines = text.split('\n').map((line) => /^[<>\s]*['"]?([\w-]+)['"]?\s*[:=]\s*['"]?(.*?)['"]?,?\s*$/.exec(line));
  return new Map(lines.flatMap((found) => (found ? [[(found[1] ?? '').toLowerCase(), (found[2] ?? '').trim()]] : [])));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined;
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function bad(what: Finding['what'], said: string): Finding {
  return { ok: false, what, said };
}
