/** Each secret of a deployment is replaced while a tenant's backend writes: docs/runbooks/rotate-secrets.md. */
import { randomBytes } from 'node:crypto';
import type { DrillCluster } from './cluster.ts';
import type { Drill, DrillKit } from './kit.ts';
import { newShop } from './new-shop.ts';
import { type RollingService, startRolling } from './rolling.ts';

const newKey = (): string => randomBytes(32).toString('base64');

interface Shop {
  apiKey: string;
  keyId: string;
}

export const drill: Drill = {
  name: 'rotate-secrets',
  title: 'data key, signing key, passwords of the database, API key and vendors’ secrets, replaced under load',
  async run(kit) {
    const cluster = await kit.cluster('main');
    await kit.cli(cluster, ['migrate']);
    const shop = await newShop(kit, cluster);
    const service = await startRolling(kit, cluster);
    const writer = await newShop(kit, cluster, 'The load');
    const load = service.load(writer.apiKey);

    kit.step('something sealed under the first data key: an ID number, and secrets of a vendor');
    const member = await kit.call(service, shop.apiKey, 'POST', '/api/v1/users', { email: 'ada@example.com', name: 'Ada' });
    const profile = `/api/v1/members/${String(member.body.id)}/profile`;
    const idNumber = 'AB123456C';
    const patched = await kit.call(service, shop.apiKey, 'PATCH', profile, { idNumber });
    kit.check(patched.status === 200, `the ID number is stored: ${patched.status} ${JSON.stringify(patched.body)}`);

    await replaceDataKey(kit, cluster, service, async () => {
      const answer = await kit.call(service, shop.apiKey, 'GET', `/api/v1/members/${String(member.body.id)}/data-export`);
      kit.check(JSON.stringify(answer.body).includes(idNumber), `the ID number is read: ${answer.status}`);
    });
    const published = await replaceSigningKey(kit, cluster, service);
    await replacePasswords(kit, cluster, service);
    await rollApiKey(kit, service, shop);
    await replaceVendorSecrets(kit, service, shop.apiKey);
    await missPepper(kit, cluster, shop.apiKey);
    await published();

    const { written, failed } = await load.end();
    kit.check(failed.length === 0, `no request of the load failed: ${failed.slice(0, 3).join(' | ')}`);
    const [members] = await cluster.query<{ count: number }>('select count(*)::int as count from member where tenant_id = $1', [
      writer.tenantId,
    ]);
    kit.check(members?.count === written, `${written} members were acknowledged, ${members?.count} are there`);
    kit.figure('written', written);
    kit.figure('failed', failed.length);
    await service.stop();
    await kit.doctor(cluster);
  },
};

async function replaceDataKey(
  kit: DrillKit,
  cluster: DrillCluster,
  service: RollingService,
  readSealed: () => Promise<void>,
): Promise<void> {
  kit.step('data key: the new one behind, then in front, then everything sealed anew, then the old one out');
  const from = performance.now();
  const before = kit.env['DATA_KEYS'] ?? '';
  const added = `k2:${newKey()}`;
  for (const ring of [`${before},${added}`, `${added},${before}`]) {
    await service.restart({ DATA_KEYS: ring });
    await readSealed();
  }
  const { resealed, unreadable } = await kit.cliJson<{ resealed: number; unreadable: number }>(cluster, ['keys', 'reencrypt'], {
    env: { DATA_KEYS: `${added},${before}` },
  });
  kit.check(resealed > 0 && unreadable === 0, `${resealed} rows were sealed anew, ${unreadable} could not be read`);
  // Stored answers are left to expire; a deployment waits for them before it takes the key out.
  await cluster.query('delete from idempotency_key');
  await service.restart({ DATA_KEYS: added });
  await readSealed();
  kit.env['DATA_KEYS'] = added;
  kit.ran('restart with DATA_KEYS');
  kit.figure('dataKeyMs', Math.round(performance.now() - from));
}

