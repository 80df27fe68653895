/** Imports: did all rows come in? */
import { createImport, listImports } from '../../imports/imports-operations.ts';
import { withSavedViews } from '../saved-views/with-saved-views.ts';
import { drawImports, FILTERS } from './imports-view.ts';
import { sendFile } from './send-file.ts';

export const importsPage = withSavedViews(FILTERS, {
  path: '/imports',
  title: 'Imports',
  nav: { group: 'Tenant', icon: 'import', key: 'i' },
  needs: [listImports],
  takesFile: true,
  async get(page) {
    const { kind, status, cursor } = page.query;
    return drawImports(page, await page.invoke(listImports, { query: { kind, status, cursor, limit: '25' } }));
  },
  actions: {
    send: {
      needs: [createImport],
      run: (page, form) => sendFile(page, form, { kind: form.text('kind'), mode: form.text('mode') }),
    },
  },
});
