/**
 * Everything that is held on a member, as one JSON document of any size. It is read page by page as it is
 * sent, each page in a transaction of its own, so neither memory nor a connection is held for a slow client.
 */
import type { Frames } from '../../db/frame.ts';
import type { Cipher } from '../../encryption.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import { EXPORT_LISTS, type ExportHead, type ExportList, exportHead, type ListedRow } from './data-export-queries.ts';
import { idNumberPlace } from './id-number.ts';

export interface DataExportService {
  /** The pieces of the document. USER_NOT_FOUND. */
  exportMember(context: RequestContext, memberId: string): Promise<AsyncIterable<string>>;
}

const PAGE = 500;

interface Parts {
  frames: Frames;
  cipher: Cipher;
  readHistory(context: RequestContext, memberId: string): Promise<object>;
}

export function createDataExportService({ frames, cipher, readHistory }: Parts): DataExportService {
  async function* listPieces({ scope }: RequestContext, memberId: string, list: ExportList): AsyncGenerator<string> {
    yield `,"${list.name}":[`;
    for (let after: readonly string[] | undefined = list.start, first = true; after; ) {
      const rows: ListedRow[] = await frames.readOnce(scope, list.page(scope.tenantId, scope.environment, memberId, after, PAGE));
      if (rows.length > 0) yield (first ? '' : ',') + rows.map(({ json }) => json).join(',');
      first = false;
      after = rows.length === PAGE ? rows.at(-1)?.at : undefined;
    }
    yield ']';
  }

  async function* documentPieces(context: RequestContext, memberId: string, head: object): AsyncGenerator<string> {
    yield JSON.stringify(head).slice(0, -1);
    for (const list of EXPORT_LISTS) yield* listPieces(context, memberId, list);
    yield '}';
  }

  return {
    async exportMember(context, memberId) {
      const { scope } = context;
      const [row] = await frames.readOnce(scope, exportHead(scope.tenantId, scope.environment, memberId));
      if (!row) throw new AppError('USER_NOT_FOUND', 'No such member');
      const idNumber = row.idNumberSealed && cipher.decrypt(row.idNumberSealed, idNumberPlace(scope, memberId)).toString();
      return documentPieces(context, memberId, headOf(row, idNumber, await readHistory(context, memberId)));
    },
  };
}

function headOf(row: ExportHead, idNumber: string | null, history: object): object {
  const {
    givenName,
    surname,
    dateOfBirth,
    idNumberSealed: _sealed,
    countryCode,
    address,
    referralCodes,
    leads,
    kyc,
    ...member
  } = row;
  return {
    exportedAt: new Date(),
    member,
    profile: { givenName, surname, dateOfBirth, idNumber, countryCode, address },
    referralCodes,
    kyc,
    history,
    leads,
  };
}
