/** A member as a row of the tree has it. */
import type { z } from 'zod';
import type { bareNode } from '../../genealogy/genealogy-operations.ts';

export type TreeNode = z.output<typeof bareNode>;

/** Of an answer that documents its nodes as a tree without an end: here none has others below it. */
export function nodesOf(path: readonly unknown[]): TreeNode[] {
  return path as TreeNode[];
}
