/** Endpoints that were deleted are kept for a while: what looks for the others walks none of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope, WriteDb } from '../../../src/db/scope.ts';
import { insertEndpoint, listEndpoints } from '../../../src/features/webhooks/endpoints/endpoints-queries.ts';
import { refreshHearing } from '../../../src/features/webhooks/log/hearing-queries.ts';
import { sealEvents } from '../../../src/features/webhooks/log/seal-events.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';

let app: TestApp;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
  scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
  await app.database.asSuperuser(
    `insert into webhook_endpoint (tenant_id, environment, url, event_types, enabled, rights, rights_of, created_by, deleted_at)
     select $1, 'LIVE', 'https://shop.example/' || n, '{*}', false, '{*}', 'system', 'system', now() from generate_series(1, 5000) n`,
    [scope.tenantId],
  );
});
afterAll(() => app.close());

/** Notes statements in place of sending them. */
function notingDb(texts: string[]): WriteDb {
  const note = async ({ text }: { text: string }): Promise<undefined> => void texts.push(text);
  return {
    rows: async (statement) => {
      await note(statement);
      return [];
    },
    row: note,
    lastRow: note,
    tell() {},
    listen() {},
    told: [],
  };
}

async function plansOf(look: (db: WriteDb) => Promise<unknown>): Promise<string> {
  const texts: string[] = [];
  await look(notingDb(texts));
  const lines: string[] = [];
  for (const text of texts.filter((one) => one.includes('webhook_endpoint'))) {
    const rows = await app.database.asSuperuser<{ 'QUERY PLAN': string }>(`explain (generic_plan, costs off) ${text}`);
    lines.push(...rows.map((row) => row['QUERY PLAN']));
  }
  return lines.join('\n');
}

const endpoint = {
  id: '019abf4e-6a57-7c5e-8a8e-111111111111',
  url: 'https://shop.example/',
  eventTypes: ['*'],
  description: null,
  enabled: true,
  headerNames: [],
  headersSealed: null,
  rights: ['*'],
  secretSealed: Buffer.from('x'),
  createdBy: 'system',
};

const LOOKS: [what: string, times: number, look: (db: WriteDb) => Promise<unknown>][] = [
  ['a list', 1, (db) => listEndpoints(db, scope, undefined, 21)],
  ['a new one', 1, (db) => insertEndpoint(db, scope, endpoint, 50)],
  ['who hears of what', 1, (db) => refreshHearing(db, scope)],
  ['numbers for events', 2, (db) => sealEvents(db, scope)],
];

test.each(['as it was filled', 'analyzed'])('a table %s is looked into by the index of those that are left', async (state) => {
  if (state === 'analyzed') await app.database.asSuperuser('analyze webhook_endpoint');
  for (const [what, times, look] of LOOKS) {
    const plan = await plansOf(look);
    expect(plan.match(/(on|using) webhook_endpoint_live_idx/gi), `${what}\n${plan}`).toHaveLength(times);
  }
});
