/** The plan editor: a form that is the plan's JSON, and what a sample sale would pay by it. */
import { AppError, type FieldFault } from '../../../errors.ts';
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import { DEFAULT_PLAN } from '../../commissions/open/plan-definition.ts';
import { getCommissionPlan, lintCommissionPlan, updateCommissionPlan } from '../../commissions/plans-operations.ts';
import { quotePurchase } from '../../events/quotes/quote-operations.ts';
import { listUpline } from '../../genealogy/genealogy-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { type EditorState, readState, stateOf } from './editor-state.ts';
import { drawEditor, drawSide, type Editor, SIDE } from './editor-view.ts';
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
    const state = stateOf(definition, { isUnsaved: plan.draft === null });
    const [findings, quoted] = await Promise.all([
      plan.draft === null ? findingsOf(page, state) : { problems: plan.problems, warnings: plan.warnings },
      quoteSale(page, sale, definition),
    ]);
    return drawEditor(page, { plan, state, findings, sale, quoted });
  },
  actions: {
    edit: {
      needs: [updateCommissionPlan],
      async run(page, form) {
        const state = readState(form);
        const isSaved = form.raw('deed') === '';
        const saved = isSaved && state.definition ? await save(page, form, state.definition) : undefined;
        if (saved === 'saved') return { to: page.at(`/plans/${planIdOf(page)}`), said: 'The draft is saved.' };
        const editor = await lookAt(page, form, state);
        if (page.part === SIDE) return { part: drawSide(page, editor) };
        const refused = saved ?? [];
        return { shownOnce: drawEditor(page, { ...editor, refused }), status: isSaved ? 400 : 200 };
      },
    },
  },
});

const planIdOf = (page: PageContext): string => page.params['planId'] ?? '';
const paramsOf = (page: PageContext) => ({ planId: planIdOf(page) });

/** What was found of the draft, and what the sample sale pays by it. */
async function lookAt(page: PageContext, form: FormValues, state: EditorState): Promise<Editor> {
  const [plan, findings, quoted] = await Promise.all([
    page.invoke(getCommissionPlan, { params: paramsOf(page) }),
    findingsOf(page, state),
    quoteSale(page, form, state.definition),
  ]);
  return { plan, state, findings, sale: form, quoted };
}

async function findingsOf(page: PageContext, { definition }: EditorState): Promise<Editor['findings']> {
  if (!definition) return undefined;
  return page.invoke(lintCommissionPlan, { body: { definition, planId: planIdOf(page) } });
}

/** Not over the draft of somebody else, unless it was seen; else what is wrong. */
async function save(
  page: PageContext,
  form: FormValues,
  definition: NonNullable<EditorState['definition']>,
): Promise<'saved' | FieldFault[]> {
  const { updatedAt } = await page.invoke(getCommissionPlan, { params: paramsOf(page) });
  if (updatedAt !== form.raw('drawnAt'))
    return [
      { field: '', message: 'The plan was changed meanwhile. Save again, and this draft takes the place of the other one.' },
    ];
  try {
    await page.invoke(updateCommissionPlan, { params: paramsOf(page), body: { definition } });
    return 'saved';
  } catch (error) {
    const fields = error instanceof AppError && error.code === 'VALIDATION_ERROR' ? error.details?.['fields'] : undefined;
    if (!Array.isArray(fields)) throw error;
    return (fields as FieldFault[]).map(({ field, message }) => ({ field: field.replace(/^definition\./, ''), message }));
  }
}
