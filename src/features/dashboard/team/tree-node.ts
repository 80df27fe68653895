/** A member as a row of the tree has it. */
import type { z } from 'zod';
import { bareNode } from '../../genealogy/genealogy-operations.ts';

export type TreeNode = z.output<typeof bareNode>;

/** Of an answer whose nodes are documented as a whole tree: each without those below it. */
export function nodesOf(path: readonly unknown[]): TreeNode[] {
  return path.map((node) => bareNode.parse(node));
}
