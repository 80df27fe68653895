/**
 * Events of a vendor at a steady pace, and how long GET /users/status takes beside them, and without.
 * Source: docs/specification/reliability.md#w-8.
 */
import { type Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TimedCase, type TimedPlan, type Times, timesOf } from './answer-times.ts';
import type { DataSet } from './data-set.ts';
import { keepAliveClient } from './keep-alive.ts';
import { randomNumbers } from './numbers.ts';

const EVENT_EVERY_MS = 10;
const READ_EVERY_MS = 10;
export const CONNECTIONS = 64;
/** Each is told of once a second. */
export const RECORDS = 100;

const FULL: TimedPlan = { rounds: 3, seconds: 60, warmUpSeconds: 20 };
const QUICK: TimedPlan = { rounds: 1, seconds: 5, warmUpSeconds: 3 };

export type EventsName = 'events' | 'status' | 'status beside events';

interface Sender {
  serviceUrl: string;
  data: DataSet;
  quick: boolean;
  /** Of the sender; its connections end with each run. */
  agent: Agent;
  sendEvent(): Promise<void>;
}

export function besideReads({
  serviceUrl,
  data,
  quick,
  agent,
  sendEvent,
}: Sender): Pick<TimedCase<EventsName>, 'plan' | 'timed' | 'figures'> {
  const beside = taken(async (seconds) => {
    const [status, events] = await Promise.all([
      readStatus(serviceUrl, data, seconds),
      atAPace(seconds, EVENT_EVERY_MS, sendEvent),
    ]);
    agent.destroy();
    return { status, events };
  });
  return {
    plan: quick ? QUICK : FULL,
    timed: {
      events: { run: async (seconds) => (await beside(seconds)).events },
      status: { run: (seconds) => readStatus(serviceUrl, data, seconds) },
      'status beside events': { run: async (seconds) => (await beside(seconds)).status },
    },
    figures: [
      { name: 'p99 of an event', unit: 'ms', limit: 250, of: ({ events }) => events.p99 },
      { name: 'the longest of all', unit: 'ms', limit: 1_000, of: ({ events }) => events.most },
      { name: 'p99 of status beside them', unit: 'ms', of: (round) => round['status beside events'].p99 },
      { name: 'without them', unit: 'ms', of: ({ status }) => status.p99 },
      {
        name: 'the one to the other',
        unit: '×',
        limit: 1.2,
        of: (round) => round['status beside events'].p99 / round.status.p99,
      },
    ],
  };
}

async function readStatus(serviceUrl: string, { apiKey, memberIds }: DataSet, seconds: number): Promise<Times> {
  const client = keepAliveClient(serviceUrl, apiKey, CONNECTIONS);
  const random = randomNumbers(memberIds.length);
  const times = await atAPace(seconds, READ_EVERY_MS, () =>
    client.get(`/api/v1/users/status?user_id=${memberIds[Math.floor(random() * memberIds.length)]}`),
  );
  client.close();
  return times;
}

/** Begins another every so often, whether the one before is done or not. */
export async function atAPace(seconds: number, everyMs: number, once: () => Promise<void>): Promise<Times> {
  const times: number[] = [];
  const timeOne = async (): Promise<void> => {
    const begun = performance.now();
    await once();
    times.push(performance.now() - begun);
  };
  const all: Promise<void>[] = [];
  const started = performance.now();
  for (let next = 0; next < seconds * 1000; next += everyMs) {
    await sleep(Math.max(0, started + next - performance.now()));
    all.push(timeOne());
  }
  await Promise.all(all);
  return timesOf(times);
}

/** Two contenders look at one run: the second to ask has what the first one had made. */
function taken<T>(run: (seconds: number) => Promise<T>): (seconds: number) => Promise<T> {
  let left: Promise<T> | undefined;
  return (seconds) => {
    const made = left ?? run(seconds);
    left = left ? undefined : made;
    return made;
  };
}

export function post(
  agent: Agent,
  url: string,
  { body, headers }: { body: Buffer; headers: Record<string, string> },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } }, (answer) => {
      answer.resume();
      answer.once('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${url}: ${answer.statusCode}`))));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
