/** Sentences about a plan, and what is wrong with its draft. */
import { type Html, html } from '../../../pages/html.ts';
import { type Findings, wordsOf } from './told.ts';

export function sentences(list: readonly string[], none: string): Html {
  if (list.length === 0) return html`<p class="muted">${none}</p>`;
  return html`<ul class="plan-sentences">${list.map((one) => html`<li><bdi>${one}</bdi></li>`)}</ul>`;
}

/** Each with where it is. */
export function drawProblems({ problems, warnings }: Findings): Html {
  const all = [...problems, ...warnings].map(
    (problem) =>
      html`<li data-tone="${problem.severity === 'error' ? 'bad' : 'waiting'}"><code class="break">${problem.path}</code> <bdi>${wordsOf(problem)}</bdi></li>`,
  );
  return all.length === 0 ? html`<p class="muted">Nothing is wrong with it.</p>` : html`<ul class="plan-told">${all}</ul>`;
}
