/** A disk is lost: the database comes back from a base backup and archived WAL, and nobody is paid twice. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveInto, restore, takeBaseBackup } from './backup.ts';
import type { DrillCluster } from './cluster.ts';
import type { Drill, DrillKit } from './kit.ts';
import { addPayees, awaitPayouts, comparePaid, draftRun, earn, openShop, type Shop } from './payees.ts';
import type { DrillProcess } from './processes.ts';

const EARNED = 6_000;
const EARNED_LATER = 7_000;
const RPO_SECONDS = 60;

interface Ack {
  id: string;
  at: number;
}

export const drill: Drill = {
  name: 'restore',
  title: 'the disk is lost after 100 payouts; restored to before them: 0 paid twice, 0 unpaid',
  async run(kit) {
    const count = kit.quick ? 20 : 100;
    const archive = path.join(kit.directory, 'archive');
    const base = path.join(kit.directory, 'base');
    const main = await kit.cluster('main', await archiveInto(archive, kit.quick ? 5 : RPO_SECONDS));
    kit.step('a shop with members who are owed money');
    await kit.cli(main, ['migrate']);
    const shop = await openShop(kit, main);
    const api = await kit.api(main, { env: shop.env });
    const worker = await kit.worker(main, { env: shop.env });
    await addPayees(kit, main, api, shop, count);
    await earn(kit, main, api, shop, EARNED);

    const toErase = await kit.call(api, shop.key, 'POST', '/api/v1/users', { email: 'erase-me@test.example' });
    const erasedId = toErase.body.id as string;

    kit.step('base backup while the service runs');
    const backupFrom = performance.now();
    await takeBaseBackup(kit, main, base);
    kit.figure('backupMs', Math.round(performance.now() - backupFrom));
    await sleep(1_100); // the time of a commit decides what is replayed
    const beforePayouts = new Date();
    await sleep(1_100);

    kit.step(`${count} payouts, and an erasure, behind the backup`);
    await eraseOne(kit, api, shop, erasedId);
    const { runId } = await draftRun(kit, api, shop);
    const executed = await kit.call(api, shop.key, 'POST', `/api/v1/payout-runs/${runId}/execute`, {});
    kit.check(executed.status === 200, `the run is executed: ${executed.status}`);
    await awaitPayouts(kit, main, shop);
    kit.figure('paidBehindBackup', shop.vendor.transfers.size);

    kit.step('writes go on until the disk is lost');
    const acks = await writeUntilLost(kit, api, shop, main);
    await worker.stop('SIGKILL');
    await api.stop('SIGKILL');

    kit.step('restore to the end of the archive');
    const whole = await restoreWhole(kit, main, { base, archive }, acks);
    await whole.stop();

    kit.step('restore to before the payouts');
    const back = await restore(kit, main, 'back', { base, archive, until: beforePayouts });
    await comeBack(kit, back, shop, { erasedId, log: api.log, since: beforePayouts });
  },
};

async function eraseOne(kit: DrillKit, api: DrillProcess, { key }: Shop, memberId: string): Promise<void> {
  const erased = await kit.call(api, key, 'POST', `/api/v1/members/${memberId}/erasure`, { reason: 'Asked for it' });
  kit.check(
    erased.status === 200 || erased.status === 201,
    `a member is erased: ${erased.status} ${JSON.stringify(erased.body)}`,
  );
}

/** Members, one after the other, each acknowledged; then the server and what it had not archived are gone. */
async function writeUntilLost(kit: DrillKit, api: DrillProcess, { key }: Shop, main: DrillCluster): Promise<Ack[]> {
  const acks: Ack[] = [];
  const until = performance.now() + (kit.quick ? 7_000 : 75_000);
  while (performance.now() < until) {
    const made = await kit.call(api, key, 'POST', '/api/v1/users', { email: `w${acks.length}@test.example` });
    if (made.status === 201) acks.push({ id: made.body.id as string, at: performance.now() });
    await sleep(50);
  }
  await main.crash('SIGKILL');
  return acks;
}

