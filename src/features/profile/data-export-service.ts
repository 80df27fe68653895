/**
 * Everything that is held on a member, as one JSON document of any size. It is read page by page as it is
 * sent, each page in a transaction of its own, so neither memory nor a connection is held for a slow client.
 */
import type { Frames } from '../../db/frame.ts';
import type { Cipher } from '../../encryption.ts';
import { AppError } from '../../errors.ts';
import type { ExportedList, ExportedValue, ListedRow, Personal } from '../../house/personal.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import { holdsRight } from '../../http/rights.ts';
import { endOf } from '../../mask.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { exportMemberData, inOrder, READ_ID_NUMBERS } from './data-export-operations.ts';
import { idNumberPlace, maskIdNumber } from './open/id-number.ts';
import { exportHeadStatement } from './personal-queries.ts';

export interface DataExportService {
  operation: ReturnType<typeof exportMemberData>;
  /** The pieces of the document. USER_NOT_FOUND. */
  exportMember(context: CallContext, memberId: string): Promise<AsyncIterable<string>>;
}

const PAGE = 500;

interface Parts {
  frames: Frames;
  cipher: Cipher;
  /** What the features hold. */
  personal: readonly Personal[];
  readHistory(context: RequestContext, memberId: string): Promise<object>;
}

export function createDataExportService({ frames, cipher, personal, readHistory }: Parts): DataExportService {
  const exported = personal.flatMap((one) => one.exported ?? []);
  const lists = inOrder(exported.filter((field): field is ExportedList => 'list' in field));
  const headStatement = exportHeadStatement(exported.filter((field): field is ExportedValue => 'json' in field));

  async function* listPieces({ scope }: RequestContext, memberId: string, { name, list }: ExportedList): AsyncGenerator<string> {
    yield `,"${name}":[`;
    for (let after: readonly string[] | undefined = list.start, first = true; after; ) {
      const rows: ListedRow[] = await frames.readOnce(scope, list.page(scope, { memberId, after, count: PAGE }));
      if (rows.length > 0) yield (first ? '' : ',') + rows.map(({ json }) => json).join(',');
      first = false;
      after = rows.length === PAGE ? rows.at(-1)?.at : undefined;
    }
    yield ']';
  }

  async function* documentPieces(context: RequestContext, memberId: string, head: object): AsyncGenerator<string> {
    yield JSON.stringify(head).slice(0, -1);
    for (const list of lists) yield* listPieces(context, memberId, list);
    yield '}';
  }

  return {
    operation: exportMemberData(exported),

    async exportMember(context, memberId) {
      const { scope } = context;
      // Nobody reads it without a trace.
      const row = await frames.write(
        scope,
        async (db) => {
          const found = await db.row(headStatement(scope, { memberId }));
          if (!found) throw new AppError('USER_NOT_FOUND', 'No such member');
          await recordAudit(db, scope, {
            action: 'member_data.exported',
            by: scope.provenance,
            objectKind: 'member',
            objectId: memberId,
          });
          return found;
        },
        { repeatable: true },
      );
      const { values, idNumberSealed, givenName, surname, dateOfBirth, countryCode, address, businessName } = row;
      const opened = idNumberSealed && cipher.decrypt(idNumberSealed, idNumberPlace(scope, memberId)).toString();
      const idNumber = opened === null || holdsRight(scope, READ_ID_NUMBERS) ? opened : maskIdNumber(endOf(opened));
      const head = {
        exportedAt: new Date(),
        profile: { givenName, surname, dateOfBirth, idNumber, countryCode, address, businessName },
        history: await readHistory(context, memberId),
        ...values,
      };
      const fields = inOrder(Object.entries(head).map(([name, value]) => ({ name, value })));
      return documentPieces(context, memberId, Object.fromEntries(fields.map(({ name, value }) => [name, value])));
    },
  };
}
