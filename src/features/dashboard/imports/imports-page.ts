/** Imports: did all rows come in? */
import { definePage } from '../../../pages/define-page.ts';
import { createImport, listImports } from '../../imports/imports-operations.ts';
import { drawImports, FILTERS } from './imports-view.ts';
import { sendFile } from './send-file.ts';

export const importsPage = definePage({
  path: '/imports',
  title: 'Imports',
  nav: { group: 'Tenant', icon: 'import', key: 'i' },
  needs: [listImports],
  filters: FILTERS,
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
