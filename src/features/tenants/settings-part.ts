/** What a feature adds to the settings. Such a part is of one environment, that of the key. */
import type { Db, Scope } from '../../db/frame.ts';

export interface SettingsPart<Shown, Patch> {
  read(db: Db, scope: Scope): Promise<Shown>;
  /** 400 for what can be told from the change alone. Asks nobody. */
  refuse(scope: Scope, patch: Patch): void;
  /**
   * Within the caller's transaction, which has locked the tenant's row. 400 when what it leads to cannot be
   * used. `changed` names the fields that are other than before, for the audit log: never their values.
   */
  update(db: Db, scope: Scope, patch: Patch): Promise<{ shown: Shown; changed: string[] }>;
}
