/** The service behind a balancer, as an operator restarts it under load: the new instances first, then the old ones end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DrillCluster } from './cluster.ts';
import type { DrillKit } from './kit.ts';
import type { DrillProcess, Env } from './processes.ts';

/** The pause between two requests of the load. */
const EVERY_MS = 40;

export interface RollingService {
  /** Where the balancer would send a request now. */
  baseUrl: string;
  /** Starts new instances and a new worker, with these settings beside those of before, then ends the old ones. */
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
      const [fresh, other, freshWorker] = await Promise.all([
        kit.api(cluster, { env }),
        kit.api(cluster, { env }),
        kit.worker(cluster, { env }),
      ]);
      const old = apis.splice(0, apis.length, fresh, other); // the balancer looks away, then the instances are told
      const ends = await Promise.all([...old, worker].map((one) => one.stop()));
      kit.check(
        ends.every((code) => code === 0),
        `instances that are restarted end with 0: ${ends.join(', ')}`,
      );
      worker = freshWorker;
    },
    load(apiKey) {
      let ending = false;
      const done = { written: 0, failed: [] as string[] };
      const ended = (async () => {
        // oxlint-disable-next-line no-unmodified-loop-condition -- it is set elsewhere
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
