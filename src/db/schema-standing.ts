/** How the migrations of a database stand to those that this code has. Source: docs/specification/reliability.md#schema-standing. */

/** `old` is also a database without any. */
export type Standing =
  | { kind: 'current' | 'old' | 'newer'; missing: string[]; unknown: string[] }
  | { kind: 'refused'; fault: string };

/** `needed` are the migrations that code must know to run on the schema. */
export function standingOf(known: readonly string[], applied: readonly string[], needed: readonly string[]): Standing {
  const missing = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name)).toSorted();
  const beyond = needed.filter((name) => !known.includes(name)).toSorted();
  if (beyond.length > 0) {
    return {
      kind: 'refused',
      fault: `the database schema needs newer code than this release: it has ${beyond.join(', ')}; run the release that brought it, or a later one`,
    };
  }
  if (missing.length > 0 && unknown.length > 0) {
    return {
      kind: 'refused',
      fault: `the database schema is of another line of releases: it has ${unknown.join(', ')}, which this release does not know, and lacks ${missing.join(', ')}; run a release that has both`,
    };
  }
  if (missing.length > 0) return { kind: 'old', missing, unknown };
  return { kind: unknown.length > 0 ? 'newer' : 'current', missing, unknown };
}

/** For the operator who migrates. */
export function tellNewer(unknown: readonly string[]): string {
  const count = unknown.length === 1 ? '1 migration' : `${unknown.length} migrations`;
  return `the schema is newer (${count} that this release does not know, the last ${unknown.at(-1)}); nothing to do`;
}
