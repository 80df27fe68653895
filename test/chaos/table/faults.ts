/** The faults of the chaos table, in the order in which they are tried. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { listMigrations } from '../../../src/db/migrate.ts';
import type { ServiceProcess } from '../../support/trial/service.ts';
import type { Trial } from '../../support/trial/trial.ts';
import { type Fault, type Ground, seconds } from './measure.ts';

const FROZEN_MS = 15_000;
/** An end that is asked for comes within it, whatever hangs: SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS and what is ended by force. */
const END_MS = 45_000;
const API_POINTS = ['purchase:decided', 'idempotency:sealed'];

async function dieAt(service: ServiceProcess, point: string): Promise<void> {
  // It may die before it has shown that it is ready.
  await service.start({ FAULT_POINTS: `${point}=kill` }).catch(() => undefined);
  await Promise.race([service.ended(), sleep(15_000)]);
  await service.kill();
}

/** Ends by SIGTERM with 0, in time; throws otherwise. */
async function endWell(service: ServiceProcess, limitMs: number): Promise<string> {
  const { code, ms } = await service.terminate();
  if (code !== 0 || ms > limitMs) throw new Error(`${service.name} ended with ${code} after ${seconds(ms)}`);
  return `${service.name} ended in ${seconds(ms)}`;
}

const SERVICE = "application_name like 'svc-%' and application_name <> 'svc-doctor'";

/** Connections of somebody else, until the server has none left to give. */
async function takeConnections(trial: Trial): Promise<pg.Client[]> {
  const taken: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: trial.roleUrl('admin'), application_name: 'somebody' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      taken.push(client);
    } catch (error) {
      if ((error as { code?: string }).code !== '53300') throw error;
      return taken;
    }
  }
}

/** Sessions that lock the members whom sales need, in whatever order, for so long. */
async function deadlockStorm({ cluster }: Trial, forMs: number): Promise<string> {
  const ids = (await cluster.sql<{ id: string }>('select id from member order by created_at limit 24')).map(({ id }) => id);
  let deadlocks = 0;
  async function session(serializable: boolean): Promise<void> {
    const client = new pg.Client({ connectionString: cluster.url('svc'), application_name: 'storm' });
    await client.connect();
    for (const until = Date.now() + forMs; Date.now() < until; ) {
      const some = ids.toSorted(() => Math.random() - 0.5).slice(0, 6);
      try {
        await client.query(`begin isolation level ${serializable ? 'serializable' : 'read committed'}`);
        for (const id of some) {
          await client.query('update member set updated_at = updated_at where id = $1', [id]);
          await sleep(10);
        }
        await client.query('commit');
      } catch (error) {
        if ((error as { code?: string }).code === '40P01') deadlocks++;
        await client.query('rollback');
      }
    }
    await client.end();
  }
  const before = await deadlocksOf(cluster);
  await Promise.all([true, false, true, false].map(session));
  const all = (await deadlocksOf(cluster)) - before;
  return `${Math.max(all, deadlocks)} deadlocks, ${deadlocks} of them ended in the sessions of the storm`;
}

async function deadlocksOf(cluster: Trial['cluster']): Promise<number> {
  await cluster.sql('select pg_stat_force_next_flush()').catch(() => undefined);
  const [row] = await cluster.sql<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return row?.deadlocks ?? 0;
}

/** Ever later in a migration from nothing; the next start goes on where the dead one was. */
async function killMigration(trial: Trial): Promise<string> {
  const { ownerUrl, appUrl } = await trial.newDatabase('svc_migrated');
  const start = (): ChildProcess => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl };
    const child = spawn(process.execPath, ['src/cli.ts', 'migrate'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    trial.note(child);
    return child;
  };
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const done = async (): Promise<number> => {
    const { rows } = await client.query<{ done: number }>(
      "select count(*)::int as done from pg_class where relnamespace = 'public'::regnamespace",
    );
    return rows[0]?.done ?? 0;
  };
  const killedAt: number[] = [];
  for (let kills = 0; kills < 4; kills++) {
    const child = start();
    const ended = once(child, 'exit');
    const before = await done();
    // Once it has made something, and then at any moment.
    for (const until = Date.now() + 30_000; (await done()) <= before && child.exitCode === null && Date.now() < until; )
      await sleep(5);
    await sleep(Math.random() * 300);
    child.kill('SIGKILL');
    await ended;
    killedAt.push(await done());
  }
  const [code] = (await once(start(), 'exit')) as [number | null];
  const { rows } = await client.query<{ ran: number }>('select count(*)::int as ran from knex_migrations');
  await client.end();
  if (code !== 0 || rows[0]?.ran !== listMigrations().length) {
    throw new Error(`migrate ended with ${code}, ${rows[0]?.ran} of ${listMigrations().length} migrations ran`);
  }
  return `killed with ${killedAt.join(', ')} relations made; the next start ran all ${rows[0].ran}`;
}

async function restart({ trial }: Ground, mode: 'fast' | 'immediate'): Promise<undefined> {
  await trial.cluster.restart(mode);
  trial.proxy.leadTo(trial.cluster.port());
}

