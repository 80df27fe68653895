/** The fields of a decision that needs a reason: one of the list, own words, or both. */
import { type Html, html, nothing } from '../../../pages/html.ts';
import type { Field } from '../../../pages/parts/form.ts';

export function reasonFields(reasons: readonly string[]): Field[] {
  return [
    {
      name: 'listed',
      label: 'Why',
      type: 'radio',
      choices: reasons.map((value, at) => ({ value, label: `${at + 1} ${value}` })),
    },
    {
      name: 'reason',
      label: 'Own words',
      type: 'textarea',
      maxLength: 300,
      hint: 'They stand behind the reason that is chosen.',
    },
  ];
}

/** Stands for the reason until one is chosen. */
export const REASON = '\u{f8ff}';

/** A script puts the reason that is chosen into its place, and behind it the documents that are. */
export function reads(text: string, place = ''): Html {
  const [before = '', behind] = text.split(REASON);
  const reason =
    behind === undefined
      ? nothing
      : html`<span data-reads-reason="">${'the reason that you choose'}</span><span data-reads-documents=""></span>`;
  return html`<p>The member reads${place}: <q data-reads="">${before}${reason}${behind}</q></p>`;
}

/** What a form does, in one word, for the script that sends it later. */
export function verb(word: string): Html {
  return html`<span hidden data-verb="${word}"></span>`;
}
