/** The page of the next record, fetched ahead of going there. */
import { fetchPage } from './review-pages.ts';

/** A page that was fetched ahead is not shown when it is older. */
const FRESH_MS = 60_000;
/** It is fetched anew a little before. */
const RENEW_MS = 50_000;

export interface Ahead {
  /** Nothing where it is fetched already. */
  fetch(href: string | undefined): void;
  /** The page, where it is this one and fresh; it is given once. */
  take(href: string): Promise<Document | undefined> | undefined;
  /** Fetches anew what gets old. */
  renew(): void;
}

export function createAhead(): Ahead {
  let held: { href: string; at: number; page: Promise<Document | undefined> } | undefined;
  const age = (): number => (held ? performance.now() - held.at : 0);
  const hold = (href: string): void => {
    held = { href, at: performance.now(), page: fetchPage(href) };
  };
  return {
    fetch(href) {
      if (href !== undefined && held?.href !== href) hold(href);
    },
    take(href) {
      const page = held?.href === href && age() < FRESH_MS ? held.page : undefined;
      held = undefined;
      return page;
    },
    renew() {
      if (held && age() > RENEW_MS) hold(held.href);
    },
  };
}
