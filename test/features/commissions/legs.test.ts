/** Through which direct recruit of its beneficiary a sale came: kept with every line, also with those of older releases. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOwnerKnex } from '../../../src/db/migrate.ts';
import { migrateService } from '../../../src/service.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { payOut } from '../../support/money/pay-out.ts';

let app: TestApp;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  client = apiClient(app, (await app.newTenant()).liveKey);
});
afterAll(() => app.close());

async function sell(fields: object): Promise<{ id: string; external: string; lines: { id: string }[] }> {
  const answer = await client.post('/api/v1/events/purchase', client.purchaseBody(fields));
  expect(answer.status).toBe(201);
  return { id: answer.body.event_id, external: answer.body.external_event_id, lines: answer.body.commissions };
}

interface LegRow {
  kind: string;
  level: number;
  beneficiary_id: string;
  leg_id: string | null;
}

/** `kind level: beneficiary <- leg`, members by their place in the chain, level 1 first. */
async function legsOf(chain: readonly MemberBody[], ...ids: string[]): Promise<string[]> {
  const rows = await app.database.asSuperuser<LegRow>(
    `select l.kind, l.level, l.beneficiary_id, l.leg_id from commission_line l join event e on e.id = l.event_id
     where l.event_id = any ($1) or e.purchase_id = any ($1) order by l.id, l.level`,
    [ids],
  );
  const place = (id: string | null) => (id === null ? '-' : `m${chain.findIndex((member) => member.id === id) + 1}`);
  return rows.map((row) => `${row.kind} ${row.level}: ${place(row.beneficiary_id)} <- ${place(row.leg_id)}`);
}

test('by real distance, also where compression skipped somebody, and of everything linked to a line', async () => {
  const chain = await newUpline(client, 'D o D D');
  const sale = await sell({ attribution: { user_id: chain[0]?.id } });
  const born = ['commission 1: m1 <- -', 'commission 3: m3 <- m2', 'commission 4: m4 <- m3'];
  expect(await legsOf(chain, sale.id)).toEqual(born);

  await client.post('/api/v1/events/refund', {
    external_event_id: randomUUID(),
    purchase_external_event_id: sale.external,
    amount_minor: 5_000,
  });
  const reversed = ['reversal 1: m1 <- -', 'reversal 3: m3 <- m2', 'reversal 4: m4 <- m3'];
  expect(await legsOf(chain, sale.id)).toEqual([...born, ...reversed]);
  expect((await client.post(`/api/v1/commissions/${sale.lines[1]?.id}/void`, {})).status).toBe(200);
  expect(await legsOf(chain, sale.id)).toEqual([...born, ...reversed, 'reversal 3: m3 <- m2']);
});

test('of clawbacks, what reinstates them, and what is forgiven meanwhile: that has no leg', async () => {
  const chain = await newUpline(client, 'D D');
  const sale = await sell({ attribution: { user_id: chain[0]?.id } });
  await payOut(
    app,
    sale.lines.map(({ id }) => id),
  );
  const dispute = { purchase_external_event_id: sale.external, dispute_id: randomUUID() };
  for (const stage of ['lost', 'won']) {
    if (stage === 'won') {
      await client.post('/api/v1/events/commission', {
        external_event_id: randomUUID(),
        type: 'write_off',
        user_id: chain[1]?.id,
        amount_minor: 100,
        currency: 'USD',
        description: 'x',
        actor: 'Kim',
      });
    }
    expect((await client.post('/api/v1/events/chargeback', { ...dispute, external_event_id: randomUUID(), stage })).status).toBe(
      201,
    );
  }
  expect(await legsOf(chain, sale.id)).toEqual([
    'commission 1: m1 <- -',
    'commission 2: m2 <- m1',
    'clawback 1: m1 <- -',
    'clawback 2: m2 <- m1',
    'reinstatement 1: m1 <- -',
    'reinstatement 2: m2 <- m1',
    'write_off 0: m2 <- -',
  ]);
});

test('as the upline stood at the sale; a buyer is nobody\u2019s leg', async () => {
  const [child, a] = await newUpline(client, 'D D');
  const b = await client.newMember({ membership_tier: 'DIRECTOR' });
  const before = new Date(Date.now() - 86_400_000).toISOString();
  await client.post(`/api/v1/members/${child?.id}/sponsor`, { sponsorId: b.id });
  const chain = [child, a, b] as MemberBody[];
  expect(await legsOf(chain, (await sell({ attribution: { user_id: child?.id }, occurred_at: before })).id)).toEqual([
    'commission 1: m1 <- -',
    'commission 2: m2 <- m1',
  ]);
  expect(await legsOf(chain, (await sell({ attribution: { user_id: child?.id } })).id)).toEqual([
    'commission 1: m1 <- -',
    'commission 2: m3 <- m1',
  ]);
  const bought = await newUpline(client, 'D D D');
  expect(await legsOf(bought, (await sell({ buyer_user_id: bought[0]?.id })).id)).toEqual([
    'commission 1: m2 <- -',
    'commission 2: m3 <- m2',
  ]);
});

test('a migration finds out the legs of lines that are there already, and has them folded', async () => {
  // One that says what it considered, and one of before events did.
  const [old] = await newUpline(client, 'D o D D');
  const sale = await sell({ attribution: { user_id: old?.id } });
  await app.database.asSuperuser(
    `set session_replication_role = replica; update event set evaluation = null where id = '${sale.id}'; reset session_replication_role`,
  );
  // Nor did payouts: their tables go on the way down, and what was paid by them is as it was before.
  await app.database.asSuperuser(
    `set session_replication_role = replica;
     delete from posting p using journal_entry j where j.id = p.journal_id and j.cause_type like 'payout_%';
     delete from ledger_unsealed u using journal_entry j where j.id = u.journal_id and j.cause_type like 'payout_%';
     delete from journal_entry where cause_type like 'payout_%';
     reset session_replication_role;
     update commission_line set status = 'cleared' where status in ('processing', 'paid')`,
  );
  const legs = 'select id, leg_id from commission_line order by id';
  const before = await app.database.asSuperuser<{ leg_id: string | null }>(legs);
  expect(before.filter((row) => row.leg_id !== null).length).toBeGreaterThan(8);
  const knex = openOwnerKnex(app.database.ownerUrl);
  try {
    for (let column = 1; column > 0; ) {
      await knex.migrate.down();
      const { rows } = await knex.raw(
        "select from information_schema.columns where table_name = 'commission_line' and column_name = 'leg_id'",
      );
      column = rows.length;
    }
  } finally {
    await knex.destroy();
  }
  await migrateService(app.database.ownerUrl);
  expect(await app.database.asSuperuser(legs)).toEqual(before);
  await expectCleanBooks(app);
});
