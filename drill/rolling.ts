/** The service behind a balancer, as an operator restarts it: one instance after the other, under load. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DrillCluster } from './cluster.ts';
import type { DrillKit } from './kit.ts';
import type { DrillProcess, Env } from './processes.ts';

/** The pause between two requests of the load. */
const EVERY_MS = 40;

export interface RollingService {
  /** Where the balancer would send a request now. */
  baseUrl: string;
  /** Starts every instance anew with these settings beside those of before, one after the other, then the worker. */
  restart(settings: Env): Promise<void>;
  /** Lets a tenant's backend write, one request after the other. */
  load(apiKey: string): Load;
  stop(): Promise<void>;
}

export interface Load {
  /** Ends it. What was answered with success, and what was not answered or with a 5xx. */
  end(): Promise<{ written: number; failed: string[] }>;
}

/** Two API processes and a worker. */
export async function startRolling(kit: DrillKit, cluster: DrillCluster, first: Env = {}): Promise<RollingService> {
  let env = first;
  let worker = await kit.worker(cluster, { env });
  const apis: DrillProcess[] = [await kit.api(cluster, { env }), await kit.api(cluster, { env })];
  let turn = 0;
  const next = (): DrillProcess => {
    turn += 1;
    const api = apis[turn % apis.length];
    if (!api) throw new Error('no instance takes requests');
    return api;
  };

  return {
    get baseUrl() {
      return next().baseUrl;
    },
    async restart(settings) {
      env = { ...env, ...settings };
      for (const old of apis.slice()) {
        apis.push(await kit.api(cluster, { env }));
        apis.splice(apis.indexOf(old), 1); // the balancer looks away, then the instance is told
        kit.check((await old.stop()) === 0, 'an instance that is restarted ends with 0');
      }
      kit.check((await worker.stop()) === 0, 'the worker that is restarted ends with 0');
      worker = await kit.worker(cluster, { env });
    },
    load(apiKey) {
      let ending = false;
      const done = { written: 0, failed: [] as string[] };
      const ended = (async () => {
        for (let count = 1; !ending; count++) {
          const body = { email: `${turn}.${count}@example.com`, name: 'Load' };
          const answer = await kit.call(next(), apiKey, 'POST', '/api/v1/users', body).catch((error: unknown) => String(error));
          if (typeof answer === 'object' && answer.status === 201) done.written += 1;
          else done.failed.push(typeof answer === 'string' ? answer : `${answer.status} ${JSON.stringify(answer.body)}`);
          await sleep(EVERY_MS);
        }
      })();
      return {
        async end() {
          ending = true;
          await ended;
          return done;
        },
      };
    },
    async stop() {
      for (const one of [...apis, worker]) kit.check((await one.stop()) === 0, 'each process ends with 0');
    },
  };
}

/** A migrated database with a tenant and a LIVE key of everything. */
export async function newShop(
  kit: DrillKit,
  cluster: DrillCluster,
  name = 'Drill shop',
): Promise<{ tenantId: string; keyId: string; apiKey: string }> {
  const { tenantId } = await kit.cliJson<{ tenantId: string }>(cluster, ['tenant', 'create', '--name', name]);
  const words = ['key', 'create', '--tenant', tenantId, '--environment', 'live'];
  return { tenantId, ...(await kit.cliJson<{ keyId: string; apiKey: string }>(cluster, words)) };
}
