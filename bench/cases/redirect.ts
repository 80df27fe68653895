/** GET /r/{slug} of random links, against one insert of the same row and a redirect. */
import { anyOf, type DataSet } from '../data-set.ts';
import { CLIENTS, httpContender } from '../drive.ts';
import type { Case } from '../measure.ts';
import type { Stage } from '../stage.ts';

const LINKS = 5_000;
const PATHS_PER_CLIENT = Math.ceil(20_000 / CLIENTS);
const TAG = 'bnch';
/** Without one, or with a bot's, nothing would be stored. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export async function redirectCase(stage: Stage, data: DataSet, serviceUrl: string, floorUrl: string): Promise<Case> {
  const links = await plantLinks(stage, data);
  const requestsTo = (pathOf: (link: PlantedLink) => string) => () =>
    Array.from({ length: PATHS_PER_CLIENT }, () => ({ method: 'GET', path: pathOf(anyOf(links)) }));
  const headers = { 'user-agent': BROWSER, referer: 'https://blog.example/post' };
  return {
    name: 'redirect',
    unit: 'redirects',
    ours: httpContender({ url: serviceUrl, headers, requestsOfClient: requestsTo(({ slug }) => `/r/${slug}`), redirects: true }),
    floor: httpContender({
      url: floorUrl,
      headers,
      requestsOfClient: requestsTo(({ id, memberId }) => `/r/${id}/${memberId}`),
      redirects: true,
    }),
    target: { ratio: 0.75 },
    async check() {
      const sides = await stage.sql<{ hashed: boolean; clicks: number; links: number; whole: number }>(
        `select c.ip_hash is not null as hashed, count(*)::int as clicks, count(distinct c.link_id)::int as links,
                count(*) filter (where c.kind = 'redirect' and c.member_id = l.member_id and c.referrer_host = 'blog.example')::int as whole
         from referral_click c
         join referral_link l on l.tenant_id = c.tenant_id and l.environment = c.environment and l.id = c.link_id
         where c.tenant_id = $1 group by 1`,
        [data.tenantId],
      );
      // The floor keeps no digest of the address.
      if (sides.length !== 2 || sides.some(({ clicks, whole, links: followed }) => clicks !== whole || followed < 100)) {
        throw new Error(`redirect: not every click is whole, or few links were followed: ${JSON.stringify(sides)}`);
      }
    },
  };
}

interface PlantedLink {
  id: string;
  slug: string;
  memberId: string;
}

async function plantLinks(stage: Stage, { tenantId, environment, memberIds }: DataSet): Promise<PlantedLink[]> {
  const scope = [tenantId, environment];
  await stage.sql('insert into link_tag (tag, tenant_id, environment) values ($3, $1, $2)', [...scope, TAG]);
  await stage.sql(
    `insert into referral_settings (tenant_id, environment, attribution_model, attribution_window_days, allowed_destination_hosts)
     values ($1, $2, 'last_click', 60, '{shop.example}')`,
    scope,
  );
  const links = await stage.sql<{ id: string; slug: string; memberId: string }>(
    `insert into referral_link (tenant_id, environment, slug, member_id, destination_url, status, created_at, updated_at)
     select $1, $2, $3 || translate(lpad(n::text, 8, '0'), '0123456789', '23456789ab'), member.id, 'https://shop.example/spring?campaign=' || n, 'active', now(), now()
     from unnest($4::uuid[]) with ordinality member(id, n)
     returning id, slug, member_id as "memberId"`,
    [...scope, TAG, memberIds.slice(0, LINKS)],
  );
  await stage.sql('vacuum analyze referral_link, referral_click, referral_settings, link_tag');
  return links;
}
