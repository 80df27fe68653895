/**
 * Slugs of links: a tag, which tells whose the link is, and random characters. Lower case letters and digits
 * that are not mistaken for each other when they are typed from paper. Or slugs of a member's own choice.
 */
import { createHash, randomInt } from 'node:crypto';
import { z } from 'zod';

const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';
const TAG_LENGTH = 4;
const RANDOM_LENGTH = 8;

/** What any slug looks like; a path that is none need not be looked up. */
export const ANY_SLUG = /^[0-9a-z-]{3,40}$/;

/** The form of what is drawn, also as SQL reads it. */
export const DRAWN_SLUG = `^[${ALPHABET}]{${TAG_LENGTH + RANDOM_LENGTH}}$`;

const DRAWN = new RegExp(DRAWN_SLUG);

/** Whether it may have been drawn. */
export function isDrawn(slug: string): boolean {
  return DRAWN.test(slug);
}

/** Names of the service's own and of pages that a visitor may take for the tenant's. */
const RESERVED = new Set(
  `about account accounts admin administrator api app assets auth billing blog cdn checkout contact dashboard delete docs
   download edit favicon ftp health healthz help home imprint impressum index legal login logout mail me new null oauth official
   password pay payment payments payout payouts privacy public readyz referral referrals register robots root sandbox security
   settings signin signout signup sitemap staff static status superuser support system terms test undefined unsubscribe user
   users verify webhook webhooks well-known widget www`.split(/\s+/),
);

const OWN_SLUG = '^[a-z0-9]+(-[a-z0-9]+)*$';

export const ownSlug = z
  .string()
  .min(3, 'must have at least 3 characters')
  .max(40, 'must have at most 40 characters')
  .regex(new RegExp(OWN_SLUG), 'must be of letters a to z, digits and single hyphens between them')
  .refine((slug) => !RESERVED.has(slug), 'is reserved')
  .refine((slug) => !isDrawn(slug), 'has the form of slugs that are drawn: another length, or a hyphen, will do');

/** What is kept of one's own for ever. */
export function slugDigest(slug: string): Buffer {
  return createHash('sha256').update(slug).digest();
}

/** What a slug that is drawn looks like. */
export const SLUG_PATTERN = /^[0-9a-z]{12}$/;

/** Slugs are typed from paper too, in any case. */
export function slugOf(typed: string): string {
  return typed.toLowerCase();
}

/** The tag of what has the form of a slug. */
export function tagOf(slug: string): string {
  return slug.slice(0, TAG_LENGTH);
}

/** 30^4: a clash with another tenant's is found by the primary key, and answered by another draw. */
export function drawTag(): string {
  return draw(TAG_LENGTH);
}

/** 30^8 for each tag: nobody finds links by trying, and a clash is rare. */
export function drawSlug(tag: string): string {
  return tag + draw(RANDOM_LENGTH);
}

function draw(length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += ALPHABET[randomInt(ALPHABET.length)];
  return text;
}
