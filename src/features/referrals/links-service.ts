/** Rules of referral links. Source: docs/specification/attribution.md#links. */
import type { z } from 'zod';
import type { ActingScope } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { drawQr } from '../../documents/draw-qr.ts';
import { AppError, invalidField, limitReached } from '../../errors.ts';
import type { CallContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { findDestinationFault } from './destination.ts';
import { hasAllLinks } from './limits-queries.ts';
import { claimSlug } from './link-slugs-queries.ts';
import { claimTag } from './link-tags-queries.ts';
import {
  type createReferralLink,
  type listReferralLinks,
  MAX_DESTINATION_LENGTH,
  type updateReferralLink,
} from './links-operations.ts';
import {
  type Clicks,
  type CountedLink,
  countClicks,
  countedLinkStatement,
  deleteLink,
  insertLink,
  type LinkFacts,
  linkStatement,
  listLinksStatement,
  type NewLink,
  type ReferralLink,
  readLinkFacts,
  updateLink,
} from './links-queries.ts';
import { referralsErrors } from './open/referrals-errors.ts';
import { requireOwner } from './require-owner.ts';
import { drawSlug, drawTag } from './slugs.ts';

type Create = z.output<(typeof createReferralLink)['body'] & {}>;
type List = z.output<(typeof listReferralLinks)['query'] & {}>;
type Update = z.output<(typeof updateReferralLink)['body'] & {}>;

/** With the address that it is followed by. */
export type WithUrl<Link> = Link & { url: string };

export interface ReferralLinksService {
  /** VALIDATION_ERROR, also for an unknown member; CODE_TAKEN for a slug; LIMIT_REACHED; STATE_CONFLICT for an erased one, FORBIDDEN for another than the token's. */
  createLink(context: CallContext, input: Create): Promise<WithUrl<ReferralLink>>;
  /** FORBIDDEN. */
  listLinks(context: CallContext, query: List): Promise<Page<WithUrl<ReferralLink & Partial<Clicks>>>>;
  /** NOT_FOUND. */
  readLink(context: CallContext, id: string): Promise<WithUrl<CountedLink>>;
  /** NOT_FOUND, VALIDATION_ERROR. */
  updateLink(context: CallContext, id: string, input: Update): Promise<WithUrl<ReferralLink>>;
  /** Returns the id. NOT_FOUND. */
  deleteLink(context: CallContext, id: string): Promise<string>;
  /** Its address as an SVG image. NOT_FOUND. */
  drawLinkQr(context: CallContext, id: string): Promise<{ slug: string; svg: string }>;
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  ownAddress(): string;
  /** That a member may have. */
  maxLinks: number;
}

const MAX_SLUG_DRAWS = 5;
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');
/** While fewer than half of all tags are taken, one of them is free but once in a million times. */
const MAX_TAG_DRAWS = 20;

export function createReferralLinksService({ frames, cursors, ownAddress, maxLinks }: Deps): ReferralLinksService {
  const addressOf = ({ slug }: ReferralLink): string => `${ownAddress()}/r/${slug}`;
  const withUrl = <Link extends ReferralLink>(link: Link): WithUrl<Link> => ({ ...link, url: addressOf(link) });

  return {
    createLink: ({ scope, guard, shape }, input) =>
      frames.write(
        scope,
        async (db) => {
          // In this order: the count sees what the wait for the lock was for.
          const [, isFull, facts] = await Promise.all([
            requireOwner(db, scope, input.user_id),
            hasAllLinks(db, scope, { memberId: input.user_id, limit: maxLinks }),
            readLinkFacts(db, scope),
          ]);
          if (isFull) throw limitReached('referral links', maxLinks);
          const destinationUrl = checkDestination(input.destination_url, facts);
          const expiresAt = input.expires_at == null ? null : checkExpiry(input.expires_at, facts);
          const fresh = {
            memberId: input.user_id,
            destinationUrl,
            name: input.name ?? null,
            expiresAt,
          };
          const link =
            input.slug == null
              ? await insertDrawn(db, scope, facts.tag ?? (await drawnTag(db, scope)), fresh)
              : await insertOwn(db, scope, { ...fresh, slug: input.slug });
          await noteChange(db, scope, link.id, { action: 'referral_link.created', memberId: link.memberId });
          return withUrl(link);
        },
        { guard, shape },
      ),

    async listLinks({ scope }, { limit, cursor, user_id: userId, status, sort, with: shows }) {
      const filters = { memberId: userId, status };
      const list = { scope, operationId: 'listReferralLinks', filters: { ...filters, sort } };
      const afterId = cursors.open(cursor, list);
      const rows = await frames.readOnce(scope, listLinksStatement(scope, filters, afterId, limit + 1, sort));
      const page = cursors.page(rows.map(withUrl), limit, list, (link) => link.id);
      if (shows === undefined || page.rows.length === 0) return page;
      const clicks = await frames.readOnce(scope, countClicks(scope, { ids: page.rows.map(({ id }) => id) }));
      const byId = new Map(clicks.map((one) => [one.id, one]));
      return { ...page, rows: page.rows.map((link) => ({ ...link, ...byId.get(link.id) })) };
    },

    async readLink({ scope }, id) {
      const [link] = await frames.readOnce(scope, countedLinkStatement(scope, id, scope.member?.memberId));
      if (!link) throw unknownLink();
      return withUrl(link);
    },

    updateLink: ({ scope, guard, shape }, id, input) =>
      frames.write(
        scope,
        async (db) => {
          const facts = await readLinkFacts(db, scope);
          const destinationUrl = input.destination_url === undefined ? undefined : checkDestination(input.destination_url, facts);
          const expiresAt = input.expires_at == null ? input.expires_at : checkExpiry(input.expires_at, facts);
          const changes = { name: input.name, status: input.status, destinationUrl, expiresAt };
          const link = await updateLink(db, scope, id, scope.member?.memberId, changes);
          if (!link) throw unknownLink();
          const fields = Object.keys(input).filter((name) => input[name as keyof Update] !== undefined);
          await noteChange(db, scope, id, { action: 'referral_link.updated', memberId: link.memberId, fields });
          return withUrl(link);
        },
        { guard, shape, repeatable: true },
      ),

    deleteLink: ({ scope, guard, shape }, id) =>
      frames.write(
        scope,
        async (db) => {
          const deleted = await deleteLink(db, scope, id, scope.member?.memberId);
          if (!deleted) throw unknownLink();
          await noteChange(db, scope, id, { action: 'referral_link.deleted' });
          return deleted.id;
        },
        { guard, shape },
      ),

    async drawLinkQr({ scope }, id) {
      const [link] = await frames.readOnce(scope, linkStatement(scope, id, scope.member?.memberId));
      if (!link) throw unknownLink();
      return { slug: link.slug, svg: drawQr(addressOf(link)) };
    },
  };
}

/** Names of fields alone: an address or a slug may be of a person. */
function noteChange(
  db: Db,
  scope: ActingScope,
  id: string,
  { action, ...details }: { action: string; memberId?: string; fields?: string[] },
): Promise<void> {
  return recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'referral_link', objectId: id, details });
}

