/** What is wrong with the draft of a plan. */
import { type Html, html } from '../../../pages/html.ts';
import { type Findings, wordsOf } from './told.ts';

/** Each with where it is. */
export function drawProblems({ problems, warnings }: Findings): Html {
  const all = [...problems, ...warnings].map(
    (problem) =>
      html`<li data-tone="${problem.severity === 'error' ? 'bad' : 'waiting'}"><code class="break">${problem.path}</code> <bdi>${wordsOf(problem)}</bdi></li>`,
  );
  return all.length === 0 ? html`<p class="muted">Nothing is wrong with it.</p>` : html`<ul class="plan-told">${all}</ul>`;
}
