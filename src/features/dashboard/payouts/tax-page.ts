/** Tax documents: what was a member paid in a year? */
import { AppError } from '../../../errors.ts';
import { definePage } from '../../../pages/define-page.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import { chosenMember } from '../../../pages/parts/chosen-member.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { getTaxDocumentCsv, getTaxDocumentPdf, listTaxDocuments } from '../../statements/tax-documents-operations.ts';
import { drawTax } from './tax-view.ts';

export const taxPage = definePage({
  path: '/payouts/tax',
  title: 'Tax documents',
  below: '/payouts',
  needs: [listTaxDocuments],
  uses: [listMembers],
  async get(page) {
    const member = await chosenMember(page.query['member'], (query) => page.invokeIfAllowed(listMembers, { query }));
    if (member.id === undefined) return drawTax(page, { isUnknown: member.isUnknown });
    const { id } = member;
    const [documents, names] = await Promise.all([
      page.invoke(listTaxDocuments, { params: { userId: id } }).catch(nobody),
      memberNames(page, [id], (ids) => page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } })),
    ]);
    return drawTax(page, documents ? { userId: id, documents, names, isUnknown: false } : { isUnknown: true });
  },
  actions: {
    pdf: {
      needs: [getTaxDocumentPdf],
      run: async (page, form) => ({ file: await page.invokeFile(getTaxDocumentPdf, whichOf(form)) }),
    },
    csv: {
      needs: [getTaxDocumentCsv],
      run: async (page, form) => ({ file: await page.invokeFile(getTaxDocumentCsv, whichOf(form)) }),
    },
  },
});

function nobody(thrown: unknown): undefined {
  if (thrown instanceof AppError && thrown.code === 'USER_NOT_FOUND') return undefined;
  throw thrown;
}

function whichOf(form: FormValues) {
  return {
    params: { userId: form.raw('userId'), year: form.raw('year') },
    query: { currency: form.raw('currency') },
  };
}
