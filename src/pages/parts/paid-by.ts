/** What pays a share of a sale, and why everything else does not. */
import { type Html, html } from '../html.ts';

/** As explanations and quotes have it. */
interface Chosen {
  source: string;
  id: string | null;
  /** What was agreed was more than the plan lets count. */
  cut?: unknown;
  considered: readonly { source: string; id: string | null; message: string; at: string | null }[];
}

/** `product` is said of a share that goes by the parts of its sale. */
export function drawChosen({ source, id, cut, considered }: Chosen, product?: string): Html {
  const name = sourceName(source, id);
  const what = html`${product !== undefined && html`<bdi>${product}</bdi>: p`}${product === undefined && 'P'}aid by ${name}${cut !== undefined && ', cut to what the plan lets count'}`;
  const others = considered.map(
    (one) => html`<li>${sourceName(one.source, one.id)} ${one.message}${one.at !== null && html`: <code>${one.at}</code>`}</li>`,
  );
  if (others.length === 0) return html`<p class="rung-why muted">${what}.</p>`;
  return html`<details><summary>${what}</summary><ul class="lines">${others}</ul></details>`;
}

const AGREED: Readonly<Record<string, string>> = { link: 'the link', code: 'the code', member: 'the member' };

function sourceName(source: string, id: string | null): Html {
  const agreed = AGREED[source];
  if (agreed !== undefined) return html`what was agreed for ${agreed}`;
  return id === null ? html`the level itself` : html`the rule <code>${id}</code>`;
}
