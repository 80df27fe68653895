/** Takes a file in: its rows are read, checked by themselves and stored as they come; the import is queued with the last byte. */
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import type { Cells } from '../../documents/csv-row.ts';
import { AppError, invalidField, invalidFields } from '../../errors.ts';
import type { ByteStream, CallContext } from '../../http/operation.ts';
import { requireRight, type ScopeOf } from '../../http/rights.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { ImportKinds, KindOfImport } from './import-kinds.ts';
import { deleteSomeRows, insertRows, type NewRow } from './import-rows-queries.ts';
import { type ImportKind, type ImportMode, type ImportRun, RUN_IMPORT } from './import-run.ts';
import { deleteImport, insertImport, lockImport, queueImport } from './imports-queries.ts';
import { type CsvRecord, readCsv } from './read-csv.ts';

/** Of members alone: what a column brings about beside the member, by the operation whose effect it is. */
const EFFECTS_OF_COLUMNS: Readonly<Record<string, string>> = { referral_code: 'createReferralCode', group: 'addGroupMembers' };
/** Blank lines count: they are numbered too. */
const MAX_ROWS = 1_000_000;
const ROWS_A_FRAME = 1_000;
const DELETED_A_FRAME = 10_000;

export interface ReceiveDeps {
  frames: Frames;
  queue: Pick<JobQueue, 'enqueue'>;
  kinds: ImportKinds;
  scopeOf: ScopeOf;
}

export interface FileToImport {
  kind: ImportKind;
  mode: ImportMode;
  fileName?: string | undefined;
}

/** Throws VALIDATION_ERROR, with nothing left behind, when the file is not CSV with the right columns. */
export async function receiveImport(
  deps: ReceiveDeps,
  { scope, guard, shape }: CallContext,
  { kind, mode, fileName }: FileToImport,
  bytes: ByteStream,
): Promise<ImportRun> {
  const { frames, queue } = deps;
  const records = readCsv(bytes);
  const columns = readHeader(await records.next(), deps.kinds[kind]);
  for (const [column, operationId] of Object.entries(EFFECTS_OF_COLUMNS)) {
    if (kind !== 'members' || !columns.includes(column)) continue;
    requireRight(scope, deps.scopeOf(operationId), `the column ${column}`);
  }
  const file = { kind, mode, fileName: fileName ?? null, actor: scope.provenance.actor };
  const id = await frames.write(scope, (db) => insertImport(db, scope, file));
  try {
    const counts = await storeRows(frames, scope, id, readRows(records, columns, deps.kinds[kind]));
    return await frames.write(
      scope,
      async (db) => {
        const run = await queueImport(db, scope, id, { ...counts, bytes: bytes.count() });
        if (!run) throw new AppError('STATE_CONFLICT', 'The SANDBOX was erased meanwhile');
        await queue.enqueue(db, scope, RUN_IMPORT, { importId: id });
        return run;
      },
      { guard, shape },
    );
  } catch (error) {
    await discard(frames, scope, id).catch(() => undefined); // the sweep does it
    throw error;
  }
}

function readHeader({ value, done }: IteratorResult<CsvRecord, unknown>, kind: KindOfImport): string[] {
  if (done === true) throw invalidField('file', 'has no header line');
  const columns = value.cells.map((cell) => cell.trim());
  const faults = [
    ...columns.filter((name) => !kind.columns.includes(name)).map((field) => ({ field, message: 'is not a known column' })),
    ...columns
      .filter((name, index) => kind.columns.includes(name) && columns.indexOf(name) !== index)
      .map((field) => ({ field, message: 'is given more than once' })),
    ...kind.required.filter((name) => !columns.includes(name)).map((field) => ({ field, message: 'is a required column' })),
  ];
  if (faults.length > 0)
    throw invalidFields(faults.slice(0, 50).map((fault) => ({ ...fault, field: fault.field.slice(0, 100) })));
  return columns;
}

async function* readRows(records: AsyncIterable<CsvRecord>, columns: string[], kind: KindOfImport): AsyncGenerator<NewRow> {
  for await (const { rowNumber, cells } of records) {
    if (rowNumber > MAX_ROWS + 1) throw invalidField('file', `has more than ${MAX_ROWS} rows`);
    if (cells.length !== columns.length) {
      const message = `has ${cells.length} cells where the header has ${columns.length}`;
      yield { rowNumber, fields: undefined, faults: [{ field: '', message }] };
    } else {
      const filled: Cells = Object.fromEntries(
        columns.map((name, at) => [name, cells[at] ?? '']).filter(([, cell]) => cell !== ''),
      );
      yield { rowNumber, ...kind.read(filled) };
    }
  }
}

/** While one batch is being stored the next one is read. */
async function storeRows(
  frames: Frames,
  scope: Scope,
  id: string,
  rows: AsyncIterable<NewRow>,
): Promise<{ rows: number; failed: number }> {
  const counts = { rows: 0, failed: 0 };
  let batch: NewRow[] = [];
  let storing: Promise<void> = Promise.resolve();
  const store = async (): Promise<void> => {
    const full = batch;
    batch = [];
    await storing;
    storing = frames.write(scope, (db) => insertRows(db, scope, id, full), { repeatable: true });
    storing.catch(() => undefined); // awaited before the next one
  };
  try {
    for await (const row of rows) {
      batch.push(row);
      counts.rows += 1;
      if (row.faults) counts.failed += 1;
      if (batch.length === ROWS_A_FRAME) await store();
    }
    if (batch.length > 0) await store();
  } finally {
    await storing;
  }
  return counts;
}

/** Of what is still being received: where the answer to the last commit was lost, the import may be under way. */
async function discard(frames: Frames, scope: Scope, id: string): Promise<void> {
  const some = { waitingOnly: false, count: DELETED_A_FRAME };
  for (let rows = some.count; rows === some.count; ) {
    rows = await frames.write(
      scope,
      async (db) => {
        const run = await lockImport(db, scope, id);
        return run?.status === 'receiving' ? deleteSomeRows(db, scope, id, some) : 0;
      },
      { repeatable: true },
    );
  }
  await frames.write(scope, (db) => deleteImport(db, scope, id), { repeatable: true });
}