/** How much was lost that had been acknowledged, and how long it took until answers were given again. */
async function restoreWhole(
  kit: DrillKit,
  main: DrillCluster,
  from: { base: string; archive: string },
  acks: Ack[],
): Promise<DrillCluster> {
  const lostAt = acks.at(-1)?.at ?? 0;
  const started = performance.now();
  const whole = await restore(kit, main, 'whole', from);
  const api = await kit.api(whole);
  const health = await fetch(`${api.baseUrl}/readyz`);
  kit.check(health.status === 200, 'the restored service is ready');
  kit.figure('rtoSeconds', ((performance.now() - started) / 1000).toFixed(1));
  const rows = await whole.query<{ id: string }>('select id from member where id = any ($1::uuid[])', [acks.map(({ id }) => id)]);
  const there = new Set(rows.map(({ id }) => id));
  const firstLost = acks.find(({ id }) => !there.has(id));
  const rpo = firstLost ? (lostAt - firstLost.at) / 1000 : 0;
  kit.figure('acknowledged', acks.length);
  kit.figure('lost', acks.length - there.size);
  kit.figure('rpoSeconds', rpo.toFixed(1));
  kit.check(rpo <= RPO_SECONDS, `no more than ${RPO_SECONDS} s of acknowledged writes are lost: ${rpo.toFixed(1)}`);
  await api.stop();
  return whole;
}

async function comeBack(
  kit: DrillKit,
  back: DrillCluster,
  shop: Shop,
  { erasedId, log, since }: { erasedId: string; log: string[]; since: Date },
): Promise<void> {
  const api = await kit.api(back, { env: shop.env });
  const worker = await kit.worker(back, { env: shop.env });
  const paid = shop.vendor.transfers.size;

  kit.step('the payouts are unpaid again in the books, and frozen');
  const drafted = await draftRun(kit, api, shop);
  kit.check(drafted.payoutCount === shop.memberIds.length, `the backup has everybody unpaid: ${drafted.payoutCount}`);
  const refused = await kit.call(api, shop.key, 'POST', `/api/v1/payout-runs/${drafted.runId}/execute`, {});
  kit.check(refused.status === 503 && refused.body.code === 'PAYOUTS_FROZEN', `execution is 503: ${refused.status}`);
  await kit.cli(back, ['doctor'], { fails: true });
  await kit.cli(back, ['payouts', 'reconcile', '--thaw', '--tenant', shop.tenantId], { fails: true, env: shop.env });

  kit.step('reconcile');
  const at = ['--since', new Date(since.getTime() - 86_400_000).toISOString()];
  await kit.cli(back, ['payouts', 'reconcile', ...at], { env: shop.env });
  const done = await kit.cliJson<{ thawed: boolean; scopes: { findings: { verdict: string }[] }[] }>(
    back,
    ['payouts', 'reconcile', ...at, '--apply'],
    { env: shop.env },
  );
  const recorded = done.scopes.flatMap(({ findings }) => findings).filter(({ verdict }) => verdict === 'recorded').length;
  kit.figure('recorded', recorded);
  kit.check(recorded === paid, `each payout of the vendor is recorded: ${recorded} of ${paid}`);
  kit.check(done.thawed, 'payouts go on when all is matched');

  kit.step('pay what was earned since');
  await earn(kit, back, api, shop, EARNED_LATER);
  const stale = await kit.call(api, shop.key, 'POST', `/api/v1/payout-runs/${drafted.runId}/execute`, {});
  kit.check(stale.status === 200, `the run that was drafted too early pays nobody: ${stale.status}`);
  const next = await draftRun(kit, api, shop);
  await kit.call(api, shop.key, 'POST', `/api/v1/payout-runs/${next.runId}/execute`, {});
  await awaitPayouts(kit, back, shop);
  const { paidTwice, unpaid, differenceMinor } = await comparePaid(back, shop, EARNED + EARNED_LATER);
  kit.figure('paidTwice', paidTwice);
  kit.figure('unpaid', unpaid);
  kit.figure('differenceMinor', differenceMinor);
  kit.check(paidTwice === 0 && unpaid === 0, 'nobody is paid twice, nobody is left unpaid');
  kit.check(differenceMinor === 0, 'the books agree with the vendor to the cent');

  kit.step('erase again');
  const record = path.join(kit.directory, 'service.log');
  await writeFile(record, log.map((line) => `${line}\n`).join(''));
  const isBack = 'select count(*)::int as left from member where id = $1 and erased_at is null';
  const [before] = await back.query<{ left: number }>(isBack, [erasedId]);
  kit.check(before?.left === 1, 'the erased member came back with the backup');
  await kit.cli(back, ['erasures', 'replay', '--record', record]);
  const [left] = await back.query<{ left: number }>(isBack, [erasedId]);
  kit.check(left?.left === 0, 'nobody is left who was erased');
  await worker.stop();
  await api.stop();
  await kit.doctor(back);
}
