/** The statements of the operations of statements and tax documents. */
import { newReversal } from '../../support/statements/made-before.ts';
import { alone, type StatementRow } from '../../support/statements/statement-row.ts';

export const statementStatements: StatementRow[] = [
  [
    'listTaxDocuments',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[0]?.id}/tax-documents`),
    200,
    alone('statements_tax_years'),
  ],
  [
    'getTaxDocumentPdf of nothing',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[0]?.id}/tax-documents/1990/pdf`),
    404,
    alone('statements_tax_months'),
  ],
  [
    'getTaxDocumentPdf',
    async (world) => {
      await newReversal(world, { paid: true });
      return world.client.get(
        `/api/v1/members/${world.chain[0]?.id}/tax-documents/${new Date().getUTCFullYear()}/pdf?currency=USD`,
      );
    },
    200,
    alone('statements_tax_months'),
  ],
  [
    'getTaxDocumentCsv',
    async (world) => {
      await newReversal(world, { paid: true });
      return world.client.get(
        `/api/v1/members/${world.chain[0]?.id}/tax-documents/${new Date().getUTCFullYear()}/csv?currency=USD`,
      );
    },
    200,
    [...alone('statements_tax_months'), ...alone('statements_tax_payments')],
  ],
  ...['', '/pdf', '/csv'].map(
    (file): StatementRow => [
      `getMemberStatement${file === '' ? '' : file === '/pdf' ? 'Pdf' : 'Csv'}`,
      ({ client, chain }) =>
        client.get(`/api/v1/members/${chain[0]?.id}/statements/${new Date().toISOString().slice(0, 7)}${file}`),
      200,
      [...alone('statements_head'), ...alone('statements_entries')],
    ],
  ),
];
