/** The fields of a decision that needs a reason: one of the list, own words, or both. */
import { type Html, html } from '../../../pages/html.ts';
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

/** What a form does, in one word, for the script that sends it later. */
export function verb(word: string): Html {
  return html`<span hidden data-verb="${word}"></span>`;
}
