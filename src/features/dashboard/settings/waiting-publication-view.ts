/** A publication that waits for a second person, in words. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import { sentences } from '../../../pages/parts/sentences.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import { planDifference } from '../../commissions/open/plan-difference.ts';
import type { Publication } from './waiting-publication.ts';

type Look = Pick<PageContext, 'at' | 'format' | 'opens'>;

/** `isOpen`: it can still be confirmed, so what has changed since it was asked for is told too. */
export function drawPublication(page: Look, publication: Publication, isOpen: boolean): Html {
  const { planId, plan, version, effectiveFrom, effectiveTo, definition } = publication;
  const name = html`<bdi>${plan?.name ?? id(planId)}</bdi>`;
  const path = `/plans/${planId}`;
  const about = facts(
    [
      { name: 'Plan', value: plan && page.opens(path) ? html`<a href="${page.at(path)}">${name}</a>` : name },
      { name: 'Version', value: String(version) },
      { name: 'From', value: effectiveFrom === null ? 'when it is confirmed' : exactTime(page.format, effectiveFrom) },
      { name: 'Until', value: effectiveTo === null ? 'the next version' : exactTime(page.format, effectiveTo) },
    ],
    { row: true },
  );
  const publish = isOpen && plan && page.opens(`${path}/publish`) && page.at(`${path}/publish`);
  const look = publish && html`<p><a href="${publish}">What was found of it, and other plans for the same sales</a></p>`;
  const json = html`<details class="example"><summary>The plan as JSON</summary><pre class="json" tabindex="0"><code>${JSON.stringify(definition, null, 2)}</code></pre></details>`;
  return html`${about}${isOpen && drawStale(publication)}${drawDifference(publication)}${look}${json}`;
}

function drawDifference({ plan, version, definition }: Publication): Html {
  if (version === 1) return html`<p>This is the first version of the plan. Until now the plan pays nothing.</p>`;
  const before = plan?.versions.find((one) => one.version === version - 1);
  if (!before) return html`<p class="muted">The version before it cannot be read, so there is no difference to tell.</p>`;
  const nothing = `Nothing: it says the same as version ${before.version}.`;
  return html`<p>What is different from version ${before.version}:</p>${sentences(planDifference(before.definition, definition), nothing)}`;
}

/** Another draft, or another version, makes the confirmation a conflict. */
function drawStale({ plan, version, definition }: Publication): Html | undefined {
  if (!plan) return undefined;
  const isPublished = (plan.versions[0]?.version ?? 0) >= version;
  const isOther = plan.draft === null || planDifference(definition, plan.draft).length > 0;
  if (!isPublished && !isOther) return undefined;
  const why = isPublished ? 'Another version was published meanwhile' : 'The draft was changed since this was asked for';
  return html`<div class="notice notice-bad"><p>${why}: this cannot be confirmed as it is. Reject it, and publish anew.</p></div>`;
}
