/** What is known of one thing, each with its name. */
import { type Drawn, type Html, html } from '../html.ts';

export interface Fact {
  name: string;
  /** What is absent is drawn as a dash. */
  value: Drawn;
}

/** A list of facts; `row` puts few figures beside each other, as on top of a page. */
export function facts(list: readonly (Fact | false | undefined)[], { row = false }: { row?: boolean } = {}): Html {
  const drawn = list.flatMap((fact) =>
    fact ? [html`<div><dt>${fact.name}</dt><dd>${isAbsent(fact.value) ? '–' : fact.value}</dd></div>`] : [],
  );
  return html`<dl class="${row ? 'facts facts-row' : 'facts'}">${drawn}</dl>`;
}

function isAbsent(value: Drawn): boolean {
  return value === null || value === undefined || value === false || value === '';
}
