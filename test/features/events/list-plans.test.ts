/** A page of events is read from an index in either direction, however far on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { EVENT_SORTS } from '../../../src/features/events/event-sorts.ts';
import { type EventFilters, listEvents } from '../../../src/features/events/events-queries.ts';
import { type BlockReader, openBlockReader } from '../../support/database/blocks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';

const MANY = 20_000;
const scope: Scope = { tenantId: '00000000-0000-7000-8000-000000000001', environment: 'LIVE' };
const idOf = (n: number) => `00000000-0000-7000-8000-${n.toString().padStart(12, '0')}`;

let database: TestDatabase;
let reader: BlockReader;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.asSuperuser(`
    set session_replication_role = replica;
    insert into event (tenant_id, environment, id, external_event_id, kind, type, occurred_at, recorded_at, amount_minor, currency,
                       tax_minor, shipping_minor, discount_minor, base_minor, attributed_member_id, status, content_digests, breakage_minor)
      select '${scope.tenantId}', 'LIVE', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'e-' || n, 'commission', 'bonus',
             '2026-01-01'::timestamptz + n * interval '1 minute', '2026-01-01'::timestamptz + n * interval '1 minute', 100, 'USD',
             0, 0, 0, 0, '${idOf(7)}', case when n % 2 = 0 then 'accepted' else 'held' end, '{}', 0
      from generate_series(1, ${MANY}) n;
    set session_replication_role = origin;
    analyze event`);
  reader = await openBlockReader(database, scope);
});
afterAll(async () => {
  await reader.end();
  await database.drop();
});

const PAGE = 26;
/** The ids from the index, and each event by its id with what belongs to it. */
const MOST = 700;

const none: EventFilters = {
  kind: undefined,
  type: undefined,
  status: undefined,
  userId: undefined,
  currency: undefined,
  customerExternalId: undefined,
  purchaseId: undefined,
  occurredFrom: undefined,
  occurredTo: undefined,
  externalEventId: undefined,
};

test.each(EVENT_SORTS.flatMap((sort) => [undefined, idOf(10_000)].map((afterId) => [sort, afterId] as const)))(
  'in the order %s behind %s',
  async (sort, afterId) => {
    for (const filters of [none, { ...none, status: 'held' as const }, { ...none, kind: 'commission' as const }]) {
      const { blocks, found } = await reader.blocksOf((db) => listEvents(db, scope, filters, { sort, afterId }, PAGE));
      expect(found).toBe(PAGE);
      expect(blocks[0]).toBeLessThan(60);
      for (const read of blocks) expect(read).toBeLessThan(MOST);
    }
  },
);
