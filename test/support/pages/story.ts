/** What happened at the shop that the browser tests look at: few people, each cent known. */
import type { Environment } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../app/api-client.ts';
import type { TestApp, TestTenant } from '../app/test-app.ts';
import { runJobs } from '../jobs/run-jobs.ts';

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
