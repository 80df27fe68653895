/** Settings: how is this tenant set up? */
import { AppError } from '../../../errors.ts';
import { definePage } from '../../../pages/define-page.ts';
import { listAuditLogs } from '../../audit/audit-log-operations.ts';
import { listPendingChanges } from '../../pending-changes/pending-changes-operations.ts';
import { changesOf } from './read-settings-form.ts';
import { SETTING_GROUPS } from './setting-fields.ts';
import { getSettings, type Settings, updateSettings } from './settings-calls.ts';
import { drawSettings } from './settings-view.ts';

export const settingsPage = definePage({
  path: '/settings',
  title: 'Settings',
  nav: { group: 'Tenant', icon: 'settings', key: ',' },
  needs: [getSettings],
  uses: [listAuditLogs, listPendingChanges],
  async get(page) {
    const [settings, log, pending] = await Promise.all([
      page.invoke(getSettings),
      page.invokeIfAllowed(listAuditLogs, { query: { action: 'settings.updated', limit: '100' } }),
      page.invokeIfAllowed(listPendingChanges, { query: { status: 'open', limit: '100' } }),
    ]);
    const waiting = (pending?.data ?? []).filter(({ operationId }) => operationId === updateSettings.operationId);
    return drawSettings(page, { settings: settings as Settings, log: log?.data ?? [], waiting });
  },
  actions: {
    save: {
      needs: [updateSettings],
      async run(page, form) {
        const group = SETTING_GROUPS.flat().find(({ key }) => key === form.raw('group'));
        if (!group) throw new AppError('NOT_FOUND', 'No such group of settings');
        const body = changesOf(group, form);
        const to = `${page.here()}#${group.key}`;
        if (body === undefined) return { to, said: `Nothing of ${group.title} was other than before.` };
        await page.invoke(updateSettings, { body });
        return { to, said: `${group.title}: changed.` };
      },
    },
  },
});
