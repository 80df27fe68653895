/** The member's codes and links, and what it may do to them. Source: docs/specification/widget.md#reads. */
import { z } from 'zod';
import { listReferralCodes } from '../../referrals/codes-operations.ts';
import {
  createReferralLink,
  getReferralLink,
  getReferralLinkQr,
  listReferralLinks,
  updateReferralLink,
} from '../../referrals/links-operations.ts';
import { readBody, readQuery, renaming } from './sent.ts';
import type { View } from './view.ts';

export const RIGHTS = ['referrals:read'] as const;
export const WRITE_RIGHTS = ['referrals:read', 'referrals:write'] as const;

const asked = z.strictObject({ cursor: z.string().optional() });

const LINKS_A_PAGE = '10';
/** A member has a hundred at most, unless the deployment says otherwise. */
const MOST_CODES = '100';

interface WidgetLink {
  id: string;
  slug: string;
  url: string;
  name: string | null;
  destinationUrl: string;
  status: 'active' | 'disabled';
  expiresAt: string | null;
  clicks: number;
  lastClickedAt: string | null;
  createdAt: string;
}

export async function readLinks(view: View): Promise<{
  code: string | null;
  canCreate: boolean;
  destinationHosts: string[];
  links: WidgetLink[];
  nextCursor: string | null;
}> {
  const { invoke, by, memberId, facts, query } = view;
  const { cursor } = readQuery(asked, query);
  const [codes, links] = await Promise.all([
    invoke(listReferralCodes, { query: { user_id: memberId, status: 'active', limit: MOST_CODES } }, by),
    invoke(listReferralLinks, { query: { user_id: memberId, sort: '-created_at', limit: LINKS_A_PAGE, cursor } }, by),
  ]);
  const { data = [], next_cursor: nextCursor = null } = links.body ?? {};
  const counted: WidgetLink[] = [];
  // One after the other: a page of links takes one connection, and not ten.
  for (const { id } of data) counted.push(await readLink(view, id));
  return {
    code: codes.body?.data.find((code) => code.is_default)?.code ?? null,
    canCreate: facts.destinationHosts.length > 0,
    destinationHosts: facts.destinationHosts,
    links: counted,
    nextCursor,
  };
}

const newLink = z.strictObject({
  destinationUrl: z.string(),
  slug: z.string().nullish(),
  name: z.string().nullish(),
});

/** What the API calls these fields, and what the widget does. */
const FIELDS = { destination_url: 'destinationUrl' } as const;

export async function makeLink(view: View, sent: unknown): Promise<WidgetLink> {
  const { destinationUrl, slug, name } = readBody(newLink, sent);
  const body = { user_id: view.memberId, destination_url: destinationUrl, slug: slug ?? undefined, name: name ?? undefined };
  const made = await renaming(FIELDS, () => view.invoke(createReferralLink, { body }, view.by));
  if (!made.body) throw new Error('a link waits for nobody');
  return readLink(view, made.body.id);
}

const change = z.strictObject({ status: z.enum(['active', 'disabled']) });

export async function changeLink(view: View, id: string, sent: unknown): Promise<WidgetLink> {
  const body = readBody(change, sent);
  await view.invoke(updateReferralLink, { params: { link_id: id }, body }, view.by);
  return readLink(view, id);
}

/** An SVG image. */
export async function drawQr({ invoke, by }: View, id: string): Promise<string> {
  return (await invoke.text(getReferralLinkQr, { params: { link_id: id } }, by)).text;
}

async function readLink({ invoke, by }: View, id: string): Promise<WidgetLink> {
  const { body: link } = await invoke(getReferralLink, { params: { link_id: id } }, by);
  if (!link) throw new Error('a read waits for nobody');
  return {
    id: link.id,
    slug: link.slug,
    url: link.url,
    name: link.name,
    destinationUrl: link.destination_url,
    status: link.status,
    expiresAt: link.expires_at,
    clicks: link.click_count,
    lastClickedAt: link.last_clicked_at,
    createdAt: link.created_at,
  };
}
