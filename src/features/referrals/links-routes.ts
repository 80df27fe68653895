import { shownAs } from '../../http/operation.ts';
import { snakeList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import {
  createReferralLink,
  deleteReferralLink,
  getReferralLink,
  getReferralLinkQr,
  type ListedLinkAnswer,
  listReferralLinks,
  type ReferralLinkAnswer,
  updateReferralLink,
} from './links-operations.ts';
import type { Clicks, ReferralLink } from './links-queries.ts';
import type { ReferralLinksService, WithUrl } from './links-service.ts';

export function referralLinksRoutes(links: ReferralLinksService): Route[] {
  return [
    route(
      createReferralLink,
      ({ body, ...context }) => links.createLink(context, body),
      (link) => ({ status: 201, body: linkBody(link), headers: { Location: `/api/v1/referrals/links/${link.id}` } }),
    ),
    route(listReferralLinks, ({ query, ...context }) => links.listLinks(context, query), snakeList(listedBody)),
    route(
      getReferralLink,
      ({ params, ...context }) => links.readLink(context, params.link_id),
      (link) => ({
        status: 200,
        body: { ...linkBody(link), click_count: link.clickCount, last_clicked_at: link.lastClickedAt },
      }),
    ),
    route(
      updateReferralLink,
      ({ params, body, ...context }) => links.updateLink(context, params.link_id, body),
      (link) => ({ status: 200, body: linkBody(link) }),
    ),
    route(
      deleteReferralLink,
      ({ params, ...context }) => links.deleteLink(context, params.link_id),
      (id) => ({ status: 200, body: { id, deleted: true } }),
    ),
    route(
      getReferralLinkQr,
      ({ params, ...context }) => links.drawLinkQr(context, params.link_id),
      ({ slug, svg }) => ({ status: 200, bytes: Buffer.from(svg), headers: shownAs(`${slug}.svg`) }),
    ),
  ];
}

function linkBody(link: WithUrl<ReferralLink>): ReferralLinkAnswer {
  return {
    id: link.id,
    slug: link.slug,
    url: link.url,
    user_id: link.memberId,
    destination_url: link.destinationUrl,
    name: link.name,
    status: link.status,
    expires_at: link.expiresAt,
    created_at: link.createdAt,
    updated_at: link.updatedAt,
  };
}

function listedBody(link: WithUrl<ReferralLink & Partial<Clicks>>): ListedLinkAnswer {
  return {
    ...linkBody(link),
    ...(link.clickCount !== undefined && { click_count: link.clickCount, last_clicked_at: link.lastClickedAt }),
  };
}
