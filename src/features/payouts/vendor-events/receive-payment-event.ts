/**
 * Deliveries of the payment vendor: whose they are, whether they are its own, and what comes of them.
 * Source: docs/specification/webhooks.md#payment-tenant.
 */
import { randomBytes } from 'node:crypto';
import { type ActingScope, byVendor } from '../../../actor.ts';
import { locateProviderAccount } from '../../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Environment, Scope, WriteDb } from '../../../db/scope.ts';
import { AppError, invalidField } from '../../../errors.ts';
import { faultPoint } from '../../../fault-points.ts';
import type { Sweep } from '../../../jobs/schedule.ts';
import { isSignedBy } from '../../../vendors/payments/verify-event.ts';
import type { SettlePayout } from '../payouts/settle-payout.ts';
import type { PaymentSettingsReader } from '../settings/payment-settings.ts';
import { applyPaymentEvent } from './apply-payment-event.ts';
import { type PaymentEvent, readClaims, readKeptEvent, readPaymentEvent } from './payment-event.ts';
import { insertEvent, storeOutcome, takeDueEvents } from './payment-events-queries.ts';

export interface PaymentDelivery {
  rawBody: Buffer;
  /** X-Request-Id of the answer. */
  requestId: string;
  signature: string | undefined;
  /** Of the query: where it says that it belongs. */
  environment: Environment;
  tenantId: string | undefined;
  /** Called once the environment is known. */
  ranIn(environment: Environment): void;
}

export interface PaymentEventReceiver {
  /** Ends when everything the delivery changes is committed. INVALID_SIGNATURE, VALIDATION_ERROR. */
  receive(delivery: PaymentDelivery): Promise<void>;
}

interface Deps {
  frames: Frames;
  settings: Pick<PaymentSettingsReader, 'readWebhookSecrets'>;
  settlePayout: SettlePayout;
}

interface Signer {
  tenantId: string;
  environments: Environment[];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Tried where there is nobody to be the signer of a delivery. */
const STAND_IN = `whsec_${randomBytes(24).toString('hex')}`;

export function createPaymentEventReceiver({ frames, settings, settlePayout }: Deps): PaymentEventReceiver {
  async function ownersOf(accounts: readonly string[]): Promise<Scope[]> {
    const rows = await Promise.all(accounts.map((id) => frames.unscoped(locateProviderAccount({ accountId: id }))));
    return rows.flat().map(({ tenant_id: tenantId, environment }) => ({ tenantId, environment }));
  }

  /** The first of those who may be meant whose secret signed it, with the environments that have that secret. */
  async function findSigner({ rawBody, signature, tenantId: ofQuery }: PaymentDelivery): Promise<Signer | undefined> {
    const claims = readClaims(rawBody);
    const owners = await ownersOf(claims.accounts);
    const named = [...owners.map(({ tenantId }) => tenantId), claims.tenantId, ofQuery ?? null]
      .filter((id): id is string => id !== null && UUID.test(id))
      .map((id) => id.toLowerCase());
    let tried = 0;
    for (const tenantId of new Set(named)) {
      const environments: Environment[] = [];
      for (const { environment, secrets } of await settings.readWebhookSecrets(tenantId)) {
        tried += secrets.length;
        if (secrets.some((secret) => isSignedBy(rawBody, signature, secret))) environments.push(environment);
      }
      if (environments.length > 0) return { tenantId, environments };
    }
    if (tried === 0) isSignedBy(rawBody, signature, STAND_IN);
    return undefined;
  }

  /** By what the event says now that it is known to be the vendor's: about something of somebody else's. */
  async function isForeign({ tenantId, environment }: Scope, { account, object }: PaymentEvent): Promise<boolean> {
    const { tenant_id: namedTenant, environment: namedEnvironment } = object?.metadata ?? {};
    if (namedTenant != null && namedTenant.toLowerCase() !== tenantId) return true;
    if (namedEnvironment != null && namedEnvironment !== environment) return true;
    for (const id of [account, object?.destination ?? null]) {
      const owners = id === null ? [] : await ownersOf([id]);
      const ours = owners.some((owner) => owner.tenantId === tenantId && owner.environment === environment);
      if (owners.length > 0 && !ours) return true;
    }
    return false;
  }

  return {
    async receive(delivery) {
      const signer = await findSigner(delivery);
      if (!signer) throw new AppError('INVALID_SIGNATURE', 'The signature is missing or wrong');
      const event = readPaymentEvent(delivery.rawBody);
      const { environment } = delivery;
      if (!signer.environments.includes(environment) || event.livemode !== (environment === 'LIVE')) {
        throw invalidField('environment', 'must be sandbox exactly for events of the vendor in test mode, with their secret');
      }
      delivery.ranIn(environment);
      const provenance = { ...byVendor('payvendor', 'receivePaymentEvent'), requestId: delivery.requestId };
      const scope: ActingScope = { tenantId: signer.tenantId, environment, provenance };
      const foreign = await isForeign(scope, event);
      await frames.write(scope, (db) => keep(settlePayout, db, scope, event, foreign), { repeatable: true });
      await faultPoint('payment-event:committed');
    },
  };
}

async function keep(
  settlePayout: SettlePayout,
  db: WriteDb,
  scope: ActingScope,
  event: PaymentEvent,
  foreign: boolean,
): Promise<void> {
  const id = await insertEvent(db, scope, event);
  if (id === undefined) return;
  await storeOutcome(db, scope, id, foreign ? 'foreign' : await applyPaymentEvent(settlePayout, db, scope, event));
}

/** One at a time: a settlement locks a member's commissions. */
const RETRY_BATCH = 1;

/** Events that came before what they are about. */
export function createRetrySweep(settlePayout: SettlePayout): Sweep {
  return {
    name: 'retry-payment-events',
    batchSize: RETRY_BATCH,
    lane: 'payouts',
    async run(db, scope) {
      const acting: ActingScope = { ...scope, provenance: byVendor('payvendor', 'retry-payment-events') };
      const due = await takeDueEvents(db, scope, RETRY_BATCH);
      for (const { id, body } of due) {
        await storeOutcome(db, scope, id, await applyPaymentEvent(settlePayout, db, acting, readKeptEvent(body)));
      }
      return due.length;
    },
  };
}
