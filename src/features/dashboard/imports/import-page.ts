/** One import: how far it has come, and the rows that were refused. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { cancelImport, createImport, getImport, listImportErrors } from '../../imports/imports-operations.ts';
import { drawImport, drawProgress } from './import-view.ts';
import { sendFile } from './send-file.ts';

const paramsOf = ({ params }: PageContext) => ({ importId: params['importId'] ?? '' });

export const importPage = definePage({
  path: '/imports/:importId',
  title: 'Import',
  below: '/imports',
  needs: [getImport, listImportErrors],
  takesFile: true,
  async get(page) {
    const params = paramsOf(page);
    const [run, errors] = await Promise.all([
      page.invoke(getImport, { params }),
      page.invoke(listImportErrors, { params, query: { cursor: page.query['cursor'], limit: '100' } }),
    ]);
    if (page.part === 'progress') return { part: drawProgress(page, run) };
    return drawImport(page, run, errors);
  },
  actions: {
    cancel: {
      needs: [cancelImport],
      async run(page) {
        await page.invoke(cancelImport, { params: paramsOf(page) });
        return { to: page.here(), said: 'The import is stopped. What was applied stays.' };
      },
    },
    carryOut: {
      needs: [createImport],
      uses: [getImport],
      async run(page, form) {
        const { kind } = await page.invoke(getImport, { params: paramsOf(page) });
        return sendFile(page, form, { kind, mode: 'apply' });
      },
    },
  },
});
