/**
 * POST /webhooks/kyc/kycvendor at a steady pace of distinct events about members under verification, of which
 * every fifth is an approval that the vendor, a local one, is asked about; and how long GET /users/status takes
 * beside it, and without.
 */
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCipher } from '../../src/encryption.ts';
import { KYC_DEFAULTS, KYC_SECRETS, kycSecretPlace } from '../../src/features/kyc/kyc-settings.ts';
import { storeKycSettings } from '../../src/features/kyc/kyc-settings-queries.ts';
import { buildVendorEvent, type VendorDelivery } from '../../test/support/fake-kyc-events.ts';
import { type FakeKycVendor, startFakeKycVendor } from '../../test/support/fake-kyc-vendor.ts';
import { type TimedCase, type TimedPlan, type Times, timesOf } from '../answer-times.ts';
import type { DataSet } from '../data-set.ts';
import { keepAliveClient } from '../keep-alive.ts';
import { randomNumbers } from '../numbers.ts';
import type { Stage } from '../stage.ts';

/** reliability W-8. */
const EVENT_EVERY_MS = 10;
const READ_EVERY_MS = 10;
const CONNECTIONS = 64;
/** Each is told of once a second. */
const RECORDS = 100;

const FULL: TimedPlan = { rounds: 3, seconds: 60, warmUpSeconds: 20 };
const QUICK: TimedPlan = { rounds: 1, seconds: 5, warmUpSeconds: 3 };

const GREEN = { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } };
/** What is told of a record, over and over. */
const LIFE: readonly { type: string; reviewStatus?: string; reviewResult?: Record<string, unknown> }[] = [
  { type: 'applicantPending', reviewStatus: 'pending' },
  { type: 'applicantPrechecked', reviewStatus: 'prechecked' },
  { type: 'applicantReviewed', ...GREEN },
  { type: 'applicantTagsChanged' },
  { type: 'applicantReset', reviewStatus: 'init' },
];

type Name = 'events' | 'status' | 'status beside events';

export async function kycEventsCase(stage: Stage, data: DataSet, quick: boolean): Promise<TimedCase<Name>> {
  const vendor = await startFakeKycVendor();
  const serviceUrl = await stage.startService({ env: { OUTGOING_ALLOWED_HOSTS: vendor.host } });
  await plantSettings(stage, data, vendor);
  const applicants = await plantRecords(stage, data, vendor);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let sent = 0;

  async function sendEvent(): Promise<void> {
    const at = sent++;
    const applicant = applicants[at % applicants.length];
    // Each goes through it, and not all at the same time.
    const told = LIFE[(Math.floor(at / applicants.length) + at) % LIFE.length];
    if (!applicant || !told) throw new Error('kyc-events: there is nobody to tell of');
    const delivery = buildVendorEvent({ ...applicant, ...told }, { secret: vendor.account.webhookSecret });
    await post(agent, `${serviceUrl}/api/v1/webhooks/kyc/kycvendor?tenant_id=${data.tenantId}`, delivery);
  }

  const beside = taken(async (seconds) => {
    const [status, events] = await Promise.all([
      readStatus(serviceUrl, data, seconds),
      atAPace(seconds, EVENT_EVERY_MS, sendEvent),
    ]);
    agent.destroy();
    return { status, events };
  });

  return {
    name: 'kyc-events',
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
    async check() {
      const [kept] = await stage.sql<{ events: number; approvals: number }>(
        `select (select count(*)::int from kyc_event where tenant_id = $1 and outcome in ('applied', 'no_change')) as events,
                (select count(*)::int from audit_log where tenant_id = $1 and action = 'kyc_record.approved') as approvals`,
        [data.tenantId],
      );
      if (kept?.events !== sent || kept.approvals === 0) {
        throw new Error(`kyc-events: ${sent} were sent, ${kept?.events} had their effect, ${kept?.approvals} approved`);
      }
    },
  };
}

async function plantSettings(stage: Stage, scope: DataSet, vendor: FakeKycVendor): Promise<void> {
  const { frames, services } = await stage.openWorker();
  const cipher = createCipher(services.config.secrets.dataKeys);
  const secrets = { ...vendor.account, previousWebhookSecret: randomBytes(16).toString('hex') };
  const sealed = Object.fromEntries(
    KYC_SECRETS.map((name) => [`${name}Sealed`, cipher.encrypt(Buffer.from(secrets[name]), kycSecretPlace(scope, name))]),
  );
  const { levelName, baseUrl } = vendor.account;
  const row = { ...KYC_DEFAULTS, provider: 'kycvendor' as const, levelName, baseUrl, ...sealed };
  await frames.write(scope, (db) => storeKycSettings(db, scope, row));
}

/** The vendor stands by an approval of any of them. */
async function plantRecords(
  stage: Stage,
  { tenantId, environment, memberIds }: DataSet,
  vendor: FakeKycVendor,
): Promise<{ externalUserId: string; applicantId: string }[]> {
  const applicants = memberIds.slice(0, RECORDS).map((externalUserId) => ({
    externalUserId,
    applicantId: vendor.plantApplicant(externalUserId, { review: GREEN }).id,
  }));
  await stage.sql(
    `insert into kyc_record (tenant_id, environment, member_id, provider, provider_applicant_id, status_since, created_at, updated_at)
     select $1, $2, a.member, 'kycvendor', a.applicant, now(), now(), now() from unnest($3::uuid[], $4::text[]) a(member, applicant)`,
    [tenantId, environment, applicants.map((one) => one.externalUserId), applicants.map((one) => one.applicantId)],
  );
  await stage.sql('analyze kyc_record');
  return applicants;
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
async function atAPace(seconds: number, everyMs: number, once: () => Promise<void>): Promise<Times> {
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

function post(agent: Agent, url: string, { body, headers }: VendorDelivery): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } }, (answer) => {
      answer.resume();
      answer.once('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`kyc-events: ${answer.statusCode}`))));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
