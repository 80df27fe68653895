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
/** Of which a member has no more, unless the deployment says otherwise. */
const CODES_A_PAGE = '100';
/** As many as a list counts; it stands for as many or more. */
const MOST_LISTED_CLICKS = 10_000;

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
  const [code, links] = await Promise.all([
    defaultCodeOf(view),
    invoke(
      listReferralLinks,
      { query: { user_id: memberId, sort: '-created_at', with: 'clicks', limit: LINKS_A_PAGE, cursor } },
      by,
    ),
  ]);
  if (!links.body) throw new Error('a read waits for nobody');
  return {
    code,
    canCreate: facts.destinationHosts.length > 0,
    destinationHosts: facts.destinationHosts,
    links: links.body.data.map(linkOf),
    nextCursor: links.body.next_cursor,
  };
}

/** Where it is retired, another one is the default one. */
async function defaultCodeOf({ invoke, by, memberId }: View): Promise<string | null> {
  for (let cursor: string | undefined; ; ) {
    const { body } = await invoke(
      listReferralCodes,
      { query: { user_id: memberId, status: 'active', limit: CODES_A_PAGE, cursor } },
      by,
    );
    const found = body?.data.find(({ is_default }) => is_default);
    if (found || !body?.next_cursor) return found?.code ?? null;
    cursor = body.next_cursor;
  }
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
  return linkOf(link);
}

interface Link {
  id: string;
  slug: string;
  url: string;
  name: string | null;
  destination_url: string;
  status: 'active' | 'disabled';
  expires_at: string | null;
  created_at: string;
  click_count?: number | undefined;
  last_clicked_at?: string | null | undefined;
}

function linkOf(link: Link): WidgetLink {
  return {
    id: link.id,
    slug: link.slug,
    url: link.url,
    name: link.name,
    destinationUrl: link.destination_url,
    status: link.status,
    expiresAt: link.expires_at,
    clicks: Math.min(link.click_count ?? 0, MOST_LISTED_CLICKS),
    lastClickedAt: link.last_clicked_at ?? null,
    createdAt: link.created_at,
  };
}
