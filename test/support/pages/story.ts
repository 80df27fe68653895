/** What happened at the shop that the browser tests look at: few people, each cent known. */
import type { Environment, Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../app/api-client.ts';
import type { TestApp, TestTenant } from '../app/test-app.ts';
import { runJobs } from '../jobs/run-jobs.ts';
import { drawnPng } from '../kyc/drawn-documents.ts';
import { sendDocument } from '../kyc/kyc-documents.ts';
import { sealAll } from '../webhooks/told-events.ts';

export interface Story {
  members: Record<'ada' | 'ben' | 'cleo' | 'dan', MemberBody>;
  /** The sale whose second level is 5 % of 37.53: 1.88 for Cleo. */
  sale: { id: string; external: string };
  /** The key that sent it. */
  keyName: string;
  commissions: { id: string; beneficiary: string; amount: number }[];
  lead: { id: string };
  link: { id: string };
}

const KEY_NAME = 'Web shop of the north';

/** Tells it by the API, with a key of its own whose name is then shown beside what it sent. */
export async function tellStory(
  app: TestApp,
  { tenantId, liveKey, sandboxKey }: TestTenant,
  environment: Environment = 'LIVE',
): Promise<Story> {
  const settings = apiClient(app, environment === 'LIVE' ? liveKey : sandboxKey);
  // Of slugs and providers there is one, whatever the environment.
  const tail = environment === 'LIVE' ? '' : '-sandbox';
  await done(settings.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } }));
  await done(
    settings.post('/api/v1/webhook-endpoints', {
      url: 'https://north.example/hooks',
      eventTypes: ['*'],
      description: 'Shop of the north',
    }),
  );
  const { apiKey } = await app.tenants.createKey({ tenantId, environment, name: KEY_NAME });
  const client = apiClient(app, apiKey);
  const person = (name: string, email: string, parent?: MemberBody) =>
    client.newMember({ name, email, membership_tier: 'DIRECTOR', ...(parent && { parent_id: parent.id }) });
  const ada = await person('Ada Root', 'ada@north.example');
  const ben = await person('Ben Branch', 'ben@north.example', ada);
  const cleo = await person('Cleo Limb', 'cleo@north.example', ben);
  const dan = await person('Dan Leaf', 'dan@north.example', cleo);
  const lead = { email: 'lea@north.example', name: 'Lea Lead', source: 'fair', referral_code: dan.referral_code };
  const { id: leadId } = await done<{ id: string }>(client.post('/api/v1/leads/capture', lead));
  const link = { user_id: dan.id, destination_url: 'https://shop.example/spring', slug: `spring-by-dan${tail}`, name: 'Spring' };
  const { id: linkId } = await done<{ id: string }>(client.post('/api/v1/referrals/links', link));
  const external = 'north-1001';
  const receipt = await sell(client, { external_event_id: external, amount_minor: 3753, attribution: { user_id: dan.id } });
  for (let nr = 1002; nr < 1010; nr += 1) {
    const credited = [dan, cleo, ben][nr % 3] as MemberBody;
    await sell(client, { external_event_id: `north-${nr}`, amount_minor: nr * 7, attribution: { user_id: credited.id } });
  }
  const refund = { external_event_id: 'north-1002-back', purchase_external_event_id: 'north-1002', amount_minor: 2000 };
  await done(client.post('/api/v1/events/refund', { ...refund, reason: 'Half of it came back' }));
  const provider = { providerId: `north-login${tail}`, issuerUrl: app.issuer.issuerUrl, allowedAudiences: ['north-shop'] };
  await done(settings.post('/api/v1/admin/auth/providers', provider));
  await lookAtFile(app, apiKey);
  await sendPapers(client, cleo);
  await hearOfIt(app, { tenantId, environment });
  return {
    members: { ada, ben, cleo, dan },
    sale: { id: receipt.event_id, external },
    keyName: KEY_NAME,
    commissions: receipt.commissions.map(({ id, user_id, amount_minor }) => ({
      id,
      beneficiary: user_id,
      amount: amount_minor,
    })),
    lead: { id: leadId },
    link: { id: linkId },
  };
}

/** A file of members that is looked at, of which two rows are refused. */
async function lookAtFile(app: TestApp, key: string): Promise<void> {
  const answer = await fetch(`${app.baseUrl}/api/v1/imports?kind=members&mode=validate&fileName=spring.csv`, {
    method: 'POST',
    headers: { 'x-tenant-api-key': key, 'content-type': 'text/csv' },
    body: 'email,name,sponsor_email\neve@north.example,Eve,dan@north.example\nno-email,Nobody,\nada@north.example,Ada again,\n',
  });
  if (answer.status !== 201) throw new Error(`the story's file was refused: ${answer.status} ${await answer.text()}`);
  await runJobs(app, 'run-import');
}

/** Cleo waits to be verified. */
async function sendPapers(client: ApiClient, { id }: MemberBody): Promise<void> {
  await done(client.post(`/api/v1/members/${id}/kyc/start`, {}));
  for (const documentType of ['government_id_front', 'government_id_back', 'selfie'] as const) {
    const file = { fileName: `${documentType}.png`, mimeType: 'image/png', documentType } as const;
    await done(sendDocument(client, id, { ...file, content: drawnPng() }));
  }
}

/** What happened was sent: the first event for ever in vain, one waits for its next attempt, all others arrived. */
async function hearOfIt(app: TestApp, scope: Scope): Promise<void> {
  await sealAll(app, scope);
  const own = [scope.tenantId, scope.environment];
  const ofTenant = 'd.tenant_id = $1 and d.environment = $2';
  await app.database.asSuperuser(
    `with numbered as (select d.id, row_number() over (order by d.id) as nr from webhook_delivery d where ${ofTenant})
     update webhook_delivery d set attempt_count = case n.nr when 1 then 10 else 1 end, tries = case n.nr when 1 then 10 else 1 end,
       status = case n.nr when 1 then 'failed' when 2 then 'waiting' else 'delivered' end,
       next_at = case n.nr when 2 then scope_now($1, $2) + interval '5 minutes' end,
       settled_at = case n.nr when 2 then null else now() end
     from numbered n where n.id = d.id and ${ofTenant}`,
    own,
  );
  await app.database.asSuperuser(
    `insert into webhook_attempt (tenant_id, environment, delivery_id, number, at, ms, status, fault, answer)
     select $1, $2, d.id, n, now() - (10 - n) * interval '1 hour', 20 * n,
       case when d.status = 'delivered' then 204 when n <> 3 then 503 end,
       case when d.status = 'failed' and n = 3 then 'timeout' end, '<script>alert(1)</script> Down for the night'
     from webhook_delivery d cross join generate_series(1, d.attempt_count) n where ${ofTenant}`,
    own,
  );
  await app.database.asSuperuser(
    `insert into webhook_hour (tenant_id, environment, endpoint_id, starts_at, delivered, failed)
     select $1, $2, e.id, date_trunc('hour', now()) - n * interval '1 hour', 40 - n, n % 5
     from webhook_endpoint e cross join generate_series(0, 20, 2) n where e.tenant_id = $1 and e.environment = $2`,
    own,
  );
}

interface Receipt {
  event_id: string;
  commissions: { id: string; user_id: string; amount_minor: number }[];
}

function sell(client: ApiClient, fields: object): Promise<Receipt> {
  return done<Receipt>(client.post('/api/v1/events/purchase', client.purchaseBody({ currency: 'USD', ...fields })));
}

async function done<Body>(answer: Promise<{ status: number; text: string; body: unknown }>): Promise<Body> {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(`the story was refused: ${status} ${text}`);
  return body as Body;
}
