/** A run's payouts as CSV, read page by page as they are sent; bank details leave this service here and nowhere else. */
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import { type CsvCell, csvPieces, textCell, valueCell } from '../../../documents/csv.ts';
import type { Cipher } from '../../../encryption.ts';
import { AppError } from '../../../errors.ts';
import type { CallContext } from '../../../http/operation.ts';
import { toMajorText } from '../../../money.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { openBankDetails } from '../methods/bank-details.ts';
import type { BankDetails } from '../methods/payout-methods.ts';
import type { PayoutFreeze } from '../reconcile/freeze.ts';
import { type ExportedPayout, exportPageStatement, findRunToExport } from './run-csv-queries.ts';

export interface RunCsvService {
  /** The pieces of the file. NOT_FOUND. */
  exportRun(context: CallContext, runId: string): Promise<AsyncIterable<string>>;
}

const PAGE = 200;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

const PLAIN_COLUMNS = [
  'payoutId',
  'userId',
  'name',
  'email',
  'status',
  'amount',
  'currency',
  'provider',
  'accountId',
  'methodType',
  'country',
  'reference',
  'failureCode',
  'paidAt',
];

/** Keys of bank details that many methods have. */
const BANK_COLUMNS = [
  'accountHolderName',
  'iban',
  'swiftCode',
  'accountNumber',
  'routingNumber',
  'sortCode',
  'bankCode',
  'branchCode',
  'accountType',
];

export function createRunCsvService({
  frames,
  cipher,
  freeze,
}: {
  frames: Frames;
  cipher: Cipher;
  freeze: Pick<PayoutFreeze, 'refuse'>;
}): RunCsvService {
  function openDetails(scope: Scope, { accountId, bankSealed }: ExportedPayout): BankDetails {
    return bankSealed === null ? {} : openBankDetails(cipher, scope, accountId, bankSealed);
  }

  async function* pages(scope: Scope, runId: string): AsyncGenerator<CsvCell[][]> {
    for (let after: string | undefined = LOWEST_ID; after !== undefined; ) {
      const rows: ExportedPayout[] = await frames.readOnce(scope, exportPageStatement(scope, runId, after, PAGE));
      yield rows.map((row) => {
        // Before that it may still be cancelled, and would be paid twice.
        return [...plainCells(row), ...bankCells(row.status === 'processing' ? openDetails(scope, row) : {})];
      });
      after = rows.length === PAGE ? rows.at(-1)?.id : undefined;
    }
  }

  return {
    async exportRun({ scope, guard, shape }, runId) {
      await frames.write(
        scope,
        async (db) => {
          const found = await findRunToExport(db, scope, runId);
          if (!found) throw new AppError('NOT_FOUND', 'No such payout run');
          await freeze.refuse(db);
          await recordAudit(db, scope, {
            action: 'payout_run.exported',
            by: scope.provenance,
            objectKind: 'payout_run',
            objectId: runId,
            details: { status: found.status },
          });
          return found;
        },
        { guard, shape },
      );
      return csvPieces([...PLAIN_COLUMNS, ...BANK_COLUMNS, 'otherDetails'], pages(scope, runId));
    },
  };
}

function plainCells(row: ExportedPayout): CsvCell[] {
  return [
    valueCell(row.id),
    valueCell(row.memberId),
    textCell(row.name),
    textCell(row.email),
    valueCell(row.status),
    valueCell(toMajorText(row.amountMinor, row.currency)),
    valueCell(row.currency),
    valueCell(row.providerType),
    valueCell(row.accountId),
    valueCell(row.methodType),
    valueCell(row.country),
    textCell(row.reference),
    textCell(row.failureCode),
    valueCell(row.paidAt?.toISOString() ?? ''),
  ];
}

function bankCells(details: BankDetails): CsvCell[] {
  const others = Object.entries(details).filter(([key]) => !BANK_COLUMNS.includes(key));
  return [
    ...BANK_COLUMNS.map((key) => textCell(details[key] ?? null)),
    textCell(others.map(([key, value]) => `${key}: ${value}`).join('; ')),
  ];
}
