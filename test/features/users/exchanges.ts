/** Exchanges of members that the access matrix does not make. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFaultPoints } from '../../../src/fault-points.ts';
import { house } from '../../../src/features.ts';
import { faultPointsOf } from '../../../src/house/house.ts';
import { type ExchangeRow, sendAs } from '../../support/exchanges/record.ts';
import { NOBODY, shopRow } from '../../support/exchanges/shop.ts';

/** Longer than a repeat waits for the first request with its key. */
const HOLD_MS = 4_000;

const cara = { email: 'cara@shop.example', name: 'Cara Diaz', external_id: 'cara', membership_tier: 'ORDINARY' };

export const usersExchanges: ExchangeRow[] = [
  shopRow('createUser', 201, ({ ann }) => ({ body: { ...cara, referral_code: ann.referral_code } })),
  shopRow('putUser', 201, ({ bob }) => ({
    path: { external_id: 'dan' },
    body: { email: 'dan@shop.example', name: 'Dan Evans', parent_id: bob.id },
  })),
  shopRow('updateUser', 200, ({ bob }) => ({ path: { user_id: bob.id }, body: { membership_tier: 'SENIOR', name: 'Bob Lee' } })),
  {
    operationId: 'createUser',
    gets: 'IDEMPOTENCY_IN_PROGRESS',
    request: () => ({ body: { email: 'slow@shop.example' } }),
    async send(world, side, operation, request) {
      const headers = { 'x-tenant-api-key': side.key, 'idempotency-key': 'slow' };
      setFaultPoints(`idempotency:claimed=hold:${HOLD_MS}`, faultPointsOf(house));
      try {
        const first = sendAs(world, side, operation, request, headers);
        await sleep(300);
        const repeat = await sendAs(world, side, operation, request, headers);
        await first;
        return repeat;
      } finally {
        setFaultPoints(undefined, []);
      }
    },
  },
  shopRow('createUser', 'VALIDATION_ERROR', () => ({
    body: { email: 'not an address', membership_tier: 'GOLD', sponsor: 'ann' },
  })),
  shopRow('createUser', 'EMAIL_EXISTS', () => ({ body: { email: 'ann@shop.example' } })),
  shopRow('createUser', 'EXTERNAL_ID_EXISTS', () => ({ body: { email: 'anna@shop.example', external_id: 'ann' } })),
  shopRow('createUser', 'RECRUITING_DISABLED', async ({ client }) => {
    const { id } = await client.newMember({ can_recruit: false });
    return { body: { email: 'gina@shop.example', parent_id: id } };
  }),
  shopRow(
    'createUser',
    'UNSUPPORTED_MEDIA_TYPE',
    () => ({ body: { email: 'gina@shop.example' } }),
    ({ key }) => ({ 'x-tenant-api-key': key, 'content-type': 'text/plain' }),
  ),
  shopRow(
    'createUser',
    'IDEMPOTENCY_KEY_REUSED',
    async ({ client }) => {
      await client.post('/api/v1/users', { email: 'hugo@shop.example' }, { 'idempotency-key': 'sign-up-1001' });
      return { body: { email: 'ida@shop.example' } };
    },
    ({ key }) => ({ 'x-tenant-api-key': key, 'idempotency-key': 'sign-up-1001' }),
  ),
  shopRow(
    'listUsers',
    'UNAUTHORIZED',
    () => ({}),
    () => ({}),
  ),
  shopRow(
    'listUsers',
    'INVALID_API_KEY',
    () => ({}),
    () => ({ 'x-tenant-api-key': 'svc_live_none-of-ours' }),
  ),
  shopRow(
    'listUsers',
    'FORBIDDEN',
    () => ({}),
    async ({ client }) => {
      const key = await client.post('/api/v1/admin/api-keys', { name: 'Events alone', scopes: ['events:read'] });
      return { 'x-tenant-api-key': String(key.body.apiKey) };
    },
  ),
  shopRow('moveMember', 'CYCLE_DETECTED', ({ ann, bob }) => ({ path: { userId: ann.id }, body: { sponsorId: bob.id } })),
  shopRow('moveMember', 'USER_NOT_FOUND', ({ bob }) => ({ path: { userId: NOBODY }, body: { sponsorId: bob.id } })),
];
