/**
 * Before the rows of an import are applied: who is named twice in the file fails, and of members it is found out
 * whose sponsor is in which row, and how deep. What is found is kept in typed arrays: a few bytes a row. A run that
 * breaks off is begun anew and comes to the same: rows that it failed are still links of their circle.
 */
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import type { RowFault } from '../../documents/csv-row.ts';
import { faultPoint } from '../../fault-points.ts';
import type { KindOfImport } from './import-kinds.ts';
import { failRows } from './import-rows-queries.ts';
import type { LockedImport } from './imports-queries.ts';
import { advanceImport, lockImport } from './imports-queries.ts';
import { forgetNamesOfFailed, type Link, lastRowNumber, linkPage, linkRows } from './link-rows-queries.ts';

const PAGE = 5_000;
export const LINKED = 'linked';

/** By row number; 0 for none. */
interface Found {
  sponsor: Int32Array;
  sponsorRecruits: Uint8Array;
  firstByEmail: Int32Array;
  firstByExternalId: Int32Array;
  firstByCode: Int32Array;
}

/** `isOn` tells whether the work is still wanted. */
export async function linkImport(
  frames: Frames,
  scope: Scope,
  run: LockedImport,
  kind: KindOfImport,
  isOn: () => boolean,
): Promise<void> {
  if (kind.repeated !== 'pass') {
    const found = await findLinks(frames, scope, run, kind);
    const { depth, inCircle } = measureDepths(found.sponsor);
    for (let from = 0; from < depth.length && isOn(); from += PAGE) {
      const numbers = Array.from({ length: Math.min(PAGE, depth.length - from) }, (_, index) => from + index);
      const links = numbers.flatMap((rowNumber) => linkOf(rowNumber, found, depth[rowNumber] ?? 0));
      if (links.length > 0) {
        await frames.write(scope, (db) => linkRows(db, scope, run.id, links), { repeatable: true });
      }
    }
    await faultPoint('import:linked');
    for (let from = 0; from < depth.length && isOn(); from += PAGE) {
      const numbers = Array.from({ length: Math.min(PAGE, depth.length - from) }, (_, index) => from + index);
      const failed = numbers.flatMap((rowNumber) => {
        const faults = faultsOf(rowNumber, found, inCircle, kind);
        return faults.length > 0 ? [{ rowNumber, faults }] : [];
      });
      if (failed.length > 0) await failLinked(frames, scope, run.id, failed);
    }
  }
  if (!isOn()) return;
  await frames.write(
    scope,
    async (db) => {
      await forgetNamesOfFailed(db, scope, run.id);
      await advanceImport(db, scope, run.id, { step: LINKED });
    },
    { repeatable: true },
  );
}

async function failLinked(
  frames: Frames,
  scope: Scope,
  id: string,
  failed: { rowNumber: number; faults: RowFault[] }[],
): Promise<void> {
  await frames.write(
    scope,
    async (db) => {
      await lockImport(db, scope, id);
      // A run that breaks off here must find the names again; they go with the last step.
      await advanceImport(db, scope, id, { failed: await failRows(db, scope, id, failed, { keepNames: true }) });
    },
    { repeatable: true },
  );
}

async function findLinks(frames: Frames, scope: Scope, { id }: LockedImport, { repeated }: KindOfImport): Promise<Found> {
  const size = 1 + (await frames.read(scope, (db) => lastRowNumber(db, scope, id)));
  const found: Found = {
    sponsor: new Int32Array(size),
    sponsorRecruits: new Uint8Array(size),
    firstByEmail: new Int32Array(size),
    firstByExternalId: new Int32Array(size),
    firstByCode: new Int32Array(size),
  };
  for (let after = 0; ; ) {
    const rows = await frames.read(scope, (db) => linkPage(db, scope, id, after, PAGE));
    for (const row of rows) {
      found.sponsor[row.rowNumber] = row.sponsorRow ?? 0;
      found.sponsorRecruits[row.rowNumber] = Number(row.sponsorRecruits ?? true);
      if (repeated === 'fail if different' && row.differs !== true) continue;
      found.firstByEmail[row.rowNumber] = row.firstByEmail ?? 0;
      found.firstByExternalId[row.rowNumber] = row.firstByExternalId ?? 0;
      found.firstByCode[row.rowNumber] = row.firstByCode ?? 0;
    }
    const last = rows.at(-1);
    if (rows.length < PAGE || !last) return found;
    after = last.rowNumber;
  }
}

/**
 * How many rows each row is below one whose sponsor is in no row; those that are in a circle count as such. Each row
 * is walked over once.
 */
export function measureDepths(sponsor: Int32Array): { depth: Int32Array; inCircle: Uint8Array } {
  const depth = new Int32Array(sponsor.length).fill(-1);
  const inCircle = new Uint8Array(sponsor.length);
  const walk = new Int32Array(sponsor.length);
  for (let start = 1; start < sponsor.length; start++) {
    const path: number[] = [];
    let row = start;
    while (row !== 0 && depth[row] === -1 && walk[row] !== start) {
      walk[row] = start;
      path.push(row);
      row = sponsor[row] ?? 0;
    }
    if (row !== 0 && depth[row] === -1) {
      for (let member = path.pop(); member !== undefined; member = path.pop()) {
        inCircle[member] = 1;
        depth[member] = 0;
        if (member === row) break;
      }
    }
    for (let next = path.pop(); next !== undefined; next = path.pop()) {
      const above = sponsor[next] ?? 0;
      depth[next] = above === 0 ? 0 : (depth[above] ?? 0) + 1;
    }
  }
  return { depth, inCircle };
}

function linkOf(rowNumber: number, { sponsor, sponsorRecruits }: Found, depth: number): Link[] {
  const sponsorRow = sponsor[rowNumber] ?? 0;
  return sponsorRow === 0 ? [] : [{ rowNumber, sponsorRow, sponsorRecruits: sponsorRecruits[rowNumber] === 1, depth }];
}

function faultsOf(rowNumber: number, found: Found, inCircle: Uint8Array, { repeated }: KindOfImport): RowFault[] {
  const byEmail = found.firstByEmail[rowNumber] ?? 0;
  const byExternalId = found.firstByExternalId[rowNumber] ?? 0;
  const byCode = found.firstByCode[rowNumber] ?? 0;
  const faults: RowFault[] = [];
  if (byEmail > 0)
    faults.push({ field: 'email', code: 'EMAIL_EXISTS', message: `Row ${byEmail} of this file has the same email` });
  if (byExternalId > 0) {
    faults.push(
      repeated === 'fail'
        ? {
            field: 'external_id',
            code: 'EXTERNAL_ID_EXISTS',
            message: `Row ${byExternalId} of this file has the same external_id`,
          }
        : {
            field: 'external_event_id',
            code: 'EVENT_ID_REUSED',
            message: `Row ${byExternalId} of this file has the same external_event_id and other content`,
          },
    );
  }
  if (byCode > 0) {
    faults.push({ field: 'referral_code', code: 'CODE_TAKEN', message: `Row ${byCode} of this file has the same referral_code` });
  }
  if (inCircle[rowNumber] === 1) {
    faults.push({ field: '', code: 'CYCLE_DETECTED', message: 'The sponsors of this file lead back to the row itself' });
  }
  return faults;
}
