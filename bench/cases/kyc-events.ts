/**
 * POST /webhooks/kyc/kycvendor at a steady pace of distinct events about members under verification, of which
 * every fifth is an approval that the vendor, a local one, is asked about; and how long GET /users/status takes
 * beside it, and without.
 */
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { createCipher } from '../../src/encryption.ts';
import { KYC_DEFAULTS, KYC_SECRETS, kycSecretPlace } from '../../src/features/kyc/vendor/kyc-settings.ts';
import { storeKycSettings } from '../../src/features/kyc/vendor/kyc-settings-queries.ts';
import { buildVendorEvent } from '../../test/support/kyc/fake-kyc-events.ts';
import { type FakeKycVendor, startFakeKycVendor } from '../../test/support/kyc/fake-kyc-vendor.ts';
import type { TimedCase } from '../answer-times.ts';
import type { DataSet } from '../data-set.ts';
import type { Stage } from '../stage.ts';
import { besideReads, CONNECTIONS, type EventsName, post, RECORDS } from '../vendor-events.ts';

const GREEN = { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } };
/** What is told of a record, over and over. */
const LIFE: readonly { type: string; reviewStatus?: string; reviewResult?: Record<string, unknown> }[] = [
  { type: 'applicantPending', reviewStatus: 'pending' },
  { type: 'applicantPrechecked', reviewStatus: 'prechecked' },
  { type: 'applicantReviewed', ...GREEN },
  { type: 'applicantTagsChanged' },
  { type: 'applicantReset', reviewStatus: 'init' },
];

export async function kycEventsCase(stage: Stage, data: DataSet, quick: boolean): Promise<TimedCase<EventsName>> {
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

  return {
    name: 'kyc-events',
    ...besideReads({ serviceUrl, data, quick, agent, sendEvent }),
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
  const { frames, config } = await stage.openWorker();
  const cipher = createCipher(config.secrets.dataKeys);
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
