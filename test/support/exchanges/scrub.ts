/**
 * What changes from run to run is replaced in an exchange: ids, times, addresses, codes and secrets, each by something
 * made up that looks alike and is the same in every run. Equal things stay equal within an exchange.
 */

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const DAY = /(?<![\d-])(20[2-9]\d)-(\d\d)-(\d\d)(?![\dT-])/g;
const MONTH = /^20[2-9]\d-\d\d$/;
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.(?:example|test)/g;
const CANARY = /canary[0-9a-f]{12}[- _]?/gi;
/** The last digits of an account or a document. */
const MASKED = /•••• ?[0-9a-f]{4}/g;
const SHORT_LINK = /\/r\/[0-9a-z]{8,}/g;
const OWN_ADDRESS = /https?:\/\/(?:localhost|127\.0\.0\.1):\d+/g;
/** Random by the look of it: long, without a space, digits and letters mixed. */
const RANDOM = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}=*(?![\w-])/g;
/** Seconds since 1970, of this decade and the next. */
const SECONDS = /(?<![\w.-])(?:1[789]|20)\d{8}(?![\w.-])/g;
const STAND_IN = '0197f2a0-0000-7000-8000-';
const CODE = /^(?:[0-9A-Z]{10}|[0-9a-z]{6,8}[0-9A-Za-z]*)$/;
/** Fields whose values are drawn, however short they are. */
const DRAWN =
  /(?:secret|token|cursor|slug|signature|hash|_code$|^code$|Code$|prefix|challenge|keyPrefix|requestId|reference|^ip)$/i;

const PEOPLE = ['ann', 'bob', 'cara', 'dan', 'eve', 'finn', 'gina', 'hugo', 'ida', 'jon'];
const FIRST_INSTANT = Date.parse('2026-01-31T12:00:00.000Z');
const DAY_MS = 86_400_000;

interface Names {
  ids: Map<string, string>;
  instants: Map<string, string>;
  emails: Map<string, string>;
  drawn: Map<string, string>;
}

export function scrub<Exchange>(exchange: Exchange): Exchange {
  const names: Names = { ids: new Map(), instants: instantsOf(JSON.stringify(exchange)), emails: new Map(), drawn: new Map() };
  return scrubbed(exchange, '', names) as Exchange;
}

/** In their order, a second apart and as many days as they were. */
function instantsOf(text: string): Map<string, string> {
  const found = [...new Set(text.match(INSTANT) ?? [])].toSorted((a, b) => Date.parse(a) - Date.parse(b));
  const inside = found.filter((one) => Math.abs(Date.parse(one) - Date.now()) < 3_000 * DAY_MS);
  const first = Date.parse(inside.findLast((one) => Date.parse(one) <= Date.now() + 1_000) ?? inside[0] ?? '');
  return new Map(
    inside.map((one, index) => {
      const days = Math.round((Date.parse(one) - first) / DAY_MS);
      return [one, new Date(FIRST_INSTANT + days * DAY_MS + index * 1_000).toISOString()];
    }),
  );
}

function scrubbed(value: unknown, key: string, names: Names): unknown {
  if (Array.isArray(value)) {
    const isOfObjects = typeof value[0] === 'object' && key !== 'commissions';
    return value.slice(0, isOfObjects ? 1 : 2).map((item) => scrubbed(item, key, names));
  }
  if (typeof value === 'string') return text(value, key, names);
  if (typeof value === 'number') return Number(String(value).replace(SECONDS, '1769860800'));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [text(name, '', names), scrubbed(inner, name, names)]));
}

/** A picture or a file makes no example. */
const LONGEST_TEXT = 600;

function text(whole: string, key: string, names: Names): string {
  const value = whole.length > LONGEST_TEXT ? `${whole.slice(0, 80)}…` : whole;
  if (MONTH.test(value)) return '2026-01';
  if (key === 'providerId' && value !== 'none') return 'shop-login';
  // Its check digits are right, and it is nobody's.
  if (key === 'iban') return value;
  if (key === 'issuerUrl') return 'https://login.shop.example';
  if (key === 'jwksUri') return 'https://login.shop.example/jwks';
  if (DRAWN.test(key) && CODE.test(value)) return drawn(value, names);
  return value
    .replace(INSTANT, (found) => names.instants.get(found) ?? found)
    .replace(UUID, (found) => named(names.ids, found.toLowerCase(), (n) => `${STAND_IN}${hex(n)}`))
    .replace(EMAIL, (found) => named(names.emails, found, (n) => `${PEOPLE[(n - 1) % PEOPLE.length]}@shop.example`))
    .replace(DAY, '2026-01-31')
    .replace(OWN_ADDRESS, 'http://127.0.0.1:3000')
    .replace(SECONDS, '1769860800')
    .replace(/^canary[0-9a-f]{12}$/i, key.endsWith('ode') ? 'SPRING26' : 'ann-1001')
    .replace(CANARY, '')
    .replace(MASKED, '•••• 4242')
    .replace(SHORT_LINK, '/r/k3v9wx2mtq8z')
    .replace(RANDOM, (found) => (found.startsWith(STAND_IN) ? found : drawn(found, names)));
}

const hex = (n: number): string => n.toString(16).padStart(12, '0');

function named(known: Map<string, string>, found: string, make: (n: number) => string): string {
  const name = known.get(found) ?? make(known.size + 1);
  known.set(found, name);
  return name;
}

const HEX = '0123456789abcdef';
const CAPITALS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Of the same kind and length, but no longer than a reader wants; by its place among those of the exchange. */
function drawn(found: string, { drawn: known }: Names): string {
  return named(known, found, (n) => {
    let seed = n * 7_919;
    const next = (count: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor(seed / 65_536) % count;
    };
    const prefix = /^(?:svc_(?:live|sandbox)_|svcr_|whsec_|mcr_[a-z]+_)/.exec(found)?.[0] ?? '';
    const rest = found.slice(prefix.length);
    const alphabet = /^[0-9a-f]+$/.test(rest) ? HEX : /^[0-9A-Z]+$/.test(rest) ? CAPITALS : LETTERS;
    const length = rest.length > 24 ? 32 : rest.length;
    return prefix + Array.from({ length }, () => alphabet[next(alphabet.length)]).join('');
  });
}
