/** Exchanges of groups that the access matrix does not make. */
import type { ExchangeRow } from '../../support/exchanges/record.ts';
import { shopRow } from '../../support/exchanges/shop.ts';

const VIP = { key: 'vip', name: 'VIP partners' };

export const groupsExchanges: ExchangeRow[] = [
  shopRow('createGroup', 201, () => ({ body: VIP })),
  shopRow('createGroup', 'GROUP_EXISTS', () => ({ body: VIP })),
  shopRow('addGroupMembers', 200, ({ ann }) => ({
    path: { key: 'vip' },
    body: { userIds: [ann.id], reason: 'Sold more than 10,000 in October' },
  })),
  shopRow('listGroups', 200, () => ({})),
  shopRow('listGroupMembers', 200, () => ({ path: { key: 'vip' } })),
  shopRow('listMemberGroups', 200, ({ ann }) => ({ path: { userId: ann.id } })),
  shopRow('archiveGroup', 'STATE_CONFLICT', () => ({ path: { key: 'vip' } })),
];