/** Returns a wait until every instance publishes it, which takes up to a minute. */
async function replaceSigningKey(kit: DrillKit, cluster: DrillCluster, service: RollingService): Promise<() => Promise<void>> {
  kit.step('the key that signs access tokens');
  const published = async (): Promise<string[]> => {
    const answer = await fetch(`${service.baseUrl}/.well-known/jwks.json`);
    return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  };
  const [former] = await published();
  const { kid } = await kit.cliJson<{ kid: string }>(cluster, ['keys', 'rotate-signing']);
  const isPublished = async (): Promise<boolean> => {
    const kids = await published();
    return kids.includes(kid) && (former === undefined || kids.includes(former));
  };
  return () => kit.until('both keys are published', async () => (await isPublished()) && (await isPublished()), 90_000);
}

async function replacePasswords(kit: DrillKit, cluster: DrillCluster, service: RollingService): Promise<void> {
  kit.step('the passwords of the database');
  const changed = Object.fromEntries(
    (['appUrl', 'workerUrl', 'adminUrl'] as const).map((name) => {
      const url = new URL(cluster.urls[name]);
      url.password = randomBytes(24).toString('hex');
      return [name, url.href];
    }),
  ) as Record<'appUrl' | 'workerUrl' | 'adminUrl', string>;
  const old = cluster.urls.appUrl;
  Object.assign(cluster.urls, changed);
  await kit.cli(cluster, ['migrate', '--create-roles']);
  await service.restart({});
  const refused = await kit.cli(cluster, ['tenant', 'create', '--name', 'Refused'], { env: { DATABASE_URL: old }, fails: true });
  kit.check(
    /refused the login|password authentication/.test(refused.stderr),
    `the former password is refused: ${refused.stderr}`,
  );
}

async function rollApiKey(kit: DrillKit, service: RollingService, shop: Shop): Promise<void> {
  kit.step('an API key, rolled with an overlap, the former revoked');
  const path = `/api/v1/admin/api-keys/${shop.keyId}`;
  const rolled = await kit.call(service, shop.apiKey, 'POST', `${path}/roll`, { overlapSeconds: 3600 });
  kit.ran('POST /api/v1/admin/api-keys/<keyId>/roll');
  const next = String(rolled.body.apiKey);
  for (const key of [shop.apiKey, next]) {
    kit.check((await kit.call(service, key, 'GET', '/api/v1/users?limit=1')).status === 200, 'both keys work during the overlap');
  }
  const revoked = await kit.call(service, next, 'DELETE', path);
  kit.ran('DELETE /api/v1/admin/api-keys/<keyId>');
  kit.check(revoked.status < 300, `the former key is revoked: ${revoked.status}`);
  await kit.until(
    'the former key is refused everywhere',
    async () => {
      const answers = [1, 2].map(() => kit.call(service, shop.apiKey, 'GET', '/api/v1/users?limit=1'));
      return (await Promise.all(answers)).every(({ status }) => status === 401);
    },
    5_000,
  );
  shop.apiKey = next;
}

async function replaceVendorSecrets(kit: DrillKit, service: RollingService, apiKey: string): Promise<void> {
  kit.step("a tenant's secrets at its vendors: the new webhook secret beside the former");
  const patch = async (kycvendor: object): Promise<void> => {
    const answer = await kit.call(service, apiKey, 'PATCH', '/api/v1/admin/settings', { kyc: { kycvendor } });
    kit.check(answer.status === 200, `the settings are taken: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  kit.ran('PATCH /api/v1/admin/settings');
  await patch({ webhookSecret: 'first-secret-of-the-vendor' });
  await patch({ webhookSecret: 'second-secret-of-the-vendor', previousWebhookSecret: 'first-secret-of-the-vendor' });
  await patch({ previousWebhookSecret: null });
}

/** What a deployment with another pepper looks like: nothing is lost, no key works, and the right one mends it. */
async function missPepper(kit: DrillKit, cluster: DrillCluster, apiKey: string): Promise<void> {
  kit.step('another pepper: no key works; with the right one all do again');
  const other = await kit.api(cluster, { env: { API_KEY_PEPPER: newKey() } });
  kit.check((await kit.call(other, apiKey, 'GET', '/api/v1/users?limit=1')).status === 401, 'under another pepper no key works');
  await other.stop();
  const right = await kit.api(cluster);
  kit.check((await kit.call(right, apiKey, 'GET', '/api/v1/users?limit=1')).status === 200, 'under the right one it does');
  await right.stop();
}
