/** By operation the statements that it sends, in their order. */
import { claim, read, write } from '../../support/statements/statement-row.ts';

export const STATEMENTS: Readonly<Record<string, string[]>> = {
  getOwnAccount: read('x'),
  updateOwnAccount: write(...claim),
};