async function failOver({ trial, from }: Ground, mode: 'synchronous' | 'asynchronous'): Promise<undefined> {
  await trial.cluster.addStandby(mode);
  await sleep(2_000);
  from();
  await trial.cluster.failOver();
  trial.proxy.leadTo(trial.cluster.port());
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'API killed with -9 in the middle of writes, three times, and started again',
    async run({ trial: { apis }, from }) {
      const [one, two] = apis as [ServiceProcess, ServiceProcess];
      await one.kill();
      for (const point of API_POINTS) await dieAt(one, point);
      await one.start();
      from();
      await two.kill();
      await two.start();
      return `at ${API_POINTS.join(', ')} and at any moment`;
    },
  },
  {
    name: 'worker killed with -9 in its sweeps, twice, and started again',
    async run({ trial: { worker }, from }) {
      await worker.kill();
      await dieAt(worker, 'sweep:handled');
      await worker.start();
      await sleep(1_000);
      from();
      await worker.kill();
      await worker.start();
      return undefined;
    },
  },
  {
    name: 'migration killed with -9, four times, on another database of the server',
    run: ({ trial }) => killMigration(trial),
  },
  { name: 'PostgreSQL restarted, fast', run: (ground) => restart(ground, 'fast') },
  { name: 'PostgreSQL restarted, immediate', run: (ground) => restart(ground, 'immediate') },
  {
    name: 'one backend of PostgreSQL killed with -9',
    async run({ trial: { cluster }, from }) {
      const [one] = await cluster.sql<{ pid: number }>(`select pid from pg_stat_activity where ${SERVICE} limit 1`);
      from();
      if (one) cluster.killBackend(one.pid);
      return undefined;
    },
  },
  {
    name: 'statements cancelled and connections terminated, again and again for 4 s',
    async run({ trial: { cluster } }) {
      let ended = 0;
      for (let i = 0; i < 20; i++) {
        const deed = i % 2 === 0 ? 'pg_cancel_backend' : 'pg_terminate_backend';
        const rows = await cluster.sql(
          `select ${deed}(pid) from pg_stat_activity where ${SERVICE} order by state = 'active' desc, random() limit 3`,
        );
        ended += rows.length;
        await sleep(200);
      }
      return `${ended} ended`;
    },
  },
  {
    name: 'PostgreSQL frozen (SIGSTOP) for 15 s',
    async run({ trial: { cluster } }) {
      await cluster.freeze();
      await sleep(FROZEN_MS);
      await cluster.thaw();
      return undefined;
    },
  },
  {
    name: 'connections cut',
    async run({ trial: { proxy }, from }) {
      from();
      proxy.cut();
      return undefined;
    },
  },
  {
    name: 'connections gone mute; new ones work',
    async run({ trial: { proxy }, from }) {
      from();
      proxy.mute();
      return undefined;
    },
  },
  {
    name: 'connections gone mute, new ones too for 15 s',
    async run({ trial: { proxy }, from }) {
      proxy.mute('new');
      await sleep(FROZEN_MS);
      from();
      proxy.heal();
      return undefined;
    },
  },
  {
    name: 'pools exhausted: a table locked for 6 s',
    async run({ trial: { cluster, apis } }) {
      const client = new pg.Client({ connectionString: cluster.url('svc'), application_name: 'locker' });
      await client.connect();
      await client.query('begin');
      await client.query('lock table event in access exclusive mode');
      await sleep(4_000);
      const health = await Promise.all(apis.map(async ({ baseUrl }) => (await fetch(`${baseUrl}/healthz`)).status));
      await sleep(2_000);
      await client.query('rollback');
      await client.end();
      if (health.some((status) => status !== 200)) throw new Error(`/healthz answered ${health.join(' and ')}`);
      return '/healthz 200 meanwhile';
    },
  },
  {
    name: "all of the server's connections taken by others for 6 s (53300)",
    async run({ trial }) {
      const taken = await takeConnections(trial);
      await trial.cluster.sql(`select pg_terminate_backend(pid) from pg_stat_activity where ${SERVICE}`);
      taken.push(...(await takeConnections(trial)));
      await sleep(6_000);
      await Promise.all(taken.map((client) => client.end()));
      return `${taken.length} taken`;
    },
  },
  { name: 'deadlocks and serialization failures for 6 s', run: ({ trial }) => deadlockStorm(trial, 6_000) },
  {
    name: 'Redis killed with -9',
    async run({ trial: { redis }, from }) {
      from();
      await redis.kill();
      return undefined;
    },
  },
  {
    name: 'Redis back',
    async run({ trial: { redis }, from }) {
      from();
      await redis.start();
      return undefined;
    },
  },
  {
    name: 'Redis frozen (SIGSTOP)',
    async run({ trial: { redis }, from }) {
      from();
      redis.freeze();
      return undefined;
    },
  },
  {
    name: 'Redis thawed',
    async run({ trial: { redis }, from }) {
      from();
      redis.thaw();
      return undefined;
    },
  },
  {
    name: 'SIGTERM to each process in turn, under load',
    noBadAnswers: true,
    async run({ trial: { services } }) {
      const told: string[] = [];
      for (const service of services) {
        told.push(await endWell(service, 30_000));
        await service.start();
      }
      return told.join(', ');
    },
  },
  {
    name: 'SIGTERM to API and worker while database and Redis are mute',
    async run({ trial: { apis, worker, proxy, redis }, from }) {
      const [, api = worker] = apis;
      proxy.mute('new');
      redis.freeze();
      await sleep(1_000);
      const ends = await Promise.all([api, worker].map((service) => service.terminate()));
      redis.thaw();
      from();
      proxy.heal();
      await Promise.all([api, worker].map((service) => service.start()));
      const late = ends.filter(({ code, ms }) => code === 'SIGKILL' || ms > END_MS);
      const told = ends.map(({ code, ms }) => `${code} after ${seconds(ms)}`).join(' and ');
      if (late.length > 0) throw new Error(`the ends were not bounded: ${told}`);
      return `ended with ${told}`;
    },
  },
  { name: 'failover to a synchronous standby', mustFreeze: true, run: (ground) => failOver(ground, 'synchronous') },
  {
    name: 'failover to an asynchronous standby',
    mayLose: true,
    mustFreeze: true,
    run: (ground) => failOver(ground, 'asynchronous'),
  },
];
