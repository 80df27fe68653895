/**
 * Hostile words where plans, payouts, webhooks and the desk of verifications show what somebody wrote: a plan, a run that
 * leaves members out, one whose payouts have failed, an endpoint with its deliveries, and a verification that waits.
 */
import { defaultPlanFor } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestApp, TestTenant } from '../../support/app/test-app.ts';
import { drawnPng } from '../../support/kyc/drawn-documents.ts';
import { sendDocument } from '../../support/kyc/kyc-documents.ts';
import { approveKyc, draft, earn, execute, plantAccount, startPayouts } from '../../support/payments/payout-world.ts';
import { sealAll } from '../../support/webhooks/told-events.ts';
import { MARKUP, TURNING } from './hostile-words.ts';

export interface HostileWork {
  planId: string;
  /** Whose payouts have failed, and whose others are to be paid by hand. */
  failedRunId: string;
  /** A draft that leaves out a member on hold. */
  draftRunId: string;
  /** Whom money was paid to. */
  paidMemberId: string;
  /** Of a verification that waits, with its documents. */
  pendingId: string;
  documentIds: string[];
}

interface Ground {
  app: TestApp;
  tenant: TestTenant;
  client: ApiClient;
}

const MOST_OF_A_NAME = 200;

/** Several of the words, in so much room; each field begins with another. */
function word(from: number, most = MOST_OF_A_NAME): string {
  const pieces = [...MARKUP.slice(from), ...MARKUP.slice(0, from), TURNING];
  let text = '';
  for (const piece of pieces) if (text.length + piece.length <= most) text += piece;
  return text;
}

async function done<Body>(answer: Promise<{ status: number; text: string; body: Body }>): Promise<Body> {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(`hostile work was refused: ${status} ${text}`);
  return body;
}

/** Before whatever turns dual control on. */
export async function plantHostileWork(app: TestApp, tenant: TestTenant): Promise<HostileWork> {
  const ground = { app, tenant, client: apiClient(app, tenant.liveKey) };
  const hook = { url: 'https://shop.example/hooks', eventTypes: ['*'], description: word(2, 500) };
  await done(ground.client.post('/api/v1/webhook-endpoints', hook));
  const planId = await plantPlan(ground);
  return { planId, ...(await plantRuns(ground)), ...(await plantPending(ground)) };
}

/** What has happened until now goes to an endpoint, whose server answers in words of its own. */
export async function plantDeliveries(app: TestApp, { tenantId }: TestTenant): Promise<void> {
  const scope = { tenantId, environment: 'LIVE' } as const;
  await sealAll(app, scope);
  await app.database.asSuperuser(
    `with tried as (
       update webhook_delivery set attempt_count = 1, tries = 1, status = 'failed', next_at = null, settled_at = now()
       where tenant_id = $1 and environment = $2 returning id)
     insert into webhook_attempt (tenant_id, environment, delivery_id, number, at, ms, status, answer)
     select $1, $2, id, 1, now(), 20, 503, $3 from tried`,
    [scope.tenantId, scope.environment, word(3, 500)],
  );
}

/** A version and a draft, so that their differences are told. */
async function plantPlan({ client }: Ground): Promise<string> {
  const plan = defaultPlanFor('USD');
  const rule = (texts: string[]) => ({
    // More the pattern of an id does not take.
    id: 'script-alert-1',
    levels: [1],
    when: {
      any: [
        { fact: 'item.sku', in: texts },
        { fact: 'credited.tier', in: texts },
        { fact: 'sale.discountCode', in: texts },
      ],
    },
    pay: { rateBps: 1_200 },
  });
  const named = (from: number): object => {
    const texts = [word(from, 100), word(from + 3, 100)];
    return { ...plan, rules: [rule(texts)], scope: { ...plan.scope, skus: texts, categories: texts } };
  };
  const { id } = await done<{ id: string }>(client.post('/api/v1/commission-plans', { name: word(0), definition: named(1) }));
  await done(client.post(`/api/v1/commission-plans/${id}/publish`, {}));
  const tiers = { [word(2, 50)]: { maxDepth: 1 }, [word(4, 50)]: { maxDepth: 2 } };
  const next = { ...named(5), tierRules: { ...plan.tierRules, ...tiers } };
  await done(client.patch(`/api/v1/commission-plans/${id}`, { definition: next }));
  return id;
}

async function plantRuns({ app, tenant, client }: Ground): Promise<Omit<HostileWork, 'planId' | 'pendingId' | 'documentIds'>> {
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  const payee = async (from: number): Promise<MemberBody> => {
    const member = await client.newMember({ name: word(from, 100) });
    await approveKyc(app, member.id);
    await plantAccount(app, scope, member.id);
    await earn(app, scope, client, member, 90_000 + from);
    return member;
  };
  const members: MemberBody[] = [];
  for (let from = 0; from < 5; from += 1) members.push(await payee(from));
  const run = await execute(client);
  await startPayouts(app, scope);
  const [paid, returned, refused] = run.payouts.map(({ id }) => `/api/v1/payouts/${id}`);
  await done(client.post(`${paid}/settle`, { reference: word(6) }));
  await done(client.post(`${returned}/return`, { reason: word(7, 500) }));
  await done(client.post(`${refused}/return`, { reason: 'In the words of a provider, which follow' }));
  await app.database.asSuperuser('update payout set failure_code = $2, failure_message = $3 where id = $1', [
    run.payouts[2]?.id,
    word(8, 100),
    word(9, 500),
  ]);
  const held = await payee(5);
  await done(client.put(`/api/v1/members/${held.id}/payout-hold`, { reason: word(10, 500) }));
  await earn(app, scope, client, await client.newMember({ name: word(11, 100) }), 120);
  const { id: draftRunId } = await draft(client);
  return { failedRunId: run.id, draftRunId, paidMemberId: run.payouts[0]?.userId ?? '' };
}

async function plantPending({ app, client }: Ground): Promise<Pick<HostileWork, 'pendingId' | 'documentIds'>> {
  const { id: memberId } = await client.newMember({ name: word(0, 100) });
  const stated = { givenName: word(1, 100), surname: word(2, 100), businessName: word(3, 100), countryCode: 'DEU' };
  const address = { addressLine1: word(4, 100), city: word(5, 100), countryCode: 'DEU' };
  await done(client.patch(`/api/v1/members/${memberId}/profile`, { ...stated, address }));
  const { kycRecordId } = await done<{ kycRecordId: string }>(client.post(`/api/v1/members/${memberId}/kyc/start`, {}));
  for (const documentType of ['government_id_front', 'government_id_back', 'selfie'] as const) {
    const file = { fileName: `${documentType}.png`, mimeType: 'image/png', documentType } as const;
    await done(sendDocument(client, memberId, { ...file, content: drawnPng() }));
  }
  // A name of a file as a browser sends it.
  await app.database.asSuperuser('update kyc_document set file_name = $2 where kyc_record_id = $1', [kycRecordId, word(6)]);
  await done(client.post(`/api/v1/admin/kyc/${kycRecordId}/assign`, { assignee: word(7, 100) }));
  const { documents } = await done<{ documents: { id: string }[] }>(client.get(`/api/v1/admin/kyc/${kycRecordId}`));
  return { pendingId: kycRecordId, documentIds: documents.map(({ id }) => id) };
}
