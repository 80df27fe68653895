import { type Route, route } from '../../http/route.ts';
import type { SettingsService } from './settings-service.ts';

export function settingsRoutes(settings: SettingsService): Route[] {
  const { getSettings, updateSettings } = settings.operations;
  return [
    route(getSettings, (context) => settings.readSettings(context)),
    route(updateSettings, ({ body, ...context }) => settings.updateSettings(context, body)),
  ];
}
