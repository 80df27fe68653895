/** The disk of the database is full: what callers get, and that nothing acknowledged is lost: docs/runbooks/disk-full.md. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './kit.ts';
import { newShop } from './new-shop.ts';

const DISK_MB = 400;

const asRoot = (command: string, ...args: string[]): void => {
  const sudo = process.getuid?.() !== 0;
  execFileSync(sudo ? 'sudo' : command, sudo ? [command, ...args] : args, { stdio: 'ignore' });
};

export const drill: Drill = {
  name: 'disk-full',
  title: 'the disk of the database fills up under load, and is given room again (needs root, to mount a small one)',
  async run(kit) {
    const disk = path.join(kit.directory, 'small');
    await mkdir(disk);
    asRoot('mount', '-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0711`, 'tmpfs', disk);
    kit.onEnd(() => asRoot('umount', '--lazy', disk));
    await chmod(disk, 0o711).catch(() => undefined);
    const cluster = await kit.cluster('small', { max_wal_size: '64MB', min_wal_size: '32MB', fsync: 'off' });
    await kit.cli(cluster, ['migrate']);
    const shop = await newShop(kit, cluster);
    const api = await kit.api(cluster);
    let made = 0;
    const statuses: Record<number, number> = {};
    async function write(): Promise<number> {
      const body = { email: `${crypto.randomUUID()}@example.com`, name: 'x'.repeat(100) };
      const { status } = await kit.call(api, shop.apiKey, 'POST', '/api/v1/users', body);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 201) made += 1;
      return status;
    }
    kit.check((await write()) === 201, 'a member is made while there is room');

    kit.step('something else fills the disk');
    const ballast = path.join(disk, 'ballast');
    const { bavail, bsize } = await statfs(disk);
    await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => undefined);
    const from = performance.now();
    await kit.until('a write is refused', async () => (await write()) !== 201, 120_000);
    const refused = Object.keys(statuses)
      .map(Number)
      .filter((status) => status !== 201);
    kit.check(
      refused.every((status) => status === 503),
      `writes are refused with 503 alone: ${refused.join(', ')}`,
    );
    await kit.cli(cluster, ['doctor', '--sizes']).catch(() => kit.step('the database does not answer: it has stopped itself'));

    kit.step('room again');
    await rm(ballast);
    await sleep(1_000);
    const running = await cluster.query('select 1').then(
      () => true,
      () => false,
    );
    if (!running) {
      kit.step('the database had stopped itself, and is started');
      await cluster.start();
    }
    const again = running ? api : await kit.api(cluster);
    kit.ran('docker compose up --detach postgres');
    const back = performance.now();
    await kit.until('writes are taken', async () => {
      const body = { email: `${crypto.randomUUID()}@example.com` };
      const { status } = await kit.call(again, shop.apiKey, 'POST', '/api/v1/users', body);
      if (status === 201) made += 1;
      return status === 201;
    });
    kit.figure('recoveryMs', Math.round(performance.now() - back));
    kit.figure('fullMs', Math.round(back - from));
    const [row] = await cluster.query<{ count: number }>('select count(*)::int as count from member');
    kit.check(row?.count === made, `${made} members were acknowledged, ${row?.count} are there`);
    kit.figure('written', made);
    for (const [status, count] of Object.entries(statuses)) kit.figure(`answers${status}`, count);
    await kit.doctor(cluster);
  },
};
