/**
 * How long the requests of a quiet tenant take while another tenant floods the same processes, and alone.
 * Source: docs/specification/conventions.md#places.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TimedCase, TimedPlan, Times } from '../answer-times.ts';
import { createMember, type DataSet } from '../data-set.ts';
import type { Flood, FloodSettings } from '../flood-clients.ts';
import { keepAliveClient } from '../keep-alive.ts';
import { randomNumbers } from '../numbers.ts';
import type { Stage } from '../stage.ts';
import { atAPace } from '../vendor-events.ts';

/** Of the flood. */
const CONNECTIONS = 200;
/** A quiet request begins so often. */
const QUIET_EVERY_MS = 25;
/** The flood is under way before the quiet tenant is looked at. */
const LEAD_SECONDS = 2;

const FULL: TimedPlan = { rounds: 5, seconds: 20, warmUpSeconds: 10 };
const QUICK: TimedPlan = { rounds: 1, seconds: 4, warmUpSeconds: 3 };

type Name = 'alone' | 'beside a flood';

export async function floodCase(
  stage: Stage,
  data: DataSet,
  urls: readonly string[],
  options: { quick: boolean; say: (line: string) => void },
): Promise<TimedCase<Name>> {
  const flooding = await stage.newTenant();
  const settings: FloodSettings = {
    urls,
    apiKey: flooding.apiKey,
    rootId: await createMember(urls[0] ?? '', flooding.apiKey, 'root'),
    connections: CONNECTIONS,
  };
  const floods = await stage.startFloor('flood-clients.ts', settings);
  return {
    name: 'flood',
    plan: options.quick ? QUICK : FULL,
    timed: {
      alone: { run: (seconds) => askQuietly(urls, data, seconds) },
      'beside a flood': {
        async run(seconds) {
          const flood = startFlood(floods, seconds + LEAD_SECONDS);
          await sleep(LEAD_SECONDS * 1000);
          const times = await askQuietly(urls, data, seconds);
          const { perSecond, statuses } = await flood;
          options.say(`flood: ${Math.round(perSecond)} requests/s, statuses ${JSON.stringify(statuses)}`);
          return times;
        },
      },
    },
    figures: [
      { name: 'p99 beside a flood of another tenant', unit: 'ms', of: (round) => round['beside a flood'].p99 },
      { name: 'p99 alone', unit: 'ms', of: ({ alone }) => alone.p99 },
      { name: 'the one to the other', unit: '×', limit: 1.5, of: (round) => round['beside a flood'].p99 / round.alone.p99 },
    ],
  };
}

async function startFlood(floods: ChildProcess, seconds: number): Promise<Flood> {
  const answered = once(floods, 'message') as Promise<[Flood]>;
  floods.send({ seconds });
  return (await answered)[0];
}

/** At a steady pace, over a connection to each process by turns. Throws unless each is answered with 200. */
async function askQuietly(urls: readonly string[], { apiKey, memberIds }: DataSet, seconds: number): Promise<Times> {
  const clients = urls.map((url) => keepAliveClient(url, apiKey, 4));
  const random = randomNumbers(memberIds.length);
  let asked = 0;
  const times = await atAPace(seconds, QUIET_EVERY_MS, async () => {
    const memberId = memberIds[Math.floor(random() * memberIds.length)];
    await clients[asked++ % clients.length]?.get(`/api/v1/users/status?user_id=${memberId}`);
  });
  for (const client of clients) client.close();
  return times;
}
