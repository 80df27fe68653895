/**
 * POST /webhooks/payvendor at a steady pace of distinct events about connected accounts, which become good and bad
 * by turns; and how long GET /users/status takes beside it, and without.
 */
import { Agent } from 'node:http';
import { createCipher } from '../../src/encryption.ts';
import { PAYMENT_DEFAULTS, paymentSecretPlace } from '../../src/features/payouts/settings/payment-settings.ts';
import { storePaymentSettings } from '../../src/features/payouts/settings/payment-settings-queries.ts';
import { eventText, nowSeconds, signatureOf } from '../../test/support/payments/payment-delivery.ts';
import type { TimedCase } from '../answer-times.ts';
import type { DataSet } from '../data-set.ts';
import type { Stage } from '../stage.ts';
import { besideReads, CONNECTIONS, type EventsName, post, RECORDS } from '../vendor-events.ts';

const SECRETS = ['whsec_bench_platform', 'whsec_bench_connect'];
const ACCOUNT_PREFIX = 'acct_bench_events_';

/** What is told of an account, over and over. */
const LIFE: readonly { type: string; object: Record<string, unknown> }[] = [
  {
    type: 'account.updated',
    object: { capabilities: { transfers: 'active' }, requirements: { past_due: ['individual.dob.day'] } },
  },
  { type: 'account.updated', object: { capabilities: { transfers: 'active' }, requirements: { past_due: [] } } },
  { type: 'capability.updated', object: { object: 'capability', status: 'active' } },
  { type: 'person.updated', object: { object: 'person' } },
];

export async function paymentEventsCase(
  stage: Stage,
  serviceUrl: string,
  data: DataSet,
  quick: boolean,
): Promise<TimedCase<EventsName>> {
  await plantSettings(stage, data);
  await plantAccounts(stage, data);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const begun = nowSeconds();
  let sent = 0;

  async function sendEvent(): Promise<void> {
    const at = sent++;
    const turn = Math.floor(at / RECORDS);
    const account = `${ACCOUNT_PREFIX}${at % RECORDS}`;
    const { type, object } = LIFE[(turn + at) % LIFE.length] ?? { type: '', object: {} };
    const id = type === 'account.updated' ? account : `${account}_${type}`;
    // One of each second: of two the vendor would have to be asked.
    const body = Buffer.from(
      eventText({
        type,
        account,
        object: { object: 'account', ...object, id },
        created: begun + turn,
        livemode: data.environment === 'LIVE',
      }),
    );
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'payvendor-signature': signatureOf(body.toString(), SECRETS[1] ?? ''),
    };
    const query = data.environment === 'LIVE' ? '' : '?environment=sandbox';
    await post(agent, `${serviceUrl}/api/v1/webhooks/payvendor${query}`, { body, headers });
  }

  return {
    name: 'payment-events',
    ...besideReads({ serviceUrl, data, quick, agent, sendEvent }),
    async check() {
      const [kept] = await stage.sql<{ events: number; applied: number }>(
        `select count(*)::int as events, count(*) filter (where type = 'account.updated' and outcome = 'applied')::int as applied
         from payment_event where tenant_id = $1`,
        [data.tenantId],
      );
      if (kept?.events !== sent || kept.applied === 0) {
        throw new Error(`payment-events: ${sent} were sent, ${kept?.events} kept, ${kept?.applied} changed an account`);
      }
    },
  };
}

async function plantSettings(stage: Stage, scope: DataSet): Promise<void> {
  const { frames, config } = await stage.openWorker();
  const cipher = createCipher(config.secrets.dataKeys);
  const webhookSecretsSealed = cipher.encrypt(Buffer.from(JSON.stringify(SECRETS)), paymentSecretPlace(scope, 'webhookSecrets'));
  await frames.write(scope, (db) =>
    storePaymentSettings(db, scope, { ...PAYMENT_DEFAULTS, provider: 'payvendor', secretKeySealed: null, webhookSecretsSealed }),
  );
}

async function plantAccounts(stage: Stage, { tenantId, environment, memberIds }: DataSet): Promise<void> {
  await stage.sql(
    `with provider as (
       insert into provider_account (tenant_id, environment, member_id, country, provider_account_id, status, transfers,
                                     profile_version, created_at, updated_at)
       select $1, $2, m.id, 'US', $4 || (m.n - 1), 'active', 'active', 'v1', now(), now()
       from unnest($3::uuid[]) with ordinality m(id, n) returning id, member_id)
     insert into payout_account (tenant_id, environment, member_id, provider_type, method_type, display_name, country, currency,
                                 is_primary, status, provider_account_ref, external_account_id, last_four, fingerprint,
                                 activated_at, created_at, updated_at)
     select $1, $2, member_id, 'payvendor', 'us_bank_transfer', 'Bank', 'US', 'USD', true, 'active', id, 'ba_' || id, '6789',
            sha256(uuid_send(id)), now(), now(), now() from provider`,
    [tenantId, environment, memberIds.slice(0, RECORDS), ACCOUNT_PREFIX],
  );
  await stage.sql('analyze provider_account, payout_account');
}
