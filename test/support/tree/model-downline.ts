/**
 * What the reads of the tree must answer, plain and slow, from
 * docs/specification/hierarchy.md#reading-the-tree alone: walking the present sponsors of a ModelTree. Members
 * are positions in the order in which they joined.
 */
import type { ModelTree } from './model-tree.ts';
import type { ListedMember, ListedNode, RelationshipAnswer, Sort, TreeAnswer, TreeNode } from './tree-calls.ts';

export interface ModelMember {
  id: string;
  email: string;
  name: string | null;
  tier: string;
  joinedAt: string;
  isActive: boolean;
}

const EVER = Number.POSITIVE_INFINITY;

export class ModelDownline {
  private readonly tree: ModelTree;
  private readonly members: readonly ModelMember[];

  constructor(tree: ModelTree, members: readonly ModelMember[]) {
    this.tree = tree;
    this.members = members;
  }

  private at(member: number): ModelMember {
    const found = this.members[member];
    if (!found) throw new Error(`no member ${member}`);
    return found;
  }

  private sponsorOf(member: number): number | null {
    return this.tree.sponsorAt(member, EVER);
  }

  private recruitsOf(member: number): number[] {
    return [...this.members.keys()].filter((other) => this.sponsorOf(other) === member);
  }

  /** Nearest first, without the member. */
  private above(member: number): number[] {
    return this.tree.uplineAt(member, EVER)?.slice(1) ?? [];
  }

  private totalOf(member: number): number {
    return this.tree.downlineAt(member, EVER).length;
  }

  private nodeOf(member: number, depth: number): ListedNode {
    const { id, email, name, tier, joinedAt, isActive } = this.at(member);
    return {
      userId: id,
      email,
      name,
      givenName: null,
      surname: null,
      membershipTier: tier,
      isActive,
      depth,
      directReferrals: this.recruitsOf(member).length,
      totalDownline: this.totalOf(member),
      joinedAt,
    };
  }

  private listed(member: number, depth: number): ListedMember {
    const sponsor = this.sponsorOf(member);
    return { ...this.nodeOf(member, depth), sponsorId: sponsor === null ? null : this.at(sponsor).id };
  }

  private shownRecruits(member: number, includeInactive: boolean): number[] {
    return this.recruitsOf(member).filter((recruit) => includeInactive || this.at(recruit).isActive);
  }

  genealogy(root: number, maxDepth: number, includeInactive: boolean): TreeAnswer {
    let totalNodes = 0;
    const grow = (member: number, depth: number): TreeNode => {
      totalNodes += 1;
      const recruits = depth < maxDepth ? this.shownRecruits(member, includeInactive) : [];
      return { ...this.nodeOf(member, depth), children: recruits.map((recruit) => grow(recruit, depth + 1)) };
    };
    return { tree: grow(root, 0), meta: { maxDepth, includeInactive, totalNodes, truncated: false } };
  }

  downline(root: number, sort: Sort, includeInactive: boolean): ListedMember[] {
    const found: { member: number; depth: number; total: number }[] = [];
    const grow = (member: number, depth: number): void => {
      for (const recruit of this.shownRecruits(member, includeInactive)) {
        found.push({ member: recruit, depth: depth + 1, total: this.totalOf(recruit) });
        grow(recruit, depth + 1);
      }
    };
    grow(root, 0);
    const orders: Record<Sort, (a: (typeof found)[number], b: (typeof found)[number]) => number> = {
      joinedAt: (a, b) => a.member - b.member,
      '-joinedAt': (a, b) => b.member - a.member,
      depth: (a, b) => a.depth - b.depth || a.member - b.member,
      totalDownline: (a, b) => b.total - a.total || b.member - a.member,
    };
    return found.toSorted(orders[sort]).map(({ member, depth }) => this.listed(member, depth));
  }

  upline(member: number): ListedMember[] {
    return this.above(member).map((above, index) => this.listed(above, index + 1));
  }

  relationship(member: number, target: number): RelationshipAnswer {
    const up = [member, ...this.above(member)];
    const down = [target, ...this.above(target)];
    const meeting = up.find((above) => down.includes(above));
    if (meeting === undefined) return { connected: false, relationship: 'none', distance: 0, path: [] };
    const path = [...up.slice(0, up.indexOf(meeting) + 1), ...down.slice(0, down.indexOf(meeting)).toReversed()];
    let relationship = 'crossline';
    if (member === target) relationship = 'self';
    else if (meeting === target) relationship = 'upline';
    else if (meeting === member) relationship = 'downline';
    return {
      connected: true,
      relationship,
      distance: path.length - 1,
      path: path.map((step, index) => ({ ...this.nodeOf(step, index), children: [] })),
    };
  }
}
