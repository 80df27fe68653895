/** A feature's part of a tenant's settings. Such a part is of one environment, that of the key. */
import type { z } from 'zod';
import type { Db, Scope } from '../db/scope.ts';

/** What the document says of a part. */
export interface SettingsDeclaration {
  /** The field of the settings. */
  name: string;
  shown: z.ZodType;
  /** What may be changed; each of its fields is optional. */
  patch: z.ZodType;
}

/** What a part does in a process that is open. */
export interface SettingsPart<Shown = unknown, Patch = unknown> {
  read(db: Db, scope: Scope): Promise<Shown>;
  /** 400 for what can be told from the change alone. Asks nobody. */
  refuse(scope: Scope, patch: Patch): void;
  /**
   * Within the caller's transaction, which has locked the tenant's row. 400 when what it leads to cannot be
   * used. `changed` names the fields that are other than before, for the audit log: never their values.
   */
  update(db: Db, scope: Scope, patch: Patch): Promise<{ shown: Shown; changed: string[] }>;
}

export interface NamedSettingsPart {
  name: string;
  part: SettingsPart;
}
