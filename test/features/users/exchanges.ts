/** Exchanges of members that the access matrix does not make. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFaultPoints } from '../../../src/fault-points.ts';
import { house } from '../../../src/features.ts';
import { faultPointsOf } from '../../../src/house/house.ts';
import { type ExchangeRow, sendAs } from '../../support/exchanges/record.ts';
import { shopRow } from '../../support/exchanges/shop.ts';

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
];
