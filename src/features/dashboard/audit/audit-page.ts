/** Audit: who changed what? */
import { definePage } from '../../../pages/define-page.ts';
import { dayFrom, dayTo } from '../../../pages/instants.ts';
import { listAuditLogs } from '../../audit/audit-log-operations.ts';
import { drawAudit, FILTERS } from './audit-view.ts';

export const auditPage = definePage({
  path: '/audit',
  title: 'Audit',
  nav: { group: 'Tenant', icon: 'audit', key: 'a' },
  needs: [listAuditLogs],
  filters: FILTERS,
  async get(page) {
    const { actorKind, actorId, targetKind, targetId, action, from, to, cursor } = page.query;
    const { timeZone } = page.tenant;
    const query = { actorKind, actorId, targetKind, targetId, action, cursor, limit: '50' };
    const days = { from: dayFrom(timeZone, from), to: dayTo(timeZone, to) };
    return drawAudit(page, await page.invoke(listAuditLogs, { query: { ...query, ...days } }));
  },
});
