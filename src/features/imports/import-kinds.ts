/** The kinds of imports: the columns of each, how its rows are read, and how they are applied. */
import type { ActingScope } from '../../actor.ts';
import type { WriteDb } from '../../db/scope.ts';
import { type Cells, type RowFault, type RowOutcome, refusalOf } from '../../documents/csv-row.ts';
import { AppError } from '../../errors.ts';
import type { EventsOffers } from '../events/events-feature.ts';
import { PURCHASE_COLUMNS, PURCHASE_REQUIRED, purchaseColumnOf, readPurchaseRow } from '../events/open/purchase-rows.ts';
import type { LeadsService } from '../leads/leads-service.ts';
import { LEAD_COLUMNS, readLeadRow } from '../leads/open/lead-rows.ts';
import { OVERRIDE_COLUMNS, overrideColumnOf, readOverrideRow } from '../rates/open/override-rows.ts';
import type { RatesOffers } from '../rates/rates-feature.ts';
import { MEMBER_COLUMNS, type MemberRow, ownCodeOf, readMemberRow } from '../users/open/member-rows.ts';
import type { UsersService } from '../users/users-service.ts';
import type { NewRow, WaitingRow } from './import-rows-queries.ts';
import type { ImportKind } from './import-run.ts';

export interface ApplyOptions {
  /** Finds faults only. What is written all the same is undone by the caller. */
  dryRun: boolean;
  /** Nothing but these rows is left. */
  last: boolean;
}

export interface KindOfImport {
  columns: readonly string[];
  required: readonly string[];
  /** Rows of one transaction. */
  batch: number;
  /** Which rows with the same names fail: all but the first, or those that say something else than the first. */
  repeated: 'fail' | 'fail if different' | 'pass';
  read(cells: Cells): Omit<NewRow, 'rowNumber'>;
  /** For the rows of one transaction. */
  open(db: WriteDb, scope: ActingScope, options: ApplyOptions): RowsToApply;
}

export interface RowsToApply {
  /** Rows of one depth. */
  apply(rows: readonly WaitingRow[]): Promise<Map<number, RowOutcome>>;
  /** Comes behind the last of them, with what is done once for all. */
  close?(): Promise<void>;
}

export interface KindDeps {
  users: Pick<UsersService, 'openRows'>;
  leads: Pick<LeadsService, 'captureWithin'>;
  batches: Pick<EventsOffers['batches'], 'recordWithin'>;
  rates: RatesOffers;
}

export type ImportKinds = Record<ImportKind, KindOfImport>;

export function createImportKinds({ users, leads, batches, rates }: KindDeps): ImportKinds {
  return {
    members: {
      columns: MEMBER_COLUMNS,
      required: ['email'],
      batch: 1_000,
      repeated: 'fail',
      read(cells) {
        const { member, faults, ...names } = readMemberRow(cells);
        return {
          ...rowOf(member, faults),
          names,
          ...(member && {
            sponsor: {
              emailNorm: member.sponsorEmail,
              externalId: member.sponsorExternalId,
              code: ownCodeOf(member.sponsorCode),
            },
          }),
        };
      },
      open(db, scope, options) {
        const members = users.openRows(db, scope, options);
        return {
          apply: (rows) =>
            members.insert(
              rows.map(({ rowNumber, fields, sponsorFailed, sponsorRecruits }) => ({
                rowNumber,
                member: fields as unknown as MemberRow,
                sponsorRow: sponsorFailed === null ? null : { failed: sponsorFailed, recruits: sponsorRecruits ?? true },
              })),
            ),
          close: members.close,
        };
      },
    },
    leads: {
      columns: LEAD_COLUMNS,
      required: ['email'],
      batch: 200,
      repeated: 'pass',
      read(cells) {
        const read = readLeadRow(cells);
        return rowOf(cells, 'faults' in read ? read.faults : []);
      },
      open: (db, scope) => ({
        async apply(rows) {
          const outcomes = new Map<number, RowOutcome>();
          for (const { rowNumber, fields } of rows) {
            const read = readLeadRow(fields as Cells);
            if ('lead' in read) await leads.captureWithin(db, scope, read.lead);
            outcomes.set(rowNumber, 'lead' in read ? 'done' : read.faults);
          }
          return outcomes;
        },
      }),
    },
    purchases: {
      columns: PURCHASE_COLUMNS,
      required: PURCHASE_REQUIRED,
      batch: 100,
      repeated: 'fail if different',
      read(cells) {
        const read = readPurchaseRow(cells);
        if ('faults' in read) return rowOf(undefined, read.faults);
        return { ...rowOf(cells, []), names: { externalId: read.purchase.externalEventId } };
      },
      open: (db, scope) => ({
        async apply(rows) {
          const outcomes = new Map<number, RowOutcome>();
          const sound = rows.flatMap(({ rowNumber, fields }) => {
            const read = readPurchaseRow(fields as Cells);
            if ('purchase' in read) return [{ rowNumber, purchase: read.purchase }];
            outcomes.set(rowNumber, read.faults);
            return [];
          });
          const results = await batches.recordWithin(
            db,
            scope,
            sound.map(({ purchase }) => purchase),
          );
          for (const [index, { rowNumber }] of sound.entries()) {
            const result = results[index];
            if (!result) throw new Error('a purchase has no outcome');
            outcomes.set(rowNumber, 'error' in result ? refusalOf(result.error, purchaseColumnOf) : 'done');
          }
          return outcomes;
        },
      }),
    },
    rate_overrides: {
      columns: OVERRIDE_COLUMNS,
      required: ['target'],
      // Sales wait for a batch.
      batch: 50,
      repeated: 'pass',
      read(cells) {
        const read = readOverrideRow(cells);
        return rowOf(cells, 'faults' in read ? read.faults : []);
      },
      open: (db, scope) => ({
        async apply(rows) {
          const outcomes = new Map<number, RowOutcome>();
          for (const { rowNumber, fields } of rows) {
            const read = readOverrideRow(fields as Cells);
            if ('faults' in read) outcomes.set(rowNumber, read.faults);
            else outcomes.set(rowNumber, await rates.agreeRow(db, scope, read.row).then(() => 'done' as const, refusedOverride));
          }
          return outcomes;
        },
      }),
    },
  };
}

function refusedOverride(error: unknown): RowFault[] {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  return refusalOf(error, overrideColumnOf);
}

function rowOf(fields: object | undefined, faults: RowFault[]): Pick<NewRow, 'fields' | 'faults'> {
  return faults.length > 0 ? { fields: undefined, faults } : { fields, faults: undefined };
}
