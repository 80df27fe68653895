/** The ledger: sealed, verified, and folded to balances. */
import { defineFeature } from '../../house/feature.ts';
import type { AuditOffers } from '../audit/audit-feature.ts';
import { CHECK_LEDGER, CHECK_RETRIES, createLedgerCheck, ledgerEvents } from './check-ledger.ts';
import { ledgerAudits } from './ledger-audits.ts';
import { type LedgerOffers, ledgerCommands } from './ledger-commands.ts';
import { ledgerPersonal } from './ledger-personal.ts';
import { ledgerRoutes } from './ledger-routes.ts';
import { BLOCK_JOURNALS, createLedgerService, sealJournals } from './ledger-service.ts';
import { ledgerErrors } from './open/ledger-errors.ts';
import { createVerifySeals } from './verify-seals.ts';

export const ledgerFeature = defineFeature({
  name: 'ledger',
  audits: ledgerAudits,
  personal: ledgerPersonal,
  scopes: { 'ledger:read': 'Read balances, the ledger and its verification' },
  groups: { Ledger: 'The double-entry books: balances, entries, verification' },
  errors: ledgerErrors,
  jobs: [{ name: CHECK_LEDGER, kind: 'leased', retryLimit: CHECK_RETRIES }],
  events: ledgerEvents,
  growsWith: 'lines',
  tables: ['ledger_check', 'ledger_total', 'ledger_block_entry', 'ledger_block', 'ledger_unsealed', 'posting', 'journal_entry'],
  due: { 'seal-ledger': [{ table: 'ledger_unsealed' }] },
  commands: ledgerCommands,
  open({ frames, cursors, logger, queue }, { audit }: { audit: AuditOffers }) {
    const verifySeals = createVerifySeals(audit);
    return {
      offers: { verifySeals } satisfies LedgerOffers,
      routes: ledgerRoutes(createLedgerService({ frames, cursors, verifySeals })),
      sweeps: [
        {
          name: 'seal-ledger',
          batchSize: BLOCK_JOURNALS,
          // It seals what the others have posted.
          last: true,
          run: (db, scope, limit) => sealJournals(db, scope, limit, (tx) => queue.enqueue(tx, scope, CHECK_LEDGER, {})),
        },
      ],
      handlers: [createLedgerCheck(logger)],
    };
  },
});
