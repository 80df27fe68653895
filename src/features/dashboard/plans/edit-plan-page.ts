/** The plan editor: a form that is the plan's JSON, and what a sample sale would pay by it. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import { DEFAULT_PLAN } from '../../commissions/open/plan-definition.ts';
import { planDifference } from '../../commissions/open/plan-difference.ts';
import { getCommissionPlan, lintCommissionPlan, updateCommissionPlan } from '../../commissions/plans-operations.ts';
import { quotePurchase } from '../../events/quotes/quote-operations.ts';
import { listUpline } from '../../genealogy/genealogy-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { type EditorState, readState, stateOf } from './editor-state.ts';
import { drawEditor, drawSide, type Editor, SIDE } from './editor-view.ts';
import type { Plan } from './plan-dates.ts';
import { type Checked, isChangedPlan, type Refusal, refusalOf } from './refusals.ts';
import { firstSale, quoteSale } from './sample-sale.ts';

export const editPlanPage = definePage({
  path: '/plans/:planId/edit',
  title: 'Edit a plan',
  below: '/plans',
  needs: [getCommissionPlan, updateCommissionPlan, lintCommissionPlan, quotePurchase],
  uses: [listMembers, listUpline],
  async get(page) {
    const plan = await page.invoke(getCommissionPlan, { params: paramsOf(page) });
    const definition = plan.draft ?? plan.versions[0]?.definition ?? DEFAULT_PLAN;
    const sale = firstSale(page);
    const state = stateOf(definition);
    const { problems, warnings } = plan;
    const [checked, quoted] = await Promise.all([
      plan.draft === null ? check(page, state) : { findings: { problems, warnings }, faults: [] },
      quoteSale(page, sale, definition),
    ]);
    return drawEditor(page, { plan, drawnAt: plan.updatedAt, state, checked, sale, quoted });
  },
  actions: {
    edit: {
      needs: [updateCommissionPlan],
      async run(page, form) {
        const state = readState(form);
        const isSaved = form.raw('deed') === '';
        const saved = isSaved && state.definition ? await save(page, form, state.definition) : undefined;
        if (saved === 'saved') return { to: page.at(`/plans/${planIdOf(page)}`), said: 'The draft is saved.' };
        const editor = await lookAt(page, form, state, saved);
        if (page.part === SIDE) return { part: drawSide(page, editor) };
        return { shownOnce: drawEditor(page, editor), status: isSaved ? (editor.refused?.status ?? 400) : 200 };
      },
    },
  },
});

const planIdOf = (page: PageContext): string => page.params['planId'] ?? '';
const paramsOf = (page: PageContext) => ({ planId: planIdOf(page) });

/** What was found of the draft, and what the sample sale pays by it. */
async function lookAt(
  page: PageContext,
  form: FormValues,
  state: EditorState,
  saved: 'changed' | Refusal | undefined,
): Promise<Editor> {
  const [plan, checked, quoted] = await Promise.all([
    readPlan(page),
    check(page, state),
    quoteSale(page, form, state.definition),
  ]);
  const looked = { plan: plan ?? { id: planIdOf(page), name: 'the plan' }, state, checked, sale: form, quoted };
  // What was not shown of the plan is not taken for seen.
  if (saved !== 'changed' || !plan) {
    const refused = saved === 'changed' ? changed() : saved;
    return { ...looked, drawnAt: form.raw('drawnAt'), ...(refused && { refused }) };
  }
  const stored = plan.draft ?? plan.versions[0]?.definition;
  const difference = stored && state.definition ? planDifference(stored, state.definition) : undefined;
  return { ...looked, drawnAt: plan.updatedAt, refused: changed(difference) };
}

function changed(difference?: readonly string[]): Refusal {
  const message = 'The plan was changed meanwhile. Save again, and this draft takes the place of the other one.';
  return { status: 400, message, faults: [], ...(difference && { difference }) };
}

/** Undefined where it cannot be read now. */
async function readPlan(page: PageContext): Promise<Plan | undefined> {
  try {
    return await page.invoke(getCommissionPlan, { params: paramsOf(page) });
  } catch (thrown) {
    refusalOf(thrown);
    return undefined;
  }
}

async function check(page: PageContext, { definition }: EditorState): Promise<Checked> {
  if (!definition) return { faults: [] };
  try {
    return {
      findings: await page.invoke(lintCommissionPlan, { body: { definition, planId: planIdOf(page) } }),
      faults: [],
    };
  } catch (thrown) {
    const { faults, message } = refusalOf(thrown);
    return { faults, message };
  }
}

/** Not over the draft of somebody else, unless it was seen; else why not. */
async function save(
  page: PageContext,
  form: FormValues,
  definition: NonNullable<EditorState['definition']>,
): Promise<'saved' | 'changed' | Refusal> {
  try {
    const body = { definition, expectedUpdatedAt: form.raw('drawnAt') };
    await page.invoke(updateCommissionPlan, { params: paramsOf(page), body });
    return 'saved';
  } catch (thrown) {
    if (isChangedPlan(thrown)) return 'changed';
    const refusal = refusalOf(thrown);
    return { ...refusal, message: `The draft is not saved. ${refusal.message}` };
  }
}
