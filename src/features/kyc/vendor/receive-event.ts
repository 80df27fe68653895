/**
 * Deliveries of the KYC vendor: whose they are, whether they are its own, and what comes of them.
 * Source: docs/specification/webhooks.md#kyc-signature.
 */
import { byVendor, type Provenance } from '../../../actor.ts';
import { violates } from '../../../db/constraints.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Environment, Scope } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import { faultPoint } from '../../../fault-points.ts';
import type { VendorReview } from '../../../vendors/kyc/kyc-vendor.ts';
import type { DigestIdentity } from '../../profile/open/profile.ts';
import type { KycRecord } from '../records/kyc-record-queries.ts';
import { type AppliedEvent, applyVendorEvent, type Told } from './apply-vendor-event.ts';
import type { KycSettingsReader, WebhookSecrets } from './kyc-settings.ts';
import type { Asked } from './vendor-event.ts';
import { readVendorEvent, type VendorEvent } from './vendor-payload.ts';
import { findSigners, type SignedDelivery } from './verify-digest.ts';

export interface Delivery extends SignedDelivery {
  tenantId: string;
  /** X-Request-Id of the answer. */
  requestId: string;
  /** Called once the environment is known. */
  ranIn(environment: Environment): void;
}

export interface EventReceiver {
  /**
   * Ends when everything the delivery changes is committed. INVALID_SIGNATURE, VALIDATION_ERROR;
   * SERVICE_UNAVAILABLE when the vendor, asked whether it is true, does not answer: nothing is kept then.
   */
  receive(delivery: Delivery): Promise<void>;
}

/** How a record's verification stands at its vendor; called outside any transaction. */
export type ReadReview = (scope: Scope, record: KycRecord) => Promise<VendorReview | undefined>;

interface Deps {
  frames: Frames;
  settings: KycSettingsReader;
  readReview: ReadReview;
  digestIdentity: DigestIdentity;
}

const RETRY_SECONDS = 60;

export function createEventReceiver({ frames, settings, readReview, digestIdentity }: Deps): EventReceiver {
  const handleOnce = shareRunning<void>();
  const askOnce = shareRunning<VendorReview | undefined>();

  async function ask(scope: Scope, record: KycRecord, event: VendorEvent): Promise<Asked> {
    const providerApplicantId = record.providerApplicantId ?? event.applicantId;
    if (providerApplicantId === null) return { review: undefined };
    try {
      const key = `${scope.tenantId} ${scope.environment} ${record.id} ${providerApplicantId}`;
      return { review: await askOnce(key, () => readReview(scope, { ...record, providerApplicantId })) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw undelivered('The provider could not be asked whether this is so; deliver it again later', error);
    }
  }

  /** Most need no asking, and are done at the first attempt. Whatever changed while the vendor was asked counts in the second. */
  async function handle(scope: Scope, event: VendorEvent, by: Provenance): Promise<void> {
    const applied = await write(scope, event, { by });
    if (applied.outcome === 'ask_first') await write(scope, event, { by, asked: await ask(scope, applied.record, event) });
  }

  async function write(scope: Scope, event: VendorEvent, told: Omit<Told, 'digestIdentity'>): Promise<AppliedEvent> {
    try {
      return await frames.write(scope, (db) => applyVendorEvent(db, scope, event, { ...told, digestIdentity }), {
        repeatable: true,
      });
    } catch (error) {
      // Two members were given one applicant at the same moment.
      throw violates(error, 'kyc_record_applicant_key')
        ? undelivered('Another event came between; deliver it again', error)
        : error;
    }
  }

  return {
    async receive({ tenantId, requestId, ranIn, ...delivery }) {
      const candidates = await settings.readWebhookSecrets(tenantId);
      const signers = findSigners(candidates, delivery);
      if (signers.length === 0) throw refused();
      const event = readVendorEvent(delivery.rawBody);
      const environment = environmentOf(signers, event);
      if (environment === undefined || isOfAnotherClient(candidates, environment, event)) throw refused();
      ranIn(environment);
      const key = `${tenantId} ${environment} ${event.digest.toString('hex')}`;
      await handleOnce(key, () =>
        handle({ tenantId, environment }, event, { ...byVendor('kycvendor', 'receiveKycEvent'), requestId }),
      );
      await faultPoint('kyc-event:committed');
    },
  };
}

/** By the secret that signed it. Where both environments have that secret, by what the event says; if that is nothing, LIVE. */
function environmentOf(signers: readonly Environment[], { sandboxMode }: VendorEvent): Environment | undefined {
  if (sandboxMode === null) return signers.find((signer) => signer === 'LIVE') ?? signers[0];
  return signers.find((signer) => signer === (sandboxMode ? 'SANDBOX' : 'LIVE'));
}

function isOfAnotherClient(candidates: readonly WebhookSecrets[], environment: Environment, { clientId }: VendorEvent): boolean {
  const expected = candidates.find((candidate) => candidate.environment === environment)?.clientId ?? null;
  return expected !== null && clientId !== null && clientId !== expected;
}

/** Calls with the key of one that is still running share its result. */
function shareRunning<T>(): (key: string, run: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, run) => {
    const present = running.get(key);
    if (present) return present;
    const started = run().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}

/** The same whatever is wrong, so that nobody learns which tenants there are. */
function refused(): AppError {
  return new AppError('INVALID_SIGNATURE', 'The signature is missing or wrong');
}

function undelivered(message: string, cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, { cause, retryAfterSeconds: RETRY_SECONDS });
}
