/** The JSON of trees and paths, one node a piece: a large tree is sent in slices and never stands in memory twice. */
import type { z } from 'zod';
import { bareNode } from './genealogy-operations.ts';
import type { TreeMember } from './tree-member.ts';

/** What a node shows of its member. */
export function toNode(member: TreeMember): z.input<typeof bareNode> {
  const { id, email, name, givenName, surname, membershipTier, isActive, depth, directReferrals, totalDownline, joinedAt } =
    member;
  return {
    userId: id,
    email,
    name,
    givenName,
    surname,
    membershipTier,
    isActive,
    depth,
    directReferrals,
    totalDownline,
    joinedAt,
  };
}

/** The node's JSON up to its children, which the caller writes and closes with `]}`. */
function openNode(member: TreeMember): string {
  return `${JSON.stringify(bareNode.parse(toNode(member))).slice(0, -1)},"children":[`;
}

/** A tree of nested nodes, from its members with every sponsor before its recruits. The walk keeps a stack of its own, for deep trees. */
export function* treePieces(members: readonly TreeMember[]): Generator<string> {
  const [root, ...below] = members;
  if (!root) throw new Error('a tree needs a root');
  const recruits = new Map<string, TreeMember[]>();
  for (const member of below) {
    const siblings = recruits.get(member.sponsorId ?? '');
    if (siblings) siblings.push(member);
    else recruits.set(member.sponsorId ?? '', [member]);
  }
  const open: Iterator<TreeMember>[] = [[root].values()];
  let first = true;
  while (open.length > 0) {
    const next = open.at(-1)?.next();
    if (next?.done === false) {
      yield `${first ? '' : ','}${openNode(next.value)}`;
      open.push((recruits.get(next.value.id) ?? []).values());
      first = true;
    } else {
      open.pop();
      if (open.length > 0) yield ']}';
      first = false;
    }
  }
}

/** Nodes without children, separated by commas. */
export function* pathPieces(members: readonly TreeMember[]): Generator<string> {
  for (const [index, member] of members.entries()) yield `${index > 0 ? ',' : ''}${openNode(member)}]}`;
}
