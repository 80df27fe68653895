/** Audit: who changed what? */
import { dayFrom, dayTo } from '../../../pages/instants.ts';
import { listAuditLogs } from '../../audit/audit-log-operations.ts';
import { withSavedViews } from '../saved-views/with-saved-views.ts';
import { drawAudit, FILTERS } from './audit-view.ts';

export const auditPage = withSavedViews(FILTERS, {
  path: '/audit',
  title: 'Audit',
  nav: { group: 'Tenant', icon: 'audit', key: 'a' },
  needs: [listAuditLogs],
  async get(page) {
    const { actorKind, actorId, targetKind, targetId, action, from, to, cursor } = page.query;
    const { timeZone } = page.tenant;
    const query = { actorKind, actorId, targetKind, targetId, action, cursor, limit: '50' };
    const days = { from: dayFrom(timeZone, from), to: dayTo(timeZone, to) };
    return drawAudit(page, await page.invoke(listAuditLogs, { query: { ...query, ...days } }));
  },
});
