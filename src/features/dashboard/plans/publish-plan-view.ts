/** What a publication changes, in words, and its form. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { sentences } from '../../../pages/parts/sentences.ts';
import { ago } from '../../../pages/parts/time.ts';
import { planDifference } from '../../commissions/open/plan-difference.ts';
import type { listPendingChanges } from '../../pending-changes/pending-changes-operations.ts';
import { type Plan, versionsToCome } from './plan-dates.ts';
import { drawProblems } from './plan-words-view.ts';
import { type Rival, rivalsInWords } from './rivals.ts';

export interface Publication {
  plan: Plan;
  /** Of this plan, waiting for a second person. */
  pending: AnswerOf<typeof listPendingChanges>['data'][number] | undefined;
  rivals: readonly Rival[];
  hasMore: boolean;
}

type Look = Pick<PageContext, 'at' | 'environment' | 'form' | 'format' | 'now' | 'opens' | 'tenant'>;

export function drawPublish(page: Look, publication: Publication): PageView {
  const { plan } = publication;
  const next = (plan.versions[0]?.version ?? 0) + 1;
  return {
    title: `Publish ${plan.name}`,
    crumbs: [
      { label: 'Plans', href: page.at('/plans') },
      { label: plan.name, href: page.at(`/plans/${plan.id}`) },
    ],
    crumb: 'Publish',
    body: html`<div class="stack">${drawPending(page, publication)}${drawBody(page, publication, next)}</div>`,
  };
}

function drawPending(page: Look, { pending }: Publication): Html | undefined {
  if (!pending) return undefined;
  const link = page.opens('/pending-changes') && html` <a href="${page.at('/pending-changes')}">Waiting changes</a>`;
  return html`<div class="notice notice-waiting"><p>A publication of this plan waits for a second person, asked for ${ago(page.format, pending.createdAt)}.${link}</p></div>`;
}

function drawBody(page: Look, { plan, pending, rivals, hasMore }: Publication, next: number): Html {
  const { draft } = plan;
  if (draft === null)
    return card({
      body: empty({
        what: 'There is no draft to publish',
        why: 'A draft is what would be published. Edit the plan to make one.',
        action: page.opens(`/plans/${plan.id}/edit`) && { href: page.at(`/plans/${plan.id}/edit`), label: 'Edit the plan' },
      }),
    });
  const latest = plan.versions[0];
  const difference = latest
    ? sentences(planDifference(latest.definition, draft), `Nothing: it says the same as version ${latest.version}.`)
    : html`<p>This is the first version of the plan. Until now the plan pays nothing.</p>`;
  const isBlocked = plan.problems.length > 0;
  const found = card({
    title: isBlocked ? 'Why it cannot be published' : 'What was found',
    body: drawProblems(plan),
  });
  const others = rivalsInWords(draft, rivals);
  const more = hasMore && html`<p class="muted">Only the first of the other plans were looked at.</p>`;
  const form = page.form('publish', {
    hidden: { shownAt: plan.updatedAt, version: String(next) },
    fields: [
      {
        name: 'effectiveFrom',
        label: 'From',
        type: 'datetime-local',
        hint: `In the zone ${page.tenant.timeZone}. Empty: from now on.`,
      },
      { name: 'effectiveTo', label: 'Until', type: 'datetime-local', hint: 'Empty: until the next version.' },
    ],
    note: `${firstSale(page, plan)} Sales before that keep their version, also when they are reported late. A published version never changes.`,
    submit: `Publish version ${next}${page.environment === 'LIVE' ? ' in LIVE' : ''}`,
  });
  return html`${card({ title: latest ? `What is different from version ${latest.version}` : 'What it is', body: difference })}${found}${card({ title: 'Other plans for the same sales', body: html`${sentences(others, 'No other plan covers a sale that this one covers.')}${more}` })}${!isBlocked && !pending && card({ title: 'Publish', body: form })}`;
}

/** Which sale is the first that it touches, and where a version that begins later takes over. */
function firstSale({ format, now, tenant }: Look, plan: Plan): string {
  const later = versionsToCome(plan, now).find(({ effectiveFrom }) => effectiveFrom !== null && new Date(effectiveFrom) > now);
  const until = later?.effectiveFrom ? `, until version ${later.version} takes over at ${format.time(later.effectiveFrom)}` : '';
  return `Published now, it pays the first sale at or after ${format.time(now)} in ${tenant.timeZone}${until}; with another time above, the first one from then on.`;
}
