/** What a member sees of others. Source: docs/specification/hierarchy.md#visibility. */

export const DOWNLINE_VISIBILITIES = ['full', 'masked', 'counts'] as const;
export type DownlineVisibility = (typeof DOWNLINE_VISIBILITIES)[number];

export interface Person {
  id: string;
  email: string | null;
  name: string | null;
  givenName: string | null;
  surname: string | null;
}

/** Who looks, and how much of others it sees. */
export interface Viewer {
  /** Undefined of a key, which sees all. */
  memberId: string | undefined;
  visibility: DownlineVisibility;
}

/** As the viewer may see the person: of others the first name and an initial at most, and no address. */
export function maskFor<Shown extends Person>({ memberId, visibility }: Viewer, person: Shown): Shown {
  if (visibility === 'full' || person.id === memberId) return person;
  return { ...person, email: null, name: shortName(person), givenName: null, surname: null };
}

/** 'Ada L.' of Ada King Lovelace. Of what is no name, as an address in its place, nothing. */
function shortName({ name, givenName, surname }: Person): string | null {
  const [first, ...others] = wordsOf(givenName ?? name);
  const last = wordsOf(surname).at(-1) ?? (givenName === null ? others.at(-1) : undefined);
  if (first === undefined || first.includes('@')) return null;
  const [initial] = new Intl.Segmenter().segment(last ?? '');
  return initial ? `${first} ${initial.segment.toLocaleUpperCase()}.` : first;
}

function wordsOf(text: string | null): string[] {
  return text?.split(/\s+/u).filter(Boolean) ?? [];
}
