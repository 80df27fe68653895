/** The statements of the operations of referral codes, links and clicks. */
import { apiClient } from '../../support/app/api-client.ts';
import { alone, type Counted, claim, countStatements, key, write } from '../../support/statements/statement-row.ts';
import { allowHosts, type PlantedLink, plantLink, plantTag } from './plant-link.ts';

const codesPath = '/api/v1/referrals/codes';
const linksPath = '/api/v1/referrals/links';
const clicksPath = '/api/v1/referrals/clicks';
const settingsPath = '/api/v1/admin/settings';
async function newReferral(world: Counted, path: string): Promise<string> {
  const { body } = await world.client.post(path, referral(world, path));
  world.forget();
  return body.id as string;
}
const referral = ({ chain }: Counted, path: string) => ({
  user_id: chain[0]?.id,
  ...(path === linksPath ? { destination_url: 'https://shop.example/' } : {}),
});
const ownerAndFacts = ['referrals_lock_owner', 'referrals_count_links', 'referrals_link_facts'];
/** Whose tag is known to the service, as it is after the first of its links was followed. */
async function newLink(world: Counted): Promise<PlantedLink> {
  const { app, scope, chain, forget } = world;
  await allowHosts(app, scope, ['shop.example']);
  const link = await plantLink(app, scope, { memberId: chain[0]?.id ?? '' });
  await follow(world, link.slug);
  forget();
  return link;
}
const follow = async (
  { app }: Counted,
  slug: string,
  agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
) => app.http.get(`/r/${slug}`).redirects(0).set('user-agent', agent);

