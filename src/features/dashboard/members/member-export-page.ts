/** Everything that is held on a member, as a file. */
import { definePage } from '../../../pages/define-page.ts';
import { exportMemberData } from '../../profile/data-export-operations.ts';
import { idOf } from './member-page.ts';

/** What each feature adds to the document is not looked at here. */
const dataExport = exportMemberData([]);

export const memberExportPage = definePage({
  path: '/members/:userId/data-export',
  title: 'Data export',
  below: '/members',
  needs: [dataExport],
  get: async (page) => ({ json: await page.invoke(dataExport, { params: { userId: idOf(page) } }) }),
});
