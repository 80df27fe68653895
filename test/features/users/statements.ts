/** The statements of the operations of users, and of moves in the tree. */
import { newUpline } from '../../support/money/model-upline.ts';
import { alone, claim, countStatements, email, key, read, write } from '../../support/statements/statement-row.ts';

const signedUp = ['webhooks_heard', 'users_lock_sign_up', 'users_insert'];
/** One group of messages. */
const createdAlone = ['scope_keeping_plans_users_lock_sign_up', 'users_insert'];

export const userStatements = countStatements(
  async ({ client, deep }) => {
    const movable = await newUpline(client, 'D D D');
    for (let i = 0; i < 60; i++) await client.newMember({ parent_id: movable[0]?.id });
    /** Nobody else needs it to be active. */
    const lowest = await client.newMember({ parent_id: deep[0]?.id });
    return { movable, lowest };
  },
  [
    ['createUser, a root', ({ client }) => client.post('/api/v1/users', email()), 201, createdAlone],
    [
      'createUser under 5',
      ({ client, chain }) => client.post('/api/v1/users', { ...email(), parent_id: chain[0]?.id }),
      201,
      createdAlone,
    ],
    [
      'createUser under 45, by code',
      ({ client, deep }) => client.post('/api/v1/users', { ...email(), referral_code: deep[0]?.referral_code }),
      201,
      createdAlone,
    ],
    [
      'createUser with an Idempotency-Key',
      ({ client }) => client.post('/api/v1/users', email(), key()),
      201,
      write(...claim, ...signedUp, 'idempotency_store'),
    ],
    ['listUsers of 1', ({ client }) => client.get('/api/v1/users?limit=1'), 200, read('built')],
    ['listUsers of 100', ({ client }) => client.get('/api/v1/users?limit=100'), 200, read('built')],
    [
      'getUserStatus',
      ({ client, chain }) => client.get(`/api/v1/users/status?user_id=${chain[4]?.id}`),
      200,
      alone('users_status'),
    ],
    [
      'updateUser, flag only',
      ({ client, chain }) => client.patch(`/api/v1/users/${chain[4]?.id}`, { can_recruit: true }),
      200,
      write('users_lock_tree', 'users_find_for_update', 'history_now', 'history_apply', 'users_find_for_update'),
    ],
    [
      'updateUser, tier and activity',
      ({ client, lowest }) => client.patch(`/api/v1/users/${lowest.id}`, { membership_tier: 'SENIOR', is_active: false }),
      200,
      write(
        'users_lock_tree_shared',
        'users_lock_history',
        'users_find_for_update',
        'history_now',
        'history_record_tier',
        'history_record_activity',
        'history_apply',
        'users_note_activity',
        'webhooks_heard',
        'audit_insert',
        'users_find_for_update',
      ),
    ],
    [
      'updateUser, corrections',
      ({ client, lowest }) => client.patch(`/api/v1/users/${lowest.id}`, { ...email(), name: 'Ann', is_test_user: true }),
      200,
      write('users_find_for_update', 'history_now', 'users_correct', 'webhooks_heard', 'audit_insert', 'users_find_for_update'),
    ],
    ['getUser', ({ client, chain }) => client.get(`/api/v1/users/${chain[4]?.id}`), 200, alone('users_find')],
    [
      'putUser that creates',
      ({ client }) => client.put('/api/v1/users/by-external-id/counted', email()),
      201,
      write('users_find_by_external_id', ...signedUp),
    ],
    [
      'putUser that changes',
      ({ client }) => client.put('/api/v1/users/by-external-id/counted', { name: 'Ann', membership_tier: 'SENIOR' }),
      200,
      write(
        'users_find_by_external_id',
        'users_lock_tree_shared',
        'users_lock_history',
        'users_find_for_update',
        'history_now',
        'history_record_tier',
        'history_apply',
        'users_correct',
        'webhooks_heard',
        'audit_insert',
        'users_find_for_update',
      ),
    ],
    [
      'putUser that changes nothing',
      ({ client }) => client.put('/api/v1/users/by-external-id/counted', { name: 'Ann', can_recruit: true }),
      200,
      write('users_find_by_external_id', 'users_lock_tree_shared', 'users_find_for_update', 'history_now'),
    ],
    [
      'moveMember with 60 below it',
      ({ client, movable }) => client.post(`/api/v1/members/${movable[0]?.id}/sponsor`, { sponsorId: movable[2]?.id }),
      200,
      write(
        'sponsor_lock_folds',
        'users_lock_tree',
        'users_lock_history',
        'sponsor_move_facts',
        'webhooks_heard',
        'history_record_sponsor',
        'audit_insert',
        'sponsor_apply_move',
      ),
    ],
    [
      'moveMember to where it is',
      ({ client, movable }) => client.post(`/api/v1/members/${movable[0]?.id}/sponsor`, { sponsorId: movable[2]?.id }),
      200,
      write('sponsor_lock_folds', 'users_lock_tree', 'users_lock_history', 'sponsor_move_facts'),
    ],
    [
      'moveMember to the top, with an Idempotency-Key',
      ({ client, movable }) => client.post(`/api/v1/members/${movable[0]?.id}/sponsor`, { sponsorId: null }, key()),
      200,
      write(
        ...claim,
        'sponsor_lock_folds',
        'users_lock_tree',
        'users_lock_history',
        'sponsor_move_facts',
        'webhooks_heard',
        'history_record_sponsor',
        'audit_insert',
        'sponsor_apply_move',
        'idempotency_store',
      ),
    ],
    [
      'getMemberHistory',
      ({ client, movable }) => client.get(`/api/v1/members/${movable[0]?.id}/history`),
      200,
      alone('history_read'),
    ],
  ],
);
