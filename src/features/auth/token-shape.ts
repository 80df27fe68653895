/**
 * What a token from outside must look like before anything of it is believed. Stricter than JOSE where
 * JOSE leaves a choice to the one who wrote the token. Sources: RFC 8725 §3,
 * docs/specification/identity.md#external-token.
 */

const MAX_TOKEN_CHARACTERS = 16 * 1024;
/** Not at+jwt: an access token is for an API, and whoever holds one need not be the person that it is about. */
const TOKEN_TYPES = new Set(['jwt', 'application/jwt']);
/** A key, or where to get one, named by the one who signs; and what changes how the rest is read. */
const FORBIDDEN_HEADERS = ['jwk', 'jku', 'x5u', 'x5c', 'crit', 'b64', 'cty', 'zip', 'enc'];

/** False for what cannot be a signed token of a provider, whoever signed it. */
export function hasTokenShape(token: string): boolean {
  if (token.length > MAX_TOKEN_CHARACTERS || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return false;
  const [header, payload] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  if (header === undefined || payload === undefined || hasRepeatedKeys(header) || hasRepeatedKeys(payload)) return false;
  const fields = parseObject(header);
  if (!fields || FORBIDDEN_HEADERS.some((name) => Object.hasOwn(fields, name))) return false;
  const { typ, kid } = fields;
  if (kid !== undefined && typeof kid !== 'string') return false;
  return typ === undefined || (typeof typ === 'string' && TOKEN_TYPES.has(typ.toLowerCase()));
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(json) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an object in the text names a field twice: two readers may then see two values. */
export function hasRepeatedKeys(json: string): boolean {
  /** The fields of each open object; undefined for an open array. */
  const open: (Set<string> | undefined)[] = [];
  for (const [token, key] of json.matchAll(/"((?:[^"\\]|\\.)*)"(?=\s*:)|"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (key !== undefined) {
      const fields = open.at(-1);
      const name = unescaped(key);
      if (fields?.has(name) === true) return true;
      fields?.add(name);
    }
  }
  return false;
}

function unescaped(key: string): string {
  try {
    return JSON.parse(`"${key}"`) as string;
  } catch {
    return key; // not JSON, which is found out elsewhere
  }
}