/** The address as browsers write it, which is what is stored: nobody else reads it in another way. */
function checkDestination(address: string, { allowedHosts }: LinkFacts): string {
  const fault = findDestinationFault(address, allowedHosts);
  if (fault !== undefined) throw invalidField('destination_url', fault);
  const { href } = new URL(address);
  if (href.length > MAX_DESTINATION_LENGTH) {
    throw invalidField('destination_url', `must have at most ${MAX_DESTINATION_LENGTH} characters, percent-encoded`);
  }
  return href;
}

/** To the millisecond, as it is shown: rounded up by the database it could be of a year that no answer can name. */
function checkExpiry(expiresAt: string, { now }: LinkFacts): string {
  const at = Date.parse(expiresAt);
  if (at <= now.getTime()) throw invalidField('expires_at', 'must be in the future');
  return new Date(Math.min(at, LATEST)).toISOString();
}

async function drawnTag(db: Db, scope: Scope): Promise<string> {
  for (let draw = 1; draw <= MAX_TAG_DRAWS; draw++) {
    const tag = await claimTag(db, scope, drawTag());
    if (tag !== undefined) return tag;
  }
  throw new Error('every tag that was drawn is taken');
}

async function insertDrawn(db: Db, scope: Scope, tag: string, fresh: Omit<NewLink, 'slug'>): Promise<ReferralLink> {
  for (let draw = 1; draw <= MAX_SLUG_DRAWS; draw++) {
    const inserted = await insertLink(db, scope, { ...fresh, slug: drawSlug(tag) });
    if (inserted) return inserted;
  }
  throw new Error('every slug that was drawn is taken');
}

async function insertOwn(db: Db, scope: Scope, link: NewLink): Promise<ReferralLink> {
  const inserted = (await claimSlug(db, scope, link.slug)) ? await insertLink(db, scope, link) : undefined;
  if (!inserted) throw new AppError(referralsErrors.CODE_TAKEN, 'A link has this slug, or had it');
  return inserted;
}

function unknownLink(): AppError {
  return new AppError('NOT_FOUND', 'No such referral link');
}
