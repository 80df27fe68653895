/** What a field of the settings is to people, and what a group of them. */
import type { PageContext } from '../../../pages/define-page.ts';
import type { Html } from '../../../pages/html.ts';

interface Choice {
  value: string;
  label: string;
  hint?: string;
}

/**
 * How a field is shown and read. `secret` is written and never shown, `secrets` are several; `list` is one a
 * line, `amounts` a currency and an amount a line.
 */
export type SettingKind =
  | { as: 'text' | 'code' | 'number' | 'switch' | 'secret' | 'secrets' | 'list' | 'amounts' }
  | { as: 'choice' | 'choices'; choices: readonly Choice[] };

export interface SettingField {
  /** As the operation names it: its messages find the field. */
  path: string;
  label: string;
  kind: SettingKind;
  hint?: string;
  /** Which change waits for a second person, in LIVE with dual control on. */
  waits?: string;
  /** Nothing typed is null, which takes it away; else nothing typed leaves it as it is. */
  clears?: true;
}

export interface SettingGroup {
  key: string;
  title: string;
  lead: string;
  /** Of both environments, so it is changed in LIVE. */
  shared?: true;
  /** Of people, who are of LIVE; owners alone change it. */
  ofOwners?: true;
  /** What has to be known to fill it in. */
  above?(page: Pick<PageContext, 'ownOrigin' | 'tenant'>): Html;
  fields: readonly SettingField[];
}

export const choice = <Value extends string>(all: readonly Value[], words: Readonly<Record<Value, Omit<Choice, 'value'>>>) =>
  ({ as: 'choice', choices: all.map((value) => ({ value, ...words[value] })) }) as const;

/** Of what is set once. */
export const ANOTHER = 'Another one in its place waits for a second person.';
