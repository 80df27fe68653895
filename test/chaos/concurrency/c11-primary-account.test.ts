/**
 * C-11 (docs/specification/reliability.md#c-11): two hundred times "make primary" over five accounts of one
 * member, over two processes; exactly one is.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { type Load, openLoad } from '../../support/app/model-load.ts';
import { type ApiProcess, startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { accountsPath, newAccount, newPayee } from '../../support/payments/payout-accounts.ts';

vi.setConfig({ testTimeout: 300_000 }); // a busy machine takes its time

let app: TestApp;
let load: Load;
let processes: ApiProcess[] = [];

beforeAll(async () => {
  app = await startTestApp();
  load = openLoad(200);
  processes = await Promise.all([1, 2].map(() => startApiProcess(app, { DATABASE_POOL_SIZE: '10' })));
});
afterAll(async () => {
  load.close();
  await Promise.all(processes.map((process) => process.stop()));
  await app.close();
});

interface Shown {
  id: string;
  isPrimary: boolean;
}

test('C-11', async () => {
  const { liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const member = await newPayee(client);
  const ids: string[] = [];
  for (let turn = 0; turn < 5; turn++) ids.push((await newAccount(client, member.id)).id);
  const primaries = async (): Promise<string[]> => {
    const { accounts } = (await client.get(accountsPath(member.id))).body as { accounts: Shown[] };
    return accounts.filter(({ isPrimary }) => isPrimary).map(({ id }) => id);
  };
  const answers = load.sendAllUntilTaken(
    Array.from({ length: 200 }, (_none, turn) => ({
      baseUrl: processes[turn % processes.length]?.baseUrl ?? '',
      key: liveKey,
      method: 'PATCH' as const,
      path: accountsPath(member.id, ids[turn % ids.length] ?? ''),
      body: { isPrimary: true },
    })),
  );
  const done = new AbortController();
  void answers.finally(() => done.abort());
  while (!done.signal.aborted) expect(await primaries()).toHaveLength(1);
  const odd = (await answers).filter(({ status, text }) => status !== 200 || !(JSON.parse(text) as Shown).isPrimary);
  expect(odd).toEqual([]);
  expect(await primaries()).toHaveLength(1);
  const rows = await app.database.asSuperuser('select id from payout_account where member_id = $1 and is_primary', [member.id]);
  expect(rows).toEqual((await primaries()).map((id) => ({ id })));
  // One took over from the other, without a gap and without two from the same one.
  const changes = await app.database.asSuperuser<{ to: string; before: string | null }>(
    `select a.object_id as to, a.details->>'before' as before from audit_log a
     where a.action = 'payout_account.made_primary' and a.details->>'userId' = $1 order by a.id`,
    [member.id],
  );
  expect(changes.map(({ before }) => before)).toEqual([ids[0], ...changes.slice(0, -1).map(({ to }) => to)]);
  expect(changes.at(-1)?.to).toBe((await primaries())[0]);
});
