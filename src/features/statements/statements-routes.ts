import { savedAs } from '../../http/operation.ts';
import { type Route, route } from '../../http/route.ts';
import { minorSum } from '../../money.ts';
import { getMemberStatement, getMemberStatementCsv, getMemberStatementPdf } from './statements-operations.ts';
import type { StatementsService } from './statements-service.ts';
import { getTaxDocumentCsv, getTaxDocumentPdf, listTaxDocuments } from './tax-documents-operations.ts';
import type { TaxDocumentsService } from './tax-documents-service.ts';

interface Services {
  statements: StatementsService;
  taxDocuments: TaxDocumentsService;
}

export function statementsRoutes({ statements, taxDocuments }: Services): Route[] {
  return [
    route(
      listTaxDocuments,
      ({ params, query, ...context }) => taxDocuments.listYears(context, params.userId, query.currency),
      ({ data, timeZone }) => ({
        status: 200,
        body: { data: data.map((row) => ({ ...row, ...minorSum('totalPaidMinor', row.totalPaidMinor) })), timeZone },
      }),
    ),
    route(
      getTaxDocumentPdf,
      async ({ params: { userId, year }, query, ...context }) => ({
        name: `payments-${year}.pdf`,
        bytes: await taxDocuments.makePdf(context, userId, { year, currency: query.currency }),
      }),
      ({ name, bytes }) => ({ status: 200, bytes, headers: savedAs(name) }),
    ),
    route(
      getTaxDocumentCsv,
      async ({ params: { userId, year }, query, ...context }) => ({
        name: `payments-${year}.csv`,
        pieces: await taxDocuments.makeCsv(context, userId, { year, currency: query.currency }),
      }),
      ({ name, pieces }) => ({ status: 200, pieces, headers: savedAs(name) }),
    ),
    route(
      getMemberStatement,
      ({ params, query, ...context }) => statements.makeJson(context, params.userId, { ...params, ...query }),
      (pieces) => ({ status: 200, pieces }),
    ),
    route(
      getMemberStatementPdf,
      async ({ params, query, ...context }) => ({
        name: `statement-${params.period}.pdf`,
        bytes: await statements.makePdf(context, params.userId, { ...params, ...query }),
      }),
      ({ name, bytes }) => ({ status: 200, bytes, headers: savedAs(name) }),
    ),
    route(
      getMemberStatementCsv,
      async ({ params, query, ...context }) => ({
        name: `statement-${params.period}.csv`,
        pieces: await statements.makeCsv(context, params.userId, { ...params, ...query }),
      }),
      ({ name, pieces }) => ({ status: 200, pieces, headers: savedAs(name) }),
    ),
  ];
}
