/** One service for all browser tests of a run, with a tenant whose story they know and a person of every role. */
import { inject } from 'vitest';
import { makeShopWorld, type PageTenant, type ShopWorld } from '../../support/pages/shop-world.ts';

let kept: Promise<ShopWorld> | undefined;

/** The same for all files of the suite; in a run of many suites, whose files share one database that is emptied, anew. */
export function openWorld(): Promise<ShopWorld> {
  if (inject('sharesApp') === true) return makeShopWorld();
  kept ??= makeShopWorld();
  return kept;
}

/** The address of a page. */
export function pageAt(
  { origin }: Pick<ShopWorld, 'origin'>,
  { slug }: Pick<PageTenant, 'slug'>,
  path: string,
  environment = 'live',
): string {
  return `${origin}/dashboard/${slug}/${environment}${path}`;
}
