/** The statements of the operations of API keys and settings. */
import { apiClient } from '../../support/app/api-client.ts';
import { type Counted, countStatements, read, write } from '../../support/statements/statement-row.ts';

const keysPath = '/api/v1/admin/api-keys';
const settingsPath = '/api/v1/admin/settings';
async function newKeyId({ client, forget }: Counted): Promise<string> {
  const { body } = await client.post(keysPath, {});
  forget();
  return body.id as string;
}
const revoke = async ({ app, liveKey }: Counted, id: string) =>
  app.http.delete(`${keysPath}/${id}`).set('x-tenant-api-key', liveKey);

export const tenantStatements = countStatements(
  async ({ app }) => ({
    /** Of a tenant whose settings nobody else needs. */
    other: apiClient(app, (await app.newTenant()).liveKey),
  }),
  [
    [
      'createApiKey',
      ({ client }) => client.post(keysPath, {}),
      201,
      write('api_keys_lock', 'api_keys_insert', 'webhooks_heard', 'audit_insert'),
    ],
    ['listApiKeys of 1', ({ client }) => client.get(`${keysPath}?limit=1`), 200, read('api_keys_list')],
    ['listApiKeys of 100', ({ client }) => client.get(`${keysPath}?limit=100`), 200, read('api_keys_list')],
    [
      'rollApiKey',
      async (world) => world.client.post(`${keysPath}/${await newKeyId(world)}/roll`, {}),
      201,
      write('api_keys_lock', 'api_keys_insert', 'webhooks_heard', 'api_keys_expire_within', 'audit_insert'),
    ],
    [
      'updateApiKey',
      async (world) => world.client.patch(`${keysPath}/${await newKeyId(world)}`, { name: 'Other' }),
      200,
      write('api_keys_lock', 'api_keys_update', 'audit_insert'),
    ],
    [
      'updateApiKey to what it is',
      async (world) => world.client.patch(`${keysPath}/${await newKeyId(world)}`, { name: null }),
      200,
      write('api_keys_lock'),
    ],
    [
      'revokeApiKey',
      async (world) => revoke(world, await newKeyId(world)),
      200,
      write('api_keys_lock', 'api_keys_revoke', 'webhooks_heard', 'audit_insert'),
    ],
    [
      'revokeApiKey again',
      async (world) => {
        const id = await newKeyId(world);
        await revoke(world, id);
        world.forget();
        return revoke(world, id);
      },
      200,
      write('api_keys_lock', 'api_keys_revoke'),
    ],
    [
      'getSettings',
      ({ other }) => other.get(settingsPath),
      200,
      read(
        'settings_read',
        'kyc_read_settings',
        'payouts_read_settings',
        'schedule_list',
        'referrals_read_settings',
        'webhooks_read_settings',
        'mail_read_settings',
        'commissions_read_settings',
        'genealogy_read_visibility',
        'staff_provider_read',
      ),
    ],
    [
      'updateSettings to what they are',
      ({ other }) => other.patch(settingsPath, { reportingTimeZone: 'UTC' }),
      200,
      write(
        'tenants_time_zone_known',
        'settings_lock',
        'kyc_read_settings',
        'payouts_read_settings',
        'schedule_list',
        'referrals_read_settings',
        'webhooks_read_settings',
        'mail_read_settings',
        'commissions_read_settings',
        'genealogy_read_visibility',
        'staff_provider_read',
      ),
    ],
    [
      'updateSettings',
      ({ other }) => other.patch(settingsPath, { defaultCurrency: 'EUR' }),
      200,
      write(
        'settings_lock',
        'pending_changes_lock_of_fields',
        'kyc_read_settings',
        'payouts_read_settings',
        'schedule_list',
        'referrals_read_settings',
        'webhooks_read_settings',
        'mail_read_settings',
        'commissions_read_settings',
        'genealogy_read_visibility',
        'staff_provider_read',
        'audit_insert',
        'settings_update',
        'webhooks_heard',
      ),
    ],
    [
      'updateSettings of one environment',
      ({ other }) => other.patch(settingsPath, { kyc: { kycvendor: { levelName: 'basic' } } }),
      200,
      write(
        'settings_lock',
        'kyc_lock_settings',
        'pending_changes_lock_of_fields',
        'kyc_store_settings',
        'payouts_read_settings',
        'schedule_list',
        'referrals_read_settings',
        'webhooks_read_settings',
        'mail_read_settings',
        'commissions_read_settings',
        'genealogy_read_visibility',
        'staff_provider_read',
        'audit_insert',
        'webhooks_heard',
      ),
    ],
    [
      'updateSettings of payments in one environment',
      ({ other }) => other.patch(settingsPath, { payments: { dualControl: true } }),
      200,
      write(
        'settings_lock',
        'payouts_lock_settings',
        'schedule_list',
        'pending_changes_lock_of_fields',
        'kyc_read_settings',
        'payouts_store_settings',
        'referrals_read_settings',
        'webhooks_read_settings',
        'mail_read_settings',
        'commissions_read_settings',
        'genealogy_read_visibility',
        'staff_provider_read',
        'audit_insert',
        'webhooks_heard',
      ),
    ],
    [
      'updateSettings of referrals in one environment',
      ({ other }) => other.patch(settingsPath, { referrals: { attributionWindowDays: 30 } }),
      200,
      write(
        'settings_lock',
        'referrals_read_settings',
        'pending_changes_lock_of_fields',
        'kyc_read_settings',
        'payouts_read_settings',
        'schedule_list',
        'referrals_store_settings',
        'webhooks_read_settings',
        'mail_read_settings',
        'commissions_read_settings',
        'genealogy_read_visibility',
        'staff_provider_read',
        'audit_insert',
        'webhooks_heard',
      ),
    ],
  ],
);
