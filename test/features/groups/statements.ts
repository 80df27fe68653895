/** The statements of the operations of groups, and of what names one. */
import { randomUUID } from 'node:crypto';
import { newUpline } from '../../support/money/model-upline.ts';
import { alone, countStatements, email, read, write } from '../../support/statements/statement-row.ts';

const GROUPS = '/api/v1/groups';
const made: string[] = [];

export const groupStatements = countStatements(
  // Their own: whoever was moved once has a history, which sales ask for.
  async ({ client }) => ({ five: await newUpline(client, 'D D D D D') }),
  [
    [
      'createGroup',
      ({ client }) => {
        made.push(`g-${randomUUID()}`);
        return client.post(GROUPS, { key: made[0], name: 'Group' });
      },
      201,
      write('groups_insert', 'audit_insert'),
    ],
    ['listGroups', ({ client }) => client.get(GROUPS), 200, read('groups_list')],
    ['getGroup', ({ client }) => client.get(`${GROUPS}/default`), 200, alone('groups_find')],
    [
      'updateGroup',
      ({ client }) => client.patch(`${GROUPS}/${made[0]}`, { name: 'Other' }),
      200,
      write('groups_lock', 'groups_update', 'audit_insert'),
    ],
    [
      'addGroupMembers with five',
      ({ client, five }) => client.post(`${GROUPS}/${made[0]}/members`, { userIds: five.map(({ id }) => id) }),
      200,
      write(
        'groups_find',
        'groups_hold',
        'users_lock_history',
        'users_lock_many',
        'history_now',
        'webhooks_heard',
        'history_record_group',
        ...Array.from({ length: 5 }, () => 'audit_insert'),
        'history_apply_groups',
      ),
    ],
    [
      'addGroupMembers of who are there',
      ({ client, five }) => client.post(`${GROUPS}/${made[0]}/members`, { userIds: five.map(({ id }) => id) }),
      200,
      write('groups_find', 'groups_hold', 'users_lock_history', 'users_lock_many', 'history_now'),
    ],
    ['listGroupMembers', ({ client }) => client.get(`${GROUPS}/${made[0]}/members`), 200, read('groups_find', 'users_of_group')],
    ['listMemberGroups', ({ client, five }) => client.get(`/api/v1/members/${five[0]?.id}/groups`), 200, alone('history_groups')],
    [
      'createUser in a group',
      ({ client }) => client.post('/api/v1/users', { ...email(), group: made[0] }),
      201,
      write('groups_hold', 'users_lock_sign_up', 'users_insert'),
    ],
    [
      'updateUser, group',
      ({ client, five }) => client.patch(`/api/v1/users/${five[0]?.id}`, { group: 'default' }),
      200,
      write(
        'users_lock_history',
        'users_find_for_update',
        'history_now',
        'history_record_group',
        'history_apply_groups',
        'webhooks_heard',
        'audit_insert',
        'users_find_for_update',
      ),
    ],
    [
      'archiveGroup',
      async ({ client, five, forget }) => {
        const userIds = five.map(({ id }) => id);
        await client.post(`${GROUPS}/default/members`, { userIds });
        for (const { userId } of (await client.get(`${GROUPS}/${made[0]}/members`)).body.data) {
          await client.patch(`/api/v1/users/${userId}`, { group: 'default' });
        }
        forget();
        return client.delete(`${GROUPS}/${made[0]}`);
      },
      200,
      write('groups_lock', 'groups_use', 'groups_update', 'audit_insert'),
    ],
  ],
);
