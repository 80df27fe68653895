/** Columns that hold what is encrypted under a data key, as each owner declares them. `keys reencrypt` goes by the list. */
import type { Scope } from '../db/scope.ts';

export type Sealed = SealedRows | SealedSettings | SealedKeys | SealedForATime;

/** A column of a tenant's table whose rows have a UUID. */
export interface SealedRows {
  kind: 'rows';
  table: string;
  /** The column of the UUID. */
  id: string;
  column: string;
  /** What the ciphertext of a row is bound to. */
  place(scope: Scope, id: string): readonly string[];
}

/** Columns of a table that has one row for each tenant and environment. */
export interface SealedSettings {
  kind: 'settings';
  table: string;
  columns: readonly { column: string; place(scope: Scope): readonly string[] }[];
}

/** A column of a table of the deployment, which has no tenants. */
export interface SealedKeys {
  kind: 'keys';
  table: string;
  /** The column of a row's name. */
  id: string;
  column: string;
  place(id: string): readonly string[];
}

/** A column of a tenant's table that is counted and never sealed anew: its rows expire. */
export interface SealedForATime {
  kind: 'for a time';
  table: string;
  column: string;
}
