/**
 * Idempotency-Key: the claim is a row of the business transaction, so a crash leaves neither claim
 * nor effect, and of equal requests one runs and the others replay its answer.
 * Source: docs/specification/conventions.md#idempotency.
 */
import { createHash, createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { type Actor, actorRef } from '../actor.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { Config } from '../config.ts';
import { isLockTimeout } from '../db/constraints.ts';
import type { Db, Scope } from '../db/scope.ts';
import type { FrameGuard } from '../db/write-options.ts';
import type { Cipher } from '../encryption.ts';
import { AppError, invalidField } from '../errors.ts';
import { faultPoint } from '../fault-points.ts';
import {
  type Claim,
  claimKey,
  findKey,
  type Key,
  resetClaimWait,
  type StoredRow,
  setClaimWait,
  storeAnswer,
} from './idempotency-queries.ts';
import type { WholeAnswer } from './operation.ts';

export interface IdempotentRequest {
  scope: Scope;
  operationId: string;
  key: string;
  /** Whose request it is. Another's repeat is another request, whatever it says. */
  subject: Actor;
  /** What `fingerprintOf` makes of the request; asked for once the request has arrived. */
  fingerprint: () => Buffer;
  /** Whom the request and this answer name. */
  named: (answer: string) => readonly string[];
  /** Fields of the answer that are not stored. */
  secrets?: readonly string[] | undefined;
}

/** Thrown inside the frame to leave it: the stored answer is sent in place of running again. */
export class StoredAnswer extends Error {
  readonly status: number;
  readonly json: string;
  constructor(status: number, json: string) {
    super('a stored answer is replayed');
    this.status = status;
    this.json = json;
  }
}

export interface IdempotencyGuard extends FrameGuard {
  /** True once the answer was stored; a write operation that ends without it forgot the guard. */
  stored(): boolean;
}

/** The same with what a transaction needs that several requests share: idempotency-together.ts. */
export interface KeyGuard extends IdempotencyGuard {
  readonly key: Key;
  /** What `begin` claims. */
  claim(): Claim;
  /** What `finish` stores. From then on the answer counts as stored: to be called by who stores it. */
  seal(result: unknown): StoredRow;
}

export interface Idempotency {
  guard(request: IdempotentRequest, present: (result: unknown) => WholeAnswer<string>): IdempotencyGuard;
}

/** The header's value, or undefined without one. 400 when it is empty, too long or has control characters. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(header)) throw invalidField('Idempotency-Key', 'must be 1 to 255 printable ASCII characters');
  return header;
}

/** Digest of what makes a request the same request: method, full path, query, body, acting subject. */
export function fingerprintOf(parts: { method: string; url: string; body: unknown; subject: string }): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([parts.method, parts.url, parts.subject]))
    .update(canonicalJson(parts.body))
    .digest();
}

export function createIdempotency(config: Config, cipher: Cipher): Idempotency {
  // What is stored is keyed: by a plain digest of a request an ID number in it could be guessed.
  const secret = createSecretKey(Buffer.from(hkdfSync('sha256', config.secrets.apiKeyPepper, '', 'request-fingerprint', 32)));
  return {
    guard({ scope, operationId, key, named, secrets, ...request }, present) {
      const subject = actorRef(request.subject);
      const fingerprint = (): Buffer => createHmac('sha256', secret).update(request.fingerprint()).digest();
      const id = [scope.tenantId, scope.environment, operationId, key] as const;
      const row = { operation: operationId, key };
      const claim = (): Claim => ({ ...row, subject, fingerprint: fingerprint(), hours: config.IDEMPOTENCY_TTL_HOURS });
      let stored = false;
      return {
        stored: () => stored,
        key: row,
        claim,
        seal,
        replay,
        async begin(db) {
          if (await claimed(db)) {
            await faultPoint('idempotency:claimed');
            return;
          }
          await replay(db);
          throw inProgress();
        },
        async finish(db, result) {
          const row = seal(result);
          await faultPoint('idempotency:sealed');
          const done = db.rows(storeAnswer(scope, row)).then(() => undefined);
          done.catch(() => undefined); // told by whoever commits behind it
          return { done };
        },
      } satisfies KeyGuard;

      function seal(result: unknown): StoredRow {
        const answer = present(result);
        const body = withoutSecrets(answer.body, secrets);
        const sealed = cipher.encrypt(Buffer.from(body), ['idempotency_key', ...id]);
        stored = true;
        return { ...row, status: answer.status, answer: sealed, named: named(body) };
      }

      async function replay(db: Db): Promise<void> {
        const found = await db.row(findKey(scope, row));
        if (!found) return;
        if (found.subject !== subject || !found.fingerprint.equals(fingerprint())) {
          throw new AppError('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was used for a different request');
        }
        throw new StoredAnswer(found.status, cipher.decrypt(found.answer, ['idempotency_key', ...id]).toString());
      }

      async function claimed(db: Db): Promise<boolean> {
        try {
          const [, rows] = await Promise.all([
            db.rows(setClaimWait({ timeout: `${config.IDEMPOTENCY_WAIT_MS}ms` })),
            db.rows(claimKey(scope, claim())),
            db.rows(resetClaimWait()),
          ]);
          return rows.length > 0;
        } catch (error) {
          throw isLockTimeout(error) ? inProgress() : error;
        }
      }
    },
  };
}

function withoutSecrets(body: string, secrets: readonly string[] = []): string {
  if (secrets.length === 0) return body;
  const nothing = Object.fromEntries(secrets.map((field) => [field, null]));
  return JSON.stringify({ ...(JSON.parse(body) as object), ...nothing });
}

function inProgress(): AppError {
  return new AppError('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is still running', {
    retryAfterSeconds: 1,
  });
}
