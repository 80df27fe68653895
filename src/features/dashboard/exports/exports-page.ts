/** Exports: lists as files. */
import { definePage } from '../../../pages/define-page.ts';
import { cancelExport, createExportDownloadUrl, listExports } from '../../exports/exports-operations.ts';
import { drawDownload, drawExports, drawUnderWay } from './exports-view.ts';
import { createExport } from './kinds.ts';

export const exportsPage = definePage({
  path: '/exports',
  title: 'Exports',
  nav: { group: 'Tenant', icon: 'export', key: 'x' },
  needs: [listExports],
  async get(page) {
    const exports = await page.invoke(listExports, { query: { cursor: page.query['cursor'], limit: '25' } });
    return page.part === 'progress' ? { part: drawUnderWay(page, exports) } : drawExports(page, exports);
  },
  actions: {
    create: {
      needs: [createExport],
      async run(page, form) {
        await page.invoke(createExport, { body: { kind: form.text('kind'), format: form.text('format') } });
        return { to: page.at('/exports'), said: 'The file is being made.' };
      },
    },
    cancel: {
      needs: [cancelExport],
      async run(page, form) {
        await page.invoke(cancelExport, { params: { exportId: form.raw('exportId') } });
        return { to: page.here(), said: 'The export is stopped. There will be no file.' };
      },
    },
    download: {
      needs: [createExportDownloadUrl],
      async run(page, form) {
        const { url, expiresAt } = await page.invoke(createExportDownloadUrl, { params: { exportId: form.raw('exportId') } });
        return { shownOnce: drawDownload(page, { url, expiresAt }) };
      },
    },
  },
});
