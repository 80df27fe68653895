/**
 * Slugs of links: a tag, which tells whose the link is, and random characters. Lower case letters and digits
 * that are not mistaken for each other when they are typed from paper.
 */
import { randomInt } from 'node:crypto';

const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';
const TAG_LENGTH = 4;
const RANDOM_LENGTH = 8;

/** What a slug looks like; a path that is none need not be looked up. */
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
