/** What tests hear of payouts, runs and accounts. */
import { expect } from 'vitest';
import type { ApiClient } from '../app/api-client.ts';
import type { TestApp } from '../app/test-app.ts';
import { accountsPath } from '../payments/payout-accounts.ts';
import type { ToldRow } from './told-events.ts';

const OF_PAYOUTS = /^payout(s|_run|_account)?\./;

/** Of these events those of payouts: the last of each object is what the API shows of it now. */
export async function ofPayouts(app: TestApp, client: ApiClient, told: readonly ToldRow[]): Promise<ToldRow[]> {
  const events = told.filter(({ type }) => OF_PAYOUTS.test(type));
  const last = new Map(events.filter(({ type }) => !type.startsWith('payouts.')).map((event) => [event.objectId, event]));
  for (const event of last.values()) expect(event.data, event.type).toEqual(await shown(app, client, event));
  return events;
}

async function shown(app: TestApp, client: ApiClient, { type, objectId }: ToldRow): Promise<unknown> {
  const [kind = ''] = type.split('.');
  const path = { payout: '/api/v1/payouts/', payout_run: '/api/v1/payout-runs/' }[kind];
  if (path !== undefined) return (await client.get(`${path}${objectId}`)).body;
  const [row] = await app.database.asSuperuser<{ member_id: string }>('select member_id from payout_account where id = $1', [
    objectId,
  ]);
  return (await client.get(accountsPath(row?.member_id ?? '', objectId))).body;
}

export const typesOf = (events: readonly ToldRow[]): string[] => events.map(({ type }) => type);
export const actorsOf = (events: readonly ToldRow[]): string[] => [...new Set(events.map(({ actor }) => actor))];
/** Of whoever has a key. */
export const KEY: unknown = expect.stringMatching(/^api_key:[0-9a-f-]{36}$/);
