/** The provider of a tenant's people, set up as an owner does. */
import type { Environment } from '../../../src/db/scope.ts';
import { settingsOperations } from '../../../src/features/tenants/settings-operations.ts';
import { house } from '../../../src/features.ts';
import { settingsOf } from '../../../src/house/house.ts';
import type { TestApp } from '../app/test-app.ts';
import { invokeAs, type SignedIn } from '../app/test-people.ts';

const { updateSettings } = settingsOperations(settingsOf(house));

export async function changeSettings(
  app: TestApp,
  person: SignedIn,
  body: object,
  environment: Environment = 'LIVE',
): Promise<{ status: number }> {
  return invokeAs(app, person, updateSettings, { body }, { environment });
}

export function setStaffProvider(
  app: TestApp,
  person: SignedIn,
  staffProvider: object,
  environment: Environment = 'LIVE',
): Promise<{ status: number }> {
  return changeSettings(app, person, { staffProvider }, environment);
}
