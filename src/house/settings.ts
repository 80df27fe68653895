/**
 * A feature's part of a tenant's settings. Such a part is of one environment, that of the key. Each of its fields says
 * what a change of it does to a safeguard: docs/specification/two-hands.md#directions.
 */
import type { z } from 'zod';
import type { Db, Scope } from '../db/scope.ts';
import type { Direction } from '../http/held-back.ts';
import type { Caller } from '../http/operation.ts';

/** What a change of one field is, whatever it is, or by the value before and the value behind it; null: none. */
export type Hands<Value = never> = Direction | ((before: Value, after: Value) => Direction);

/** A list, a text, a number; a map whose names are not known. */
type IsOneField<Value> = Value extends readonly unknown[]
  ? true
  : Value extends object
    ? string extends keyof Value
      ? true
      : false
    : true;

/** For each field of a change, those within others too. */
export type HandsOf<Patch> = {
  readonly [Field in keyof Patch]-?: IsOneField<NonNullable<Patch[Field]>> extends true
    ? Hands<Exclude<Patch[Field], undefined>>
    : HandsOf<NonNullable<Patch[Field]>>;
};

/** The same of a part that is not known. */
export interface AnyHands {
  readonly [field: string]: Hands | AnyHands;
}

/** What the document says of a part. */
export interface SettingsDeclaration {
  /** The field of the settings. */
  name: string;
  shown: z.ZodType;
  /** What may be changed; each of its fields is optional. */
  patch: z.ZodType;
  hands: AnyHands;
}

/** A declaration whose every field says what a change of it is: the compiler refuses one that does not. */
export function declareSettings<Patch extends z.ZodType>(
  declaration: Omit<SettingsDeclaration, 'patch' | 'hands'> & { patch: Patch; hands: HandsOf<z.output<Patch>> },
): SettingsDeclaration {
  return declaration;
}

/** A field that a change makes other than before. */
export interface SettingChange {
  /** As `payments.payvendor.baseUrl`. */
  field: string;
  from: unknown;
  to: unknown;
  /** Neither value is ever shown. */
  secret?: boolean;
}

/** What a change comes to, of which nothing is stored yet. */
export interface SettingsPlan<Shown = unknown> {
  /** None where all is as it was. */
  changes: readonly SettingChange[];
  store(): Promise<Shown>;
}

/** What a part does in a process that is open. */
export interface SettingsPart<Shown = unknown, Patch = unknown> {
  read(db: Db, scope: Scope): Promise<Shown>;
  /** 400 for what can be told from the change alone, 403 where it takes more than the settings' own scope. Asks nobody. */
  refuse(caller: Caller, patch: Patch): void;
  /**
   * Within the caller's transaction, which has locked the tenant's row. 400 when what it leads to cannot be used.
   * Stores nothing: whether the change may take effect is known only once all its fields are.
   */
  plan(db: Db, caller: Caller, patch: Patch): Promise<SettingsPlan<Shown>>;
}

export interface NamedSettingsPart {
  name: string;
  part: SettingsPart;
}

/** Off weakens. */
export const guardsWhenOn = (before: boolean | null): Direction => (before === true ? 'weakens' : 'tightens');

/** Less weakens. */
export const guardsWhenHigh = (before: number, after: number): Direction => (after < before ? 'weakens' : 'tightens');

/** More weakens. */
export const guardsWhenLow = (before: number, after: number): Direction => (after > before ? 'weakens' : 'tightens');

/** A longer time weakens, and none, which is without end. */
export const guardsWhenShort = (before: number | null, after: number | null): Direction =>
  before !== null && (after === null || after > before) ? 'weakens' : 'tightens';

/** Whatever is added weakens; what is only taken away tightens. */
export function guardsWhenNarrow(before: readonly string[], after: readonly string[]): Direction {
  return after.some((value) => !before.includes(value)) ? 'weakens' : 'tightens';
}

/** Another in the place of the one that was there weakens, and none; the first does not. */
export const guardsOnceSet = (before: string | null): Direction => (before === null ? 'neutral' : 'weakens');
