/** Finds members by what somebody types: an id, the beginning of an email or of a name, or an external id. */

/** What of a member the text was found in; so is the filter called. */
export type FoundBy = 'ids' | 'email' | 'name' | 'externalId';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Where a text is looked for, in this order: the first that has one is the answer. */
export function placesOf(text: string): FoundBy[] {
  if (UUID.test(text)) return ['ids', 'externalId'];
  if (text.includes('@')) return ['email', 'externalId'];
  return ['name', 'email', 'externalId'];
}

/**
 * Asks `read` with one filter after another until somebody is found. On the pages behind the first one `by` says where it
 * was found, and only there is looked.
 */
export async function findMembers<Found extends { data: readonly unknown[] }>(
  text: string,
  read: (filter: Partial<Record<FoundBy, string>>) => Promise<Found>,
  by?: string,
): Promise<Found & { by: FoundBy }> {
  const places = placesOf(text);
  const known = places.filter((place) => place === by);
  const [first = 'name', ...others] = known.length > 0 ? known : places;
  let found = { ...(await read({ [first]: text })), by: first };
  for (const place of others) {
    if (found.data.length > 0) break;
    found = { ...(await read({ [place]: text })), by: place };
  }
  return found;
}
