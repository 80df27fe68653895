/**
 * Sealing anew what is sealed under an older data key, while the service runs: batches of rows, each in a
 * transaction of its own, so it may be stopped at any time and goes on where it was.
 */
import type { Frames, Scope } from '../../db/frame.ts';
import type { Statement } from '../../db/statement.ts';
import type { Cipher } from '../../encryption.ts';
import { KYC_SECRETS, kycSecretPlace } from '../kyc/kyc-settings.ts';
import { bankPlace } from '../payouts/bank-details.ts';
import { PAYMENT_SECRETS, paymentSecretPlace } from '../payouts/payment-settings.ts';
import { idNumberPlace } from '../profile/id-number.ts';
import {
  bankDetails,
  countsByKey,
  idNumbers,
  lockKycSecrets,
  lockPaymentSecrets,
  outdatedSigningKeys,
  type SealedColumn,
  signingKeyCounts,
  storeKycSecrets,
  storePaymentSecrets,
  storeSigningKey,
} from './reencrypt-queries.ts';

export interface KeyCount {
  /** `table.column`. */
  column: string;
  keyId: string;
  rows: number;
}

interface Tally {
  resealed: number;
  /** Left as they are: their key is not in the ring, or they are damaged. */
  unreadable: number;
}

const BATCH = 200;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

interface Sealed {
  column: SealedColumn;
  place(scope: Scope, id: string): readonly string[];
}

const COLUMNS: readonly Sealed[] = [
  { column: idNumbers, place: idNumberPlace },
  { column: bankDetails, place: bankPlace },
];

/** The sealed columns of one scope. Answers stored for Idempotency-Keys are left: they expire. */
export async function reencryptScope(frames: Frames, cipher: Cipher, scope: Scope): Promise<Tally> {
  const tallies = [
    await reencryptColumns(frames, cipher, scope),
    await reencryptSettings(frames, cipher, scope, {
      lock: lockKycSecrets,
      store: storeKycSecrets,
      names: KYC_SECRETS,
      placeOf: (name) => kycSecretPlace(scope, name),
    }),
    await reencryptSettings(frames, cipher, scope, {
      lock: lockPaymentSecrets,
      store: storePaymentSecrets,
      names: PAYMENT_SECRETS,
      placeOf: (name) => paymentSecretPlace(scope, name),
    }),
  ];
  return tallies.reduce((all, { resealed: more, unreadable }) => ({
    resealed: all.resealed + more,
    unreadable: all.unreadable + unreadable,
  }));
}

interface SealedSettings<Name extends string> {
  lock(tenantId: string, environment: string): Statement<Record<Name, Buffer | null>>;
  store(tenantId: string, environment: string, ...sealed: (Buffer | null)[]): Statement<unknown>;
  /** In the order that `store` takes them in. */
  names: readonly Name[];
  placeOf(name: Name): readonly string[];
}

/** One row, so one transaction. */
function reencryptSettings<Name extends string>(
  frames: Frames,
  cipher: Cipher,
  scope: Scope,
  { lock, store, names, placeOf }: SealedSettings<Name>,
): Promise<Tally> {
  const { tenantId, environment } = scope;
  return frames.write(
    scope,
    async (db) => {
      const tally: Tally = { resealed: 0, unreadable: 0 };
      const row = await db.row(lock(tenantId, environment));
      if (!row) return tally;
      const values = names.map((name) => {
        const sealed = row[name];
        if (sealed === null || isActive(cipher, sealed)) return sealed;
        const anew = resealed(cipher, sealed, placeOf(name));
        tally[anew ? 'resealed' : 'unreadable'] += 1;
        return anew ?? sealed;
      });
      if (tally.resealed > 0) await db.rows(store(tenantId, environment, ...values));
      return tally;
    },
    { repeatable: true },
  );
}

async function reencryptColumns(frames: Frames, cipher: Cipher, scope: Scope): Promise<Tally> {
  const tally: Tally = { resealed: 0, unreadable: 0 };
  for (const sealed of COLUMNS) {
    for (let after: string | undefined = LOWEST_ID; after !== undefined; ) {
      const batch = await resealBatch(frames, cipher, scope, sealed, after);
      tally.resealed += batch.resealed;
      tally.unreadable += batch.read - batch.resealed;
      after = batch.read === BATCH ? batch.last : undefined;
    }
  }
  return tally;
}

interface Batch {
  read: number;
  resealed: number;
  last: string | undefined;
}

function resealBatch(frames: Frames, cipher: Cipher, scope: Scope, { column, place }: Sealed, after: string): Promise<Batch> {
  const { tenantId, environment } = scope;
  return frames.write(
    scope,
    async (db) => {
      const rows = await db.rows(column.lockOutdated(tenantId, environment, cipher.activeHeader, after, BATCH));
      const opened = rows.flatMap(({ id, sealed }) => {
        const anew = resealed(cipher, sealed, place(scope, id));
        return anew ? [{ id, sealed: anew }] : [];
      });
      if (opened.length > 0) {
        const ids = opened.map(({ id }) => id);
        const values = opened.map(({ sealed }) => sealed);
        await db.rows(column.storeResealed(tenantId, environment, ids, values));
      }
      return { read: rows.length, resealed: opened.length, last: rows.at(-1)?.id };
    },
    { repeatable: true },
  );
}

/** The keys that sign access tokens are of the deployment: they have no scope. */
export async function reencryptSigningKeys(frames: Frames, cipher: Cipher): Promise<Tally & { counts: KeyCount[] }> {
  const tally: Tally = { resealed: 0, unreadable: 0 };
  for (const { kid, sealed } of await frames.unscoped(outdatedSigningKeys(cipher.activeHeader))) {
    const anew = resealed(cipher, sealed, ['signing_key', kid]);
    if (anew) await frames.unscoped(storeSigningKey(kid, sealed, anew));
    tally[anew ? 'resealed' : 'unreadable'] += 1;
  }
  return { ...tally, counts: await frames.unscoped(signingKeyCounts()) };
}

/** How many rows of a scope are sealed under which key, the expiring ones too. */
export function countSealed(frames: Frames, scope: Scope): Promise<KeyCount[]> {
  return frames.readOnce(scope, countsByKey(scope.tenantId, scope.environment));
}

function isActive({ activeHeader }: Cipher, sealed: Buffer): boolean {
  return sealed.subarray(0, activeHeader.length).equals(activeHeader);
}

function resealed(cipher: Cipher, sealed: Buffer, place: readonly string[]): Buffer | undefined {
  try {
    return cipher.encrypt(cipher.decrypt(sealed, place), place);
  } catch {
    return undefined;
  }
}
