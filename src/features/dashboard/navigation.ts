/** The navigation of a person: what the role may open, in four groups. */
import type { Environment } from '../../db/scope.ts';
import { NAV_GROUPS, type Page } from '../../pages/define-page.ts';
import type { NavLink, PageFrame } from '../../pages/page.ts';
import { homeOf } from './addresses.ts';
import { isOpenIn, mayDo } from './page-context.ts';
import type { WaitingCounts } from './waiting.ts';

export interface NavOf {
  pages: readonly Page[];
  /** Whose page is open. */
  page: Page | undefined;
  slug: string;
  environment: Environment;
  rights: readonly string[];
  /** How many wait, by the names that pages ask for. */
  waiting: WaitingCounts;
}

export function navigationOf({ pages, page, slug, environment, rights, waiting }: NavOf): PageFrame['nav'] {
  const chosen = page?.nav ? page.path : page?.below;
  const home = homeOf(slug, environment);
  return [null, ...NAV_GROUPS].flatMap((group) => {
    const links = pages.flatMap((one): NavLink[] => {
      if (one.nav?.group !== group || !isOpenIn(one, environment) || !mayDo(rights, one.needs)) return [];
      const { icon, key, waiting: name } = one.nav;
      const count = name === undefined ? undefined : (waiting[name] ?? undefined);
      return [{ label: one.title, href: home + one.path, icon, here: one.path === chosen, count, key }];
    });
    return links.length > 0 ? [{ group, links }] : [];
  });
}

/** The same place in each environment: a page of one thing leads to its list, for the other has other things. */
export function switchOf(page: Page | undefined, slug: string): Readonly<Record<Environment, string>> {
  const path = page === undefined ? '' : page.path.includes(':') ? (page.below ?? '') : page.path;
  const to = (environment: Environment): string =>
    homeOf(slug, environment) + (page !== undefined && isOpenIn(page, environment) ? path : '');
  return { LIVE: to('LIVE'), SANDBOX: to('SANDBOX') };
}
