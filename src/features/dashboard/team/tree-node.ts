/** A member as a row of the tree has it. */
import type { z } from 'zod';
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { bareNode, listChildren } from '../../genealogy/genealogy-operations.ts';

type LevelNode = AnswerOf<typeof listChildren>['data'][number];

/** What is told of the rows of a level is not told of whoever stands above it. */
export type TreeNode = z.output<typeof bareNode> & Partial<Pick<LevelNode, 'activeDownline' | 'commissionsThisMonth'>>;

/** Of an answer that documents its nodes as a tree without an end: here none has others below it. */
export function nodesOf(path: readonly unknown[]): TreeNode[] {
  return path as TreeNode[];
}
