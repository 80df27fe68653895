/**
 * The tree through time, plain and slow, from docs/specification/hierarchy.md#as-of alone: each member's
 * sponsors as dated entries, and every question answered by walking. Shares nothing with src; tests compare
 * the two.
 */
export interface ModelMove {
  member: number;
  /** A position in the list of members; null: a root. */
  sponsor: number | null;
  /** Milliseconds since 1970. */
  at: number;
}

interface Entry {
  sponsor: number | null;
  at: number;
}

export class ModelTree {
  /** Oldest first; of entries of one instant the last recorded last. */
  private readonly entries: Entry[][];

  constructor(sponsors: readonly (number | null)[]) {
    this.entries = sponsors.map((sponsor) => [{ sponsor, at: Number.NEGATIVE_INFINITY }]);
  }

  get size(): number {
    return this.entries.length;
  }

  add(sponsor: number | null): void {
    this.entries.push([{ sponsor, at: Number.NEGATIVE_INFINITY }]);
  }

  historyOf(member: number): readonly Entry[] {
    return this.entries[member] ?? [];
  }

  sponsorAt(member: number, at: number): number | null {
    return this.historyOf(member).findLast((entry) => entry.at <= at)?.sponsor ?? null;
  }

  /** The member and those above it, nearest first; undefined when the walk comes round again. */
  uplineAt(member: number, at: number): number[] | undefined {
    const upline: number[] = [];
    for (let next: number | null = member; next !== null; next = this.sponsorAt(next, at)) {
      if (upline.includes(next)) return undefined;
      upline.push(next);
    }
    return upline;
  }

  downlineAt(member: number, at: number): number[] {
    const below = [...this.entries.keys()].filter((other) => this.uplineAt(other, at)?.includes(member));
    return below.filter((other) => other !== member);
  }

  /** Every instant at which anything changes, and always. */
  instants(): number[] {
    return [...new Set(this.entries.flat().map((entry) => entry.at))].toSorted((a, b) => a - b);
  }

  hasCycle(): boolean {
    return this.instants().some((at) => [...this.entries.keys()].some((member) => this.uplineAt(member, at) === undefined));
  }

  /** Records the move, unless it would make a cycle at any instant; tells whether it did. */
  move({ member, sponsor, at }: ModelMove): boolean {
    const entries = this.entries[member];
    if (!entries) throw new Error(`no member ${member}`);
    const before = entries.findLastIndex((entry) => entry.at <= at);
    entries.splice(before + 1, 0, { sponsor, at });
    if (!this.hasCycle()) return true;
    entries.splice(before + 1, 1);
    return false;
  }
}
