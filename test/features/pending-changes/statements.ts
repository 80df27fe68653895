/** The statements of the operations of changes that wait. */
import { randomUUID } from 'node:crypto';
import { type Counted, claim, countStatements, read, write } from '../../support/statements/statement-row.ts';
import { CHANGES, type ChangesShop, openChangesShop, SETTINGS } from './changes-shop.ts';

type World = Counted & { shop: ChangesShop };

/** A change that waits, of nobody else's. */
async function waiting({ shop, forget }: World): Promise<string> {
  const open = (await shop.first.get(`${CHANGES}?status=open`)).body.data as { id: string }[];
  for (const { id } of open) await shop.first.post(`${CHANGES}/${id}/reject`, {});
  const { accountCooldownHours } = await shop.payments();
  const id = await shop.propose({ accountCooldownHours: Number(accountCooldownHours) - 1 });
  forget();
  return `${CHANGES}/${id}`;
}

export const pendingChangeStatements = countStatements(
  async ({ app }) => ({ shop: await openChangesShop(app) }),
  [
    [
      'updateSettings that waits',
      async (world) => {
        await waiting(world);
        const headers = { 'idempotency-key': randomUUID() };
        return world.shop.first.patch(SETTINGS, { payments: { requireKyc: false } }, headers);
      },
      202,
      [
        ...read(...claim, 'settings_lock', 'payouts_lock_settings', 'schedule_list', 'two_hands_rule'),
        ...write(
          ...claim,
          'pending_changes_lock_of_fields',
          'pending_changes_draw_id',
          'pending_changes_insert',
          'pending_changes_claim',
          'audit_insert',
          'idempotency_store',
        ),
      ],
    ],
    ['listPendingChanges of 100', ({ shop }) => shop.first.get(`${CHANGES}?limit=100`), 200, read('pending_changes_list')],
    ['getPendingChange', async (world) => world.shop.first.get(await waiting(world)), 200, read('pending_changes_find')],
    [
      'confirmPendingChange',
      async (world) => world.shop.second.post(`${await waiting(world)}/confirm`, {}),
      200,
      [
        ...read('pending_changes_find'),
        ...write(
          'settings_lock',
          'payouts_lock_settings',
          'schedule_list',
          'pending_changes_lock',
          'pending_changes_active_keys',
          'two_hands_rule',
          'two_hands_meeting',
          'pending_changes_close',
          'audit_insert',
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
    ],
    [
      'rejectPendingChange',
      async (world) => world.shop.second.post(`${await waiting(world)}/reject`, {}),
      200,
      [...read('pending_changes_find'), ...write('pending_changes_lock', 'pending_changes_close', 'audit_insert')],
    ],
  ],
);
