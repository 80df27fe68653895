/**
 * Events to a receiver next door, by the service's own worker: how long each takes from before it is written until it
 * arrives, at a steady pace, alone and beside an endpoint of another tenant that is dead with many waiting for it; and how
 * fast a backlog is sent.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTlsServer } from '../../test/support/identity/tls-server.ts';
import { plantEndpoint, plantEvents } from '../../test/support/webhooks/plant-webhooks.ts';
import { type TimedCase, type TimedPlan, type Times, timesOf } from '../answer-times.ts';
import { findFreePort, type Stage, type Tenant } from '../stage.ts';
import { atAPace } from '../vendor-events.ts';

const EVENT_EVERY_MS = 10;
const BACKLOG = 2_000;
const WAITING_FOR_DEAD = 10_000;
/** As an event of a sale is. */
const DATA = {
  id: 'x'.repeat(36),
  amount: '129.90',
  currency: 'USD',
  customer: { email: 'buyer@bench.example' },
  note: 'y'.repeat(400),
};

const FULL: TimedPlan = { rounds: 5, seconds: 5, warmUpSeconds: 3 };
const QUICK: TimedPlan = { rounds: 1, seconds: 5, warmUpSeconds: 2 };

type Name = 'an event' | 'an event beside a dead endpoint' | 'one of a backlog';

export async function deliverCase(stage: Stage, quick: boolean): Promise<TimedCase<Name>> {
  const arrived = new Set<string>();
  const awaited = new Map<string, () => void>();
  let twice = 0;
  const receiver = await startTlsServer((req, res) => {
    const id = String(req.headers['webhook-id']);
    if (arrived.has(id)) twice += 1;
    arrived.add(id);
    req.resume();
    req.once('end', () => res.writeHead(204).end());
    awaited.get(id)?.();
    awaited.delete(id);
  });
  const certificate = path.join(stage.directory, 'receiver.pem');
  await writeFile(certificate, receiver.cert);
  const deadHost = `127.0.0.1:${await findFreePort()}`;
  const serviceUrl = await stage.startService({
    env: {
      JOBS: 'inline',
      DATABASE_WORKER_URL: stage.urls.workerUrl,
      NODE_EXTRA_CA_CERTS: certificate,
      OUTGOING_ALLOWED_HOSTS: `${receiver.host},${deadHost}`,
    },
  });
  const planting = { config: (await stage.openWorker()).config, database: { asSuperuser: stage.sql } };
  const tenant = await stage.newTenant();
  const other = await stage.newTenant();
  await plantEndpoint(planting, tenant, { url: `${receiver.url}/hooks` });
  const dead = await plantEndpoint(planting, other, { url: `https://${deadHost}/hooks` });
  let isDead = false;

  async function sendOne(of: Tenant): Promise<void> {
    const [id = ''] = await plantEvents(planting, of, 1, { data: DATA });
    if (!arrived.has(id)) await new Promise<void>((resolve) => void awaited.set(id, resolve));
  }

  async function sendBacklog(): Promise<Times> {
    const before = arrived.size;
    const started = performance.now();
    await plantEvents(planting, tenant, BACKLOG, { data: DATA });
    while (arrived.size < before + BACKLOG) await sleep(10);
    return timesOf([(performance.now() - started) / BACKLOG]);
  }

  /** Ten thousand wait for it, or nothing does. */
  async function letBeDead(dies: boolean): Promise<void> {
    if (dies && !isDead) {
      await plantEvents(planting, other, WAITING_FOR_DEAD, { data: DATA });
      await stage.sql('vacuum analyze webhook_delivery, webhook_attempt, outgoing_event, outgoing_sequence');
    }
    await stage.sql(
      `update webhook_endpoint set enabled = $2, disabled_reason = case when not $2 then 'by_hand' end, updated_at = clock_timestamp()
       where id = $1`,
      [dead.id, dies],
    );
    isDead ||= dies;
    await sleep(1_000);
  }

  const atSteadyPace = (dies: boolean) => ({
    async run(seconds: number) {
      await letBeDead(dies);
      return atAPace(seconds, EVENT_EVERY_MS, () => sendOne(tenant));
    },
  });

  return {
    name: 'deliver',
    plan: quick ? QUICK : FULL,
    timed: {
      'an event': atSteadyPace(false),
      'an event beside a dead endpoint': atSteadyPace(true),
      'one of a backlog': { run: sendBacklog },
    },
    figures: [
      { name: 'one of a backlog (500 a second)', unit: 'ms', limit: 2, of: (round) => round['one of a backlog'].p50 },
      {
        name: 'p99 from before an event is written until it arrives',
        unit: 'ms',
        limit: 1_000,
        of: (round) => round['an event'].p99,
      },
      {
        name: `the same beside a dead endpoint that ${WAITING_FOR_DEAD.toLocaleString('en')} wait for`,
        unit: 'ms',
        of: (round) => round['an event beside a dead endpoint'].p99,
      },
      {
        name: 'the one to the other',
        unit: '×',
        limit: 1.1,
        of: (round) => round['an event beside a dead endpoint'].p99 / round['an event'].p99,
      },
    ],
    async check() {
      const [kept] = await stage.sql<{ delivered: number }>(
        "select count(*)::int as delivered from webhook_delivery where tenant_id = $1 and status = 'delivered'",
        [tenant.tenantId],
      );
      if (twice > 0 || kept === undefined || kept.delivered < arrived.size - 100) {
        throw new Error(`deliver: ${arrived.size} arrived, ${twice} of them again, ${kept?.delivered} are stored`);
      }
    },
    async close() {
      await stage.stopService(serviceUrl);
      receiver.close();
    },
  };
}
