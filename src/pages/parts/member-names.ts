/** Names in the place of the ids of members, read at once for a whole page. */
import type { PageContext } from '../define-page.ts';
import { type Html, html, nothing } from '../html.ts';
import { shortId } from './id.ts';

export interface NamedMember {
  id: string;
  name: string | null;
  email: string;
}

export interface MemberNames {
  /** The name, else the email, else the shortened id. */
  text(id: string): string;
  /** The same as a link to the member, where the reader may open it. Nothing for null. */
  link(id: string | null): Html;
}

/** As many as `GET /api/v1/members?ids=` takes. */
const MOST_AT_ONCE = 100;

/**
 * Asks for the members behind `ids`, each once; `read` is given ids with commas between them and answers undefined where
 * the role may not see members. What is not found keeps its id.
 */
export async function memberNames(
  page: Pick<PageContext, 'at' | 'can'>,
  ids: Iterable<string | null | undefined>,
  read: (ids: string) => Promise<{ data: readonly NamedMember[] } | undefined>,
): Promise<MemberNames> {
  const wanted = [...new Set(ids)].filter((id): id is string => typeof id === 'string');
  const parts = Array.from({ length: Math.ceil(wanted.length / MOST_AT_ONCE) }, (_part, at) =>
    wanted.slice(at * MOST_AT_ONCE, (at + 1) * MOST_AT_ONCE),
  );
  const answers = await Promise.all(parts.map((part) => read(part.join(','))));
  return namesFrom(
    page,
    answers.flatMap((answer) => answer?.data ?? []),
  );
}

export function namesFrom(page: Pick<PageContext, 'at' | 'can'>, members: readonly NamedMember[]): MemberNames {
  const known = new Map(members.map((member) => [member.id, member.name ?? member.email]));
  const text = (id: string): string => known.get(id) ?? shortId(id);
  return {
    text,
    link(id) {
      if (id === null) return nothing;
      return page.can('members:read') ? html`<a href="${page.at(`/members/${id}`)}">${text(id)}</a>` : html`${text(id)}`;
    },
  };
}
