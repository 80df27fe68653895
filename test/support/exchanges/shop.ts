/** A shop as a reader knows it: Ann, and Bob whom she brought in; for exchanges that are to say something to a reader. */
import { type ApiClient, apiClient, type MemberBody } from '../app/api-client.ts';
import type { MatrixRequest } from '../matrix/matrix-row.ts';
import type { World } from '../matrix/matrix-world.ts';
import { type ExchangeRow, sendAs } from './record.ts';

export interface Shop {
  key: string;
  client: ApiClient;
  /** Her code is ANN. */
  ann: MemberBody;
  bob: MemberBody;
}

const shops = new WeakMap<World, Promise<Shop>>();

async function openShop({ app }: World): Promise<Shop> {
  const { liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const ann = await client.newMember({ email: 'ann@shop.example', external_id: 'ann', membership_tier: 'SENIOR' });
  const bob = await client.newMember({ email: 'bob@shop.example', external_id: 'bob', parent_id: ann.id });
  await client.post('/api/v1/referrals/codes', { user_id: ann.id, code: 'ANN' });
  await client.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } });
  return { key: liveKey, client, ann, bob };
}

function shopOf(world: World): Promise<Shop> {
  const shop = shops.get(world) ?? openShop(world);
  shops.set(world, shop);
  return shop;
}

/**
 * One that is sent by that shop. The shop of a world is one: what a row makes, those behind it find. `headers` stand in
 * place of its key.
 */
export function shopRow(
  operationId: string,
  gets: number | string,
  request: (shop: Shop) => MatrixRequest | Promise<MatrixRequest>,
  headers: (shop: Shop) => Record<string, string> | Promise<Record<string, string>> = ({ key }) => ({ 'x-tenant-api-key': key }),
): ExchangeRow {
  return {
    operationId,
    gets,
    request: async (_side, world) => request(await shopOf(world)),
    send: async (world, side, operation, sent) => sendAs(world, side, operation, sent, await headers(await shopOf(world))),
  };
}

/** An id of nothing. */
export const NOBODY = '0197f2a0-0000-7000-8000-00000000ffff';
