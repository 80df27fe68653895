/** The access matrix of a SANDBOX's clock and its reset. */
import type { MatrixRow } from '../../support/matrix/matrix-row.ts';

export const sandboxRows: Record<string, MatrixRow> = {
  getSandboxClock: { request: () => ({}), status: 200, references: [], sandboxOnly: true },
  moveSandboxClock: {
    request: () => ({ body: { advanceSeconds: 1 } }),
    status: 200,
    references: [],
    sandboxOnly: true,
    ownWorld: true,
    async restore({ app }, { tenantId }) {
      await app.database.asSuperuser('delete from sandbox_clock where tenant_id = $1', [tenantId]);
    },
  },
  resetSandbox: { request: () => ({ body: {} }), status: 200, references: [], sandboxOnly: true, ownWorld: true },
};
