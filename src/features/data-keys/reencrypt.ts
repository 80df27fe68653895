/**
 * Sealing anew what is sealed under an older data key, while the service runs: batches of rows, each in a
 * transaction of its own, so it may be stopped at any time and goes on where it was.
 */
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import type { Cipher } from '../../encryption.ts';
import type { Sealed, SealedKeys, SealedRows, SealedSettings } from '../../house/sealed.ts';
import { keysStatements, type RowsStatements, rowsStatements, scopeCounts, settingsStatements } from './reencrypt-queries.ts';

export interface KeyCount {
  /** `table.column`. */
  column: string;
  keyId: string;
  rows: number;
}

export interface Tally {
  resealed: number;
  /** Left as they are: their key is not in the ring, or they are damaged. */
  unreadable: number;
}

export interface Reencryption {
  /** The sealed columns of one scope. Those that hold something for a time are left: it expires. */
  ofScope(scope: Scope): Promise<Tally>;
  /** What is of the deployment and has no scope. */
  ofDeployment(): Promise<Tally>;
  /** How many rows of a scope are sealed under which key, the expiring ones too. */
  countScope(scope: Scope): Promise<KeyCount[]>;
  countDeployment(): Promise<KeyCount[]>;
}

interface Parts {
  frames: Frames;
  cipher: Cipher;
  /** What the features have sealed. */
  sealed: readonly Sealed[];
}

const BATCH = 200;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

export function createReencryption({ frames, cipher, sealed }: Parts): Reencryption {
  const rows = sealed.filter((one) => one.kind === 'rows').map((one) => reencryptRows(frames, cipher, one));
  const settings = sealed.filter((one) => one.kind === 'settings').map((one) => reencryptSettings(frames, cipher, one));
  const keys = sealed.filter((one) => one.kind === 'keys').map((one) => ({ one, statements: keysStatements(one) }));
  const counts = scopeCounts(sealed);
  return {
    async ofScope(scope) {
      const tally: Tally = { resealed: 0, unreadable: 0 };
      for (const reencrypt of [...rows, ...settings]) add(tally, await reencrypt(scope));
      return tally;
    },

    async ofDeployment() {
      const tally: Tally = { resealed: 0, unreadable: 0 };
      for (const { one, statements } of keys) add(tally, await reencryptKeys(frames, cipher, one, statements));
      return tally;
    },

    countScope: (scope) => frames.readOnce(scope, counts(scope)),

    async countDeployment() {
      const found: KeyCount[] = [];
      for (const { statements } of keys) found.push(...(await frames.unscoped(statements.counts())));
      return found;
    },
  };
}

function add(tally: Tally, { resealed: more, unreadable }: Tally): void {
  tally.resealed += more;
  tally.unreadable += unreadable;
}

/** One row, so one transaction. */
function reencryptSettings(frames: Frames, cipher: Cipher, sealed: SealedSettings): (scope: Scope) => Promise<Tally> {
  const { lock, store } = settingsStatements(sealed);
  return (scope) =>
    frames.write(
      scope,
      async (db) => {
        const tally: Tally = { resealed: 0, unreadable: 0 };
        const row = await db.row(lock(scope));
        if (!row) return tally;
        const values = sealed.columns.map(({ column, place }) => {
          const value = row[column] ?? null;
          if (value === null || isActive(cipher, value)) return [column, value];
          const anew = resealed(cipher, value, place(scope));
          tally[anew ? 'resealed' : 'unreadable'] += 1;
          return [column, anew ?? value];
        });
        if (tally.resealed > 0) await db.rows(store(scope, Object.fromEntries(values)));
        return tally;
      },
      { repeatable: true },
    );
}

function reencryptRows(frames: Frames, cipher: Cipher, sealed: SealedRows): (scope: Scope) => Promise<Tally> {
  const statements = rowsStatements(sealed);
  return async (scope) => {
    const tally: Tally = { resealed: 0, unreadable: 0 };
    for (let after: string | undefined = LOWEST_ID; after !== undefined; ) {
      const batch = await resealBatch(frames, cipher, scope, sealed, statements, after);
      add(tally, { resealed: batch.resealed, unreadable: batch.read - batch.resealed });
      after = batch.read === BATCH ? batch.last : undefined;
    }
    return tally;
  };
}

interface Batch {
  read: number;
  resealed: number;
  last: string | undefined;
}

function resealBatch(
  frames: Frames,
  cipher: Cipher,
  scope: Scope,
  { place }: SealedRows,
  { lockOutdated, storeResealed }: RowsStatements,
  after: string,
): Promise<Batch> {
  return frames.write(
    scope,
    async (db) => {
      const rows = await db.rows(lockOutdated(scope, { activeHeader: cipher.activeHeader, afterId: after, count: BATCH }));
      const opened = rows.flatMap(({ id, sealed }) => {
        const anew = resealed(cipher, sealed, place(scope, id));
        return anew ? [{ id, sealed: anew }] : [];
      });
      if (opened.length > 0) {
        const ids = opened.map(({ id }) => id);
        await db.rows(storeResealed(scope, { ids, sealed: opened.map(({ sealed }) => sealed) }));
      }
      return { read: rows.length, resealed: opened.length, last: rows.at(-1)?.id };
    },
    { repeatable: true },
  );
}

async function reencryptKeys(
  frames: Frames,
  cipher: Cipher,
  { place }: SealedKeys,
  { outdated, store }: ReturnType<typeof keysStatements>,
): Promise<Tally> {
  const tally: Tally = { resealed: 0, unreadable: 0 };
  for (const { id, sealed } of await frames.unscoped(outdated({ activeHeader: cipher.activeHeader }))) {
    const anew = resealed(cipher, sealed, place(id));
    if (anew) await frames.unscoped(store({ id, former: sealed, sealed: anew }));
    tally[anew ? 'resealed' : 'unreadable'] += 1;
  }
  return tally;
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
