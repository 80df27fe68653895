/** One plan. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { actor } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { chip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { filters } from '../../../pages/parts/filters.ts';
import { id } from '../../../pages/parts/id.ts';
import { sentences } from '../../../pages/parts/sentences.ts';
import { table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { planDifference } from '../../commissions/open/plan-difference.ts';
import { deleteCommissionPlan, publishCommissionPlan, updateCommissionPlan } from '../../commissions/plans-operations.ts';
import { fromWhen, type Plan, stateOfVersion, type Version, versionInForce } from './plan-dates.ts';
import { drawProblems } from './plan-words-view.ts';

type Look = Pick<PageContext, 'at' | 'can' | 'form' | 'format' | 'now' | 'query'>;

export function drawPlan(page: Look, plan: Plan): PageView {
  const { at, can } = page;
  const actions = html`${can(updateCommissionPlan) && html`<a class="button" href="${at(`/plans/${plan.id}/edit`)}">Edit</a>`}${can(publishCommissionPlan) && plan.draft !== null && html`<a class="button button-main" href="${at(`/plans/${plan.id}/publish`)}">Publish…</a>`}${can(updateCommissionPlan) && opensDialog('rename', 'Rename…')}${can(deleteCommissionPlan) && plan.versions.length === 0 && opensDialog('delete', 'Delete…')}`;
  return {
    title: plan.name,
    crumbs: [{ label: 'Plans', href: at('/plans') }],
    crumb: id(plan.id),
    actions,
    body: html`${drawFacts(page, plan)}${beside(html`${drawVersions(page, plan)}${drawDifference(page, plan)}`, drawDraft(plan))}${dialogs(page, plan)}`,
  };
}

function drawFacts({ format, now }: Look, plan: Plan): Html {
  const current = versionInForce(plan, now);
  return card({
    body: facts(
      [
        {
          name: 'In force',
          value: current ? html`version ${current.version}, from ${fromWhen({ format }, current)}` : 'nothing',
        },
        { name: 'Priority', value: current && String(current.definition.scope.priority) },
        { name: 'Made', value: exactTime(format, plan.createdAt) },
        { name: 'Changed', value: exactTime(format, plan.updatedAt) },
      ],
      { row: true },
    ),
  });
}

function drawVersions(page: Look, plan: Plan): Html {
  const { format, now } = page;
  const list = table<Version>({
    caption: 'Versions',
    rows: plan.versions,
    columns: [
      { title: 'Version', cell: ({ version }) => `Version ${version}` },
      { title: 'State', cell: (version) => stateOfVersion(plan, version, now) },
      { title: 'From', cell: (version) => fromWhen(page, version) },
      {
        title: 'Until',
        secondary: true,
        cell: ({ effectiveTo }) => (effectiveTo === null ? 'the next version' : exactTime(format, effectiveTo)),
      },
      { title: 'Published', secondary: true, cell: ({ publishedAt }) => exactTime(format, publishedAt) },
      { title: 'By', secondary: true, cell: ({ createdBy }) => createdBy && actor(page, createdBy) },
    ],
    empty: html`<p class="muted">Never published: the plan pays nothing yet.</p>`,
  });
  return card({ title: 'Versions', flush: plan.versions.length > 0, body: list });
}

interface Side {
  value: string;
  label: string;
  definition: PlanDefinition;
}

/** Of any two versions, or of the draft. */
function drawDifference({ at, query }: Look, plan: Plan): Html {
  const sides: Side[] = [
    ...(plan.draft === null ? [] : [{ value: 'draft', label: 'The draft', definition: plan.draft }]),
    ...plan.versions.map(({ version, definition }) => ({ value: `${version}`, label: `Version ${version}`, definition })),
  ];
  const chosen = (value: string | undefined): Side | undefined => sides.find((side) => side.value === value);
  const to = chosen(query['to']) ?? sides[0];
  const from = chosen(query['from']) ?? sides[1];
  if (sides.length < 2 || !to || !from) return html``;
  const choices = sides.map(({ value, label }) => ({ value, label }));
  const form = filters({
    address: at(`/plans/${plan.id}`),
    fields: [
      { name: 'from', label: 'From', type: 'select', value: from.value, choices, any: 'Version before' },
      { name: 'to', label: 'To', type: 'select', value: to.value, choices, any: 'Latest' },
    ],
  });
  const told = planDifference(from.definition, to.definition);
  return card({ title: 'What is different', body: html`${form}${sentences(told, 'Nothing: both say the same.')}` });
}

function drawDraft(plan: Plan): Html {
  if (plan.draft === null) return card({ title: 'Draft', body: html`<p class="muted">There is no draft.</p>` });
  const latest = plan.versions[0];
  const isPublished = latest !== undefined && planDifference(latest.definition, plan.draft).length === 0;
  const state = isPublished
    ? chip('as the latest version', 'neutral')
    : plan.problems.length > 0
      ? chip('has problems', 'bad')
      : chip('can be published', 'good');
  return card({
    title: 'Draft',
    actions: state,
    body: html`${drawProblems(plan)}<details class="example"><summary>As JSON</summary><pre class="json" tabindex="0"><code>${JSON.stringify(plan.draft, null, 2)}</code></pre></details>`,
  });
}

function dialogs(page: Look, plan: Plan): Html {
  const rename = page.form('rename', {
    fields: [{ name: 'name', label: 'Name', required: true, maxLength: 200, value: plan.name, autocomplete: 'off' }],
    submit: 'Rename',
  });
  const remove = page.form('delete', { note: 'The draft is gone then.', submit: 'Delete the plan', tone: 'danger' });
  return html`${page.can(updateCommissionPlan) && dialog({ id: 'rename', title: 'Rename the plan', body: rename })}${page.can(deleteCommissionPlan) && plan.versions.length === 0 && dialog({ id: 'delete', title: 'Delete this plan', body: remove })}`;
}
