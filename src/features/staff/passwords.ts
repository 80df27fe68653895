/** Passwords: how they are kept, and which are taken. Source: docs/specification/people.md#passwords. */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError, invalidField } from '../../errors.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

/** argon2id; memory in KiB. */
export interface Cost {
  memory: number;
  passes: number;
  lanes: number;
}

const COST: Cost = { memory: 19_456, passes: 2, lanes: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export const SHORTEST = 12;
export const LONGEST = 128;

const hashAsync = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

/** So many at once: each takes the memory of `COST` and most of a core. */
const AT_ONCE = 2;
/** So many wait; the next are told to come again. */
const MOST_WAITING = 100;

export interface Passwords {
  /** The text that is stored. SERVICE_UNAVAILABLE when too many wait. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password is the one of the stored text; `stale` when it should be hashed anew. Without a stored text the
   * same work is done, and it is not. SERVICE_UNAVAILABLE when too many wait.
   */
  verify(password: string, stored: string | null): Promise<{ matches: boolean; stale: boolean }>;
}

export function createPasswords(cost: Cost = COST): Passwords {
  const gate = createGate(AT_ONCE, MOST_WAITING);
  const derive = (password: string, salt: Buffer, { memory, passes, lanes }: Cost): Promise<Buffer> =>
    gate(() =>
      hashAsync('argon2id', {
        message: password.normalize('NFKC'),
        nonce: salt,
        memory,
        passes,
        parallelism: lanes,
        tagLength: HASH_BYTES,
      }),
    );

  const noSalt = Buffer.alloc(SALT_BYTES);
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return toText(cost, salt, await derive(password, salt, cost));
    },
    async verify(password, stored) {
      const known = stored === null ? undefined : fromText(stored);
      if (!known || password.length > 2 * LONGEST) {
        await derive(password.slice(0, LONGEST), noSalt, cost);
        return { matches: false, stale: false };
      }
      const found = await derive(password, known.salt, known.cost);
      const matches = found.length === known.hash.length && timingSafeEqual(found, known.hash);
      return { matches, stale: matches && !isSame(known.cost, cost) };
    },
  };
}

const toText = ({ memory, passes, lanes }: Cost, salt: Buffer, hash: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(hash)}`;

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const FORM = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function fromText(text: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, memory, passes, lanes, salt, hash] = FORM.exec(text) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('a stored password has another form');
  const cost = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}

const isSame = (one: Cost, other: Cost): boolean =>
  one.memory === other.memory && one.passes === other.passes && one.lanes === other.lanes;

/** Runs at most so many at once, in the order in which they came. */
function createGate(atOnce: number, mostWaiting: number): <T>(run: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting)
        throw new AppError('SERVICE_UNAVAILABLE', 'Too many sign in at once', { retryAfterSeconds: 1 });
      // Whoever ends hands its place on.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Shorter parts of a name say too little to refuse a password for. */
const LEAST_PART = 4;

/** 400 on one that is too short or too long, one of the commonest, and one that holds the person's email or name. */
export function requireGoodPassword(
  password: string,
  { email, name }: { email: string; name: string },
  field = 'password',
): void {
  const length = Array.from(password).length;
  if (length < SHORTEST) throw invalidField(field, `must have at least ${SHORTEST} characters`);
  if (length > LONGEST) throw invalidField(field, `must have at most ${LONGEST} characters`);
  const folded = fold(password);
  if (COMMON_PASSWORDS.has(folded) || new Set(folded).size < 4)
    throw invalidField(field, 'is one of the commonest passwords, which are tried first');
  const [local = '', domain = ''] = fold(email).split('@');
  const parts = [fold(email), local, domain.split('.')[0] ?? '', ...fold(name).split(/\s+/)];
  if (parts.some((part) => part.length >= LEAST_PART && folded.includes(part)))
    throw invalidField(field, 'must not contain the email address or the name');
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
