/** A tenant with the automated provider, members under verification, and deliveries of the vendor's. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import { insertRecord } from '../../../src/features/kyc/records/kyc-record-queries.ts';
import { apiClient } from '../app/api-client.ts';
import type { TestApp, TestTenant } from '../app/test-app.ts';
import { buildVendorEvent, type VendorDelivery, type VendorEventFields } from './fake-kyc-events.ts';
import type { FakeKycVendor } from './fake-kyc-vendor.ts';
import { plantKycSettings } from './kyc-settings.ts';

export interface DeliveryAnswer {
  status: number;
  headers: Headers;
  json: unknown;
}

export async function deliver(
  baseUrl: string,
  tenantId: string,
  { body, headers }: { body: Buffer; headers: Record<string, string> },
): Promise<DeliveryAnswer> {
  const answer = await fetch(`${baseUrl}/api/v1/webhooks/kyc/kycvendor?tenant_id=${tenantId}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  });
  return { status: answer.status, headers: answer.headers, json: await answer.json() };
}

export interface PlantedRecord {
  memberId: string;
  recordId: string;
  applicantId: string;
}

export interface RecordState {
  status: string;
  reason: string | null;
  applicantId: string | null;
  decidedBy: string | null;
  lastEventAt: Date | null;
  checkIn: number | null;
  verified: boolean;
  /** What plans see. */
  memberApproved: boolean;
}

export interface KycSide {
  tenant: TestTenant;
  scope: Scope;
  key: string;
  secret: string;
  /** A member with a record of the automated provider, and its applicant at the vendor. */
  newRecord(options?: { applicantId?: string | null; provider?: 'manual' | 'kycvendor' }): Promise<PlantedRecord>;
  /** A signed delivery about the record. */
  event(record: PlantedRecord, type: string, fields?: Partial<VendorEventFields>): VendorDelivery;
  send(delivery: { body: Buffer; headers: Record<string, string> }): Promise<DeliveryAnswer>;
  state(record: PlantedRecord): Promise<RecordState>;
  /** Actions of the record's log, with outcome or end, in order. */
  log(record: PlantedRecord): Promise<string[]>;
  /** Type and outcome of what was kept of the tenant's environment. */
  kept(): Promise<string[]>;
}

/** The app must be allowed to reach the vendor: OUTGOING_ALLOWED_HOSTS. */
export async function openKycSide(
  app: TestApp,
  vendor: FakeKycVendor,
  { environment = 'LIVE', tenant: given }: { environment?: Scope['environment']; tenant?: TestTenant } = {},
): Promise<KycSide> {
  const tenant = given ?? (await app.newTenant());
  const scope: Scope = { tenantId: tenant.tenantId, environment };
  const key = environment === 'LIVE' ? tenant.liveKey : tenant.sandboxKey;
  const secret = randomBytes(16).toString('hex');
  await plantKycSettings(app, scope, { ...vendor.account, webhookSecret: secret });
  const sql = app.database.asSuperuser.bind(app.database);

  return {
    tenant,
    scope,
    key,
    secret,

    async newRecord({ applicantId: wanted, provider = 'kycvendor' } = {}) {
      const { id: memberId } = await apiClient(app, key).newMember();
      const record = await app.composition.frames.write(scope, (db) => insertRecord(db, scope, { memberId, provider }));
      if (!record) throw new Error('the record was not planted');
      const applicantId = wanted ?? vendor.plantApplicant(memberId).id;
      if (wanted !== null) await sql('update kyc_record set provider_applicant_id = $1 where id = $2', [applicantId, record.id]);
      return { memberId, recordId: record.id, applicantId };
    },

    event: ({ memberId, applicantId }, type, fields = {}) =>
      buildVendorEvent(
        { type, applicantId, externalUserId: memberId, sandboxMode: environment === 'SANDBOX', ...fields },
        { secret },
      ),

    send: (delivery) => deliver(app.baseUrl, tenant.tenantId, delivery),

    async state({ recordId }) {
      const [row] = await sql<RecordState>(
        `select k.status, k.rejection_reason as reason, k.provider_applicant_id as "applicantId", k.decided_by as "decidedBy",
                k.last_event_at as "lastEventAt", round(extract(epoch from k.check_at - now()))::int as "checkIn",
                k.verified_at is not null as verified, m.kyc_approved_at is not null as "memberApproved"
         from kyc_record k join member m on m.id = k.member_id where k.id = $1`,
        [recordId],
      );
      if (!row) throw new Error('there is no such record');
      return row;
    },

    async log({ recordId }) {
      const rows = await sql<{ entry: string }>(
        `select action || ' ' || coalesce(details->>'outcome', details->>'to') as entry
         from audit_log where object_kind = 'kyc_record' and object_id = $1 order by id`,
        [recordId],
      );
      return rows.map(({ entry }) => entry);
    },

    async kept() {
      const rows = await sql<{ entry: string }>(
        `select type || ' ' || outcome as entry from kyc_event where tenant_id = $1 and environment = $2 order by id`,
        [tenant.tenantId, environment],
      );
      return rows.map(({ entry }) => entry);
    },
  };
}

export const GREEN = { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } };
export const redOf = (reviewRejectType: 'FINAL' | 'RETRY', moderationComment: string) => ({
  reviewStatus: 'completed',
  reviewResult: { reviewAnswer: 'RED', reviewRejectType, moderationComment, rejectLabels: ['LABEL'], clientComment: 'for staff' },
});

/** A tenant that does not exist. */
export const noTenant = (): string => randomUUID();
