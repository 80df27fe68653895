/** How much a statement reads: the blocks that the server touches for it, planned for what is asked. */
import type { Db, Scope } from '../../../src/db/scope.ts';
import { type Statement, sendable } from '../../../src/db/statement.ts';
import { connectInScope } from './scoped-client.ts';
import type { TestDatabase } from './test-database.ts';

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

export interface BlockReader {
  /** Runs what is asked; the blocks of each of its statements, and how many rows came of the whole. */
  blocksOf(ask: (db: Db) => Promise<readonly unknown[]>): Promise<{ blocks: number[]; found: number }>;
  end(): Promise<void>;
}

/** As the service sees the rows of one scope. */
export async function openBlockReader(database: TestDatabase, scope: Scope): Promise<BlockReader> {
  const client = await connectInScope(database, scope);
  return {
    async blocksOf(ask) {
      const blocks: number[] = [];
      const rows = async (statement: Statement<unknown>): Promise<unknown[]> => {
        const { text, values } = sendable(statement);
        const explain = { text: `explain (analyze, buffers, format json) ${text}`, values };
        await client.query(explain); // the first reads the catalog
        const [row] = (await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain)).rows;
        const plan = row?.['QUERY PLAN'][0].Plan;
        blocks.push((plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? 0));
        return (await client.query({ text, values })).rows as unknown[];
      };
      const db = { rows, row: async (statement: Statement<unknown>) => (await rows(statement))[0] } as unknown as Db;
      return { blocks, found: (await ask(db)).length };
    },
    end: () => client.end(),
  };
}
