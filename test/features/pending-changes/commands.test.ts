/** `cli pending-changes`: the operator is the other pair of hands. docs/operations.md */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCli } from '../../support/app/run-cli.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { type ChangesShop, openChangesShop } from './changes-shop.ts';

let app: TestApp;
let shop: ChangesShop;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await openChangesShop(app, { dualControl: true, dualControlBy: 'persons' });
});
afterAll(() => app.close());

const cli = async (...words: string[]) => {
  const run = await runCli(app, 'pending-changes', ...words, '--tenant', shop.tenant.tenantId, '--json');
  return { ...run, json: run.stdout === '' ? undefined : (JSON.parse(run.stdout) as { id: string; status: string }[]) };
};

test('lists what waits, and confirms it where no key may; the operator is named', async () => {
  const id = await shop.propose();
  expect((await cli('list')).json).toMatchObject([{ id, status: 'open', operationId: 'updateSettings' }]);
  const confirmed = await cli('confirm', id);
  expect(confirmed.code, confirmed.stderr).toBe(0);
  expect(confirmed.json).toMatchObject({ id, status: 'confirmed', decidedBy: { kind: 'operator' } });
  expect(await shop.payments()).toMatchObject({ requireKyc: false });
  expect((await shop.log('settings.updated')).at(-1)).toMatchObject({ actor: 'operator', details: { pendingChangeId: id } });
  expect((await cli('list')).json).toEqual([]);
  expect((await cli('list', '--all')).json).toMatchObject([{ id, status: 'confirmed' }]);
  const again = await cli('confirm', id);
  expect([again.code, again.stdout]).toEqual([1, '']);
  expect(again.stderr).toContain('confirmed');
});

test('rejects, with a reason; of another tenant there is none', async () => {
  const id = await shop.propose();
  const other = await openChangesShop(app);
  const foreign = await runCli(app, 'pending-changes', 'confirm', id, '--tenant', other.tenant.tenantId);
  expect(foreign.code).toBe(1);
  const rejected = await cli('reject', id, '--reason', 'Asked by telephone');
  expect(rejected.code, rejected.stderr).toBe(0);
  expect(rejected.json).toMatchObject({ status: 'rejected', reason: 'Asked by telephone' });
  expect(await shop.payments()).toMatchObject({ requireKyc: true });
});

test('a key that may not make the change any more has asked in vain, for the operator as well', async () => {
  const { client, keyId } = await shop.newRoot();
  const id = await shop.propose({ requireKyc: false }, client);
  await app.database.asSuperuser('update api_key set revoked_at = now() where id = $1', [keyId]);
  const run = await cli('confirm', id);
  expect(run.code).toBe(1);
  expect(await shop.payments()).toMatchObject({ requireKyc: true });
});
