import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { getSettings, updateSettings } from './settings-operations.ts';
import type { SettingsService } from './settings-service.ts';

export function mountSettings(router: Router, mount: Mount, settings: SettingsService): void {
  mount(router, getSettings, (context) => settings.readSettings(context));
  mount(router, updateSettings, ({ body, ...context }) => settings.updateSettings(context, body));
}
