/** One search over all that a caller may list. Source: docs/specification/overview.md#search. */
import type { Frames } from '../../db/frame.ts';
import type { CallContext, KeyScope } from '../../http/operation.ts';
import { holdsRight } from '../../http/rights.ts';
import { foldName, normaliseEmail, uuid } from '../../http/schemas.ts';
import { FOUND_KINDS, type Found, type FoundKind } from './found.ts';
import { SEARCHES, type Sought } from './search-queries.ts';

/** Results of one search. */
export const MOST_FOUND = 20;

/** The scope of the list of each kind. */
const SCOPE_OF: Readonly<Record<FoundKind, KeyScope>> = {
  member: 'members:read',
  event: 'events:read',
  commission: 'commissions:read',
  lead: 'leads:read',
  referral_code: 'referrals:read',
  referral_link: 'referrals:read',
  payout_run: 'payouts:read',
  payout: 'payouts:read',
  api_key: 'admin:keys',
};

export interface SearchService {
  /** What `q` names, of the kinds that the caller may list; at most MOST_FOUND. */
  search(context: CallContext, q: string): Promise<{ data: Found[]; kinds: FoundKind[] }>;
}

export function createSearchService({ frames }: { frames: Frames }): SearchService {
  return {
    async search({ scope }, q) {
      const kinds = FOUND_KINDS.filter((kind) => holdsRight(scope, SCOPE_OF[kind]));
      const sought = soughtOf(q);
      if (kinds.length === 0) return { data: [], kinds };
      const found = await frames.read(scope, (db) =>
        Promise.all(
          kinds.map(async (kind) => {
            const statement = SEARCHES[kind](scope, sought);
            return statement === null ? [] : (await db.rows(statement)).map((row) => ({ kind, ...row }));
          }),
        ),
      );
      const all: Found[] = found.flat();
      const data = [...all.filter(({ exact }) => exact), ...all.filter(({ exact }) => !exact)].slice(0, MOST_FOUND);
      return { data, kinds };
    },
  };
}

function soughtOf(q: string): Sought {
  const text = q.trim();
  const id = uuid.safeParse(text);
  const nameNorm = foldName(text.replace(/\s+/gu, ' '));
  const words = nameNorm.split(' ');
  return {
    id: id.success ? id.data : null,
    text,
    emailNorm: normaliseEmail(text),
    nameNorm,
    firstWords: words.length > 1 ? words.slice(0, -1).join(' ') : null,
    lastWord: words.length > 1 ? (words.at(-1) ?? null) : null,
    slug: /^https?:\/\/[^/]+\/(?:.*\/)?([^/?#]+)/.exec(text)?.[1] ?? text,
    most: MOST_FOUND,
  };
}