export const referralStatements = countStatements(
  async (world) => {
    await world.client.patch(settingsPath, { referrals: { allowedDestinationHosts: ['shop.example'] } });
    await world.client.post(linksPath, referral(world, linksPath));
    return {};
  },
  [
    [
      'createReferralCode',
      (world) => world.client.post(codesPath, referral(world, codesPath)),
      201,
      write('referrals_lock_owner', 'referrals_count_codes', 'referrals_insert_code', 'audit_insert'),
    ],
    [
      'createReferralCode, the default one',
      (world) => world.client.post(codesPath, { ...referral(world, codesPath), is_default: true }),
      201,
      write('referrals_lock_owner', 'referrals_count_codes', 'referrals_demote_code', 'referrals_insert_code', 'audit_insert'),
    ],
    ['listReferralCodes of 1', ({ client }) => client.get(`${codesPath}?limit=1`), 200, alone('built')],
    ['listReferralCodes of 100', ({ client }) => client.get(`${codesPath}?limit=100`), 200, alone('built')],
    [
      'getReferralCode',
      async (world) => world.client.get(`${codesPath}/${await newReferral(world, codesPath)}`),
      200,
      alone('referrals_find_code'),
    ],
    [
      'updateReferralCode, to be the default one',
      async (world) => world.client.patch(`${codesPath}/${await newReferral(world, codesPath)}`, { is_default: true }),
      200,
      write(
        'referrals_lock_owner_of_code',
        'referrals_find_code',
        'referrals_demote_code',
        'audit_insert',
        'referrals_change_code',
      ),
    ],
    [
      'updateReferralCode, retired',
      async (world) => world.client.patch(`${codesPath}/${await newReferral(world, codesPath)}`, { status: 'retired' }),
      200,
      write('referrals_lock_owner_of_code', 'referrals_find_code', 'audit_insert', 'referrals_change_code'),
    ],
    [
      'resolveReferralCode',
      ({ client, chain }) => client.get(`/api/v1/referrals/resolve?referral_code=${chain[1]?.referral_code}`),
      200,
      alone('referrals_resolve_code'),
    ],
    [
      'createReferralLink, the first of an environment',
      async (world) => {
        const { app, forget } = world;
        const first = apiClient(app, (await app.newTenant()).liveKey);
        await first.patch(settingsPath, { referrals: { allowedDestinationHosts: ['shop.example'] } });
        const { id } = await first.newMember();
        forget();
        return first.post(linksPath, { ...referral(world, linksPath), user_id: id });
      },
      201,
      write(...ownerAndFacts, 'referrals_insert_tag', 'referrals_find_tag', 'referrals_insert_link', 'audit_insert'),
    ],
    [
      'createReferralLink',
      (world) => world.client.post(linksPath, referral(world, linksPath)),
      201,
      write(...ownerAndFacts, 'referrals_insert_link', 'audit_insert'),
    ],
    [
      'createReferralLink, with a slug of its own',
      (world) => world.client.post(linksPath, { ...referral(world, linksPath), slug: `own-${crypto.randomUUID()}` }),
      201,
      write(...ownerAndFacts, 'referrals_claim_slug', 'referrals_insert_link', 'audit_insert'),
    ],
    ['listReferralLinks of 1', ({ client }) => client.get(`${linksPath}?limit=1`), 200, alone('built')],
    ['listReferralLinks of 100', ({ client }) => client.get(`${linksPath}?limit=100`), 200, alone('built')],
    [
      'listReferralLinks of 100 with their clicks',
      ({ client }) => client.get(`${linksPath}?limit=100&with=clicks`),
      200,
      [...alone('built'), ...alone('referrals_count_clicks')],
    ],
    [
      'getReferralLink',
      async (world) => world.client.get(`${linksPath}/${await newReferral(world, linksPath)}`),
      200,
      alone('referrals_find_counted_link'),
    ],
    [
      'getReferralLinkQr',
      async (world) => world.client.get(`${linksPath}/${await newReferral(world, linksPath)}/qr`),
      200,
      alone('referrals_find_link'),
    ],
    [
      'updateReferralLink',
      async (world) => world.client.patch(`${linksPath}/${await newReferral(world, linksPath)}`, { status: 'disabled' }),
      200,
      write('referrals_link_facts', 'referrals_update_link', 'audit_insert'),
    ],
    [
      'deleteReferralLink',
      async (world) => {
        const id = await newReferral(world, linksPath);
        return world.app.http.delete(`${linksPath}/${id}`).set('x-tenant-api-key', world.liveKey);
      },
      200,
      write('referrals_delete_link', 'audit_insert'),
    ],
    [
      'recordClick by a link',
      async (world) => world.client.post(clicksPath, { link_id: (await newLink(world)).id }),
      201,
      write('clicks_find_source', 'clicks_insert'),
    ],
    [
      'recordClick with an Idempotency-Key',
      async (world) => world.client.post(clicksPath, { slug: (await newLink(world)).slug }, key()),
      201,
      write(...claim, 'clicks_find_source', 'clicks_insert', 'idempotency_store'),
    ],
    [
      'recordClick of a bot',
      async (world) => world.client.post(clicksPath, { slug: (await newLink(world)).slug, user_agent: 'Googlebot/2.1' }),
      200,
      write('clicks_find_source'),
    ],
    [
      'recordClick of a customer',
      async ({ client, chain, forget }) => {
        const { body } = await client.post(clicksPath, { referral_code: chain[0]?.referral_code });
        forget();
        return client.post(clicksPath, { click_id: body.click_id, customer: { external_id: 'c' } });
      },
      200,
      write('clicks_tie', 'audit_insert'),
    ],
    [
      'a redirect, the first by a tag',
      async (world) => {
        const { tenantId: other } = await world.app.newTenant();
        const scope = { tenantId: other, environment: 'LIVE' } as const;
        await allowHosts(world.app, scope, ['shop.example']);
        const tag = await plantTag(world.app, scope);
        world.forget();
        return follow(world, `${tag}22222222`);
      },
      404,
      ['locate_link_tag', ...alone('redirect_follow')],
    ],
    [
      "a redirect by a slug of one's own, the first",
      async (world) => {
        const slug = `own-${crypto.randomUUID()}`;
        await world.client.post(linksPath, { ...referral(world, linksPath), slug });
        world.forget();
        return follow(world, slug);
      },
      302,
      ['locate_link_slug', ...alone('redirect_follow')],
    ],
    ['a redirect', async (world) => follow(world, (await newLink(world)).slug), 302, alone('redirect_follow')],
    [
      'a redirect of a bot',
      async (world) => follow(world, (await newLink(world)).slug, 'Googlebot/2.1'),
      302,
      alone('redirect_find'),
    ],
  ],
);
