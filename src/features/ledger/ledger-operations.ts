/** The public contract of the Ledger group: docs/specification/commissions.md#the-ledger. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelPaging, pageQuery } from '../../http/pagination.ts';
import { currency, instant, minorSumOut, queryInteger, timestamp, uuid } from '../../http/schemas.ts';
import { AUDIT_FAULT_KINDS } from '../audit/open/audit-faults.ts';
import { FAULT_KINDS } from './verify-faults.ts';

const blockHash = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
  .transform((value) => value.toLowerCase())
  .optional();
const hashOf = (parameter: string) =>
  blockHash.meta({
    override: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
    description: `The hash that block \`${parameter}\` must have`,
  });

const faultKind = z.enum(FAULT_KINDS).meta({
  id: 'LedgerFaultKind',
  description:
    '`JOURNAL_ALTERED`, `JOURNAL_MISSING`, `ENTRY_MISSING`, `BLOCK_ALTERED`: what is sealed was changed or taken away; `JOURNAL_UNSEALED_LOST`: neither sealed nor waiting to be; `CHAIN_BROKEN`: a block is gone or does not follow the one before; `UNBALANCED`: postings that do not sum to zero; `LINES_DISAGREE`: commissions and postings differ',
});

const sealedHead = z
  .object({ seq: z.int(), hash: z.string().meta({ description: 'Hexadecimal' }) })
  .nullable()
  .meta({ description: 'The last block' });

const asOf = instant
  .optional()
  .meta({ description: 'Counts what was recorded by then, to the millisecond; default, and at most, the present' });

export const ledgerFault = z.object({
  kind: faultKind,
  journalId: uuid.optional().meta({ description: 'The journal' }),
  blockSeq: z.int().optional().meta({ description: 'The block, where it is one' }),
  message: z.string().meta({ description: 'In words' }),
});

export const verifyLedgerOperation = defineOperation({
  method: 'get',
  path: '/api/v1/admin/ledger/verify',
  operationId: 'verifyLedger',
  group: 'Ledger',
  summary: 'Verify the sealed ledger and the audit log',
  description:
    'Computes every hash of the sealed ledger anew from the rows it was made of, follows the chain of blocks, and compares journals with commission lines. `auditLog` tells the same of the audit log. `ok` is true when nothing is wrong with either. Keep `head` somewhere else: with `fromSeq` and `expectedHash` a later verification proves that the ledger still continues it, with `auditFromSeq` and `auditExpectedHash` that the audit log does.',
  scope: 'ledger:read',
  query: z
    .strictObject({
      mode: z.enum(['whole', 'routine']).default('whole').meta({
        description:
          '`whole`: everything, or from `fromSeq`; `routine`: the ledger from the last block that the daily check has found sound, the whole where it has found none',
      }),
      fromSeq: queryInteger(1, 999_999_999)
        .optional()
        .meta({ description: 'Verifies this block, those after it and their journals; default all' }),
      expectedHash: hashOf('fromSeq'),
      auditFromSeq: queryInteger(1, 999_999_999)
        .optional()
        .meta({ description: 'Verifies this block of the audit log, those after it and their entries; default all' }),
      auditExpectedHash: hashOf('auditFromSeq'),
    })
    .refine((query) => query.mode === 'whole' || query.fromSeq === undefined, {
      path: ['mode'],
      message: 'must be whole where fromSeq is given',
    })
    .refine((query) => query.expectedHash === undefined || query.fromSeq !== undefined, {
      path: ['fromSeq'],
      message: 'must name the block of expectedHash',
    })
    .refine((query) => query.auditExpectedHash === undefined || query.auditFromSeq !== undefined, {
      path: ['auditFromSeq'],
      message: 'must name the block of auditExpectedHash',
    }),
  success: [{ status: 200, meaning: 'Both were verified; `ok` tells whether they are whole' }],
  response: z
    .object({
      ok: z.boolean().meta({ description: 'Whether nothing is wrong' }),
      fromSeq: z.int().nullable().meta({ description: 'The block of the ledger that it began at; null: the whole was verified' }),
      lastCheck: z
        .object({
          seq: z.int().meta({ description: 'The last block that it has found sound' }),
          checkedAt: timestamp.meta({ description: 'When' }),
          wholeAt: timestamp.meta({ description: 'When the whole ledger was checked last' }),
        })
        .nullable()
        .meta({ description: 'What the daily check has found sound; null before the first' }),
      blocks: z.int().meta({ description: 'Sealed blocks checked' }),
      journals: z.int().meta({ description: 'Journals checked, sealed or not' }),
      postings: z.int().meta({ description: 'Postings checked' }),
      unsealed: z.int().meta({ description: 'Journals among them that no block holds yet: they have no hash to check' }),
      head: sealedHead,
      faults: z.array(ledgerFault).meta({ description: 'What is wrong; empty in a whole ledger' }),
      faultsTruncated: z.boolean().meta({ description: 'Whether there are more than the 100 shown' }),
      auditLog: z
        .object({
          ok: z.boolean().meta({ description: 'Whether nothing is wrong' }),
          blocks: z.int().meta({ description: 'Sealed blocks checked' }),
          entries: z.int().meta({ description: 'Entries checked, sealed or not' }),
          unsealed: z.int().meta({ description: 'Entries among them that no block holds yet' }),
          head: sealedHead,
          dropped: z
            .object({
              seq: z.int().meta({ description: 'Number of the block' }),
              hash: z.string().meta({ description: 'Hexadecimal' }),
              entries: z.int().meta({ description: 'Number of entries' }),
              until: timestamp.meta({ description: 'When the newest of them was written' }),
            })
            .nullable()
            .meta({ description: 'What the deployment keeps no longer: up to which block, and how many entries' }),
          faults: z.array(
            z.object({
              kind: z.enum(AUDIT_FAULT_KINDS).meta({
                description:
                  '`ENTRY_ALTERED`, `ENTRY_MISSING`, `BLOCK_ALTERED`: what is sealed was changed or taken away; `ENTRY_UNSEALED_LOST`: neither sealed nor waiting to be; `BLOCK_INCOMPLETE`: not as many entries as it says; `CHAIN_BROKEN`: a block is gone or does not follow the one before; `HEAD_FORGED`: the signature of the last block is none of ours',
              }),
              entryId: uuid.optional().meta({ description: 'The entry, where it is one' }),
              blockSeq: z.int().optional().meta({ description: 'The block, where it is one' }),
              message: z.string().meta({ description: 'In words' }),
            }),
          ),
          faultsTruncated: z.boolean().meta({ description: 'Whether there are more faults than shown' }),
        })
        .meta({ description: 'The audit log, which is sealed likewise' }),
    })
    .meta({ id: 'LedgerVerification' }),
  errors: [],
});

export const getTrialBalance = defineOperation({
  method: 'get',
  path: '/api/v1/admin/ledger/trial-balance',
  operationId: 'getTrialBalance',
  group: 'Ledger',
  summary: 'Balances of all ledger accounts',
  description: "Members' accounts are summed by kind. The accounts of a currency sum to 0.",
  scope: 'ledger:read',
  query: z.strictObject({ asOf, currency: currency.optional().meta({ description: 'Default all' }) }),
  success: [{ status: 200, meaning: 'The balances' }],
  response: z
    .object({
      asOf: timestamp.meta({ description: 'The instant that the answer is of' }),
      accounts: z.array(
        z.object({
          account: z.string().meta({ description: '`company:commission_expense`, `member:pending`, …' }),
          currency,
          ...minorSumOut('balanceMinor'),
          postings: z.int().meta({ description: 'Number of postings' }),
        }),
      ),
      totals: z.array(z.object({ currency, ...minorSumOut('balanceMinor', '0 in a whole ledger') })),
    })
    .meta({ id: 'TrialBalance' }),
  csv: {
    fileName: 'trial-balance.csv',
    columns: ['asOf', 'account', 'currency', 'balanceMinor', 'postings'],
    rowsOf: ({ asOf, accounts }) => (accounts as object[]).map((account) => ({ asOf, ...account })),
  },
  errors: [],
});

export const getMemberBalances = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/balances',
  operationId: 'getMemberBalances',
  group: 'Ledger',
  summary: "A member's balances",
  description: 'Folds of the ledger, by currency: the default currency of the tenant always, others when there are postings.',
  scope: 'ledger:read',
  member: 'self',
  params: z.strictObject({ userId: uuid }),
  query: z.strictObject({ asOf }),
  success: [{ status: 200, meaning: 'The balances' }],
  response: z
    .object({
      userId: uuid.meta({ description: 'The member' }),
      asOf: timestamp.meta({ description: 'The instant that the answer is of' }),
      balances: z.array(
        z.object({
          currency,
          ...minorSumOut('pendingMinor'),
          ...minorSumOut('clearedMinor'),
          ...minorSumOut('processingMinor'),
          ...minorSumOut('paidMinor'),
          ...minorSumOut('totalMinor', 'The sum of the four'),
          ...minorSumOut('owedMinor', 'How far `clearedMinor` is below zero, else 0'),
        }),
      ),
    })
    .meta({ id: 'MemberBalances' }),
  errors: ['USER_NOT_FOUND'],
});

export const listMemberLedger = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/ledger',
  operationId: 'listMemberLedger',
  group: 'Ledger',
  summary: "A member's ledger entries, oldest first",
  description: 'In one currency, each with the balances after it; after the last entry they are the present balances.',
  scope: 'ledger:read',
  member: 'self',
  params: z.strictObject({ userId: uuid }),
  query: z.strictObject({
    currency: currency.optional().meta({ description: "The amounts in this currency; default the tenant's" }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: z.object({
    data: z.array(
      z
        .object({
          journalId: uuid.meta({ description: 'The journal' }),
          seq: z.int().meta({ description: 'Of the posting in its journal' }),
          causeType: z.string().meta({ description: 'What the journal was posted for: `event`, `clearing`, …' }),
          causeId: uuid.meta({ description: 'Id of what it was posted for' }),
          account: z
            .enum(['pending', 'cleared', 'processing', 'paid'])
            .meta({ description: "The member's account: `pending`: earned; `cleared`: due; `processing`: being paid; `paid`" }),
          ...minorSumOut('amountMinor'),
          currency,
          occurredAt: timestamp.meta({ description: 'When it took place' }),
          recordedAt: timestamp.meta({ description: 'When the service recorded it' }),
          ...minorSumOut('accountBalanceMinor', 'Of this account, after this entry'),
          ...minorSumOut('totalBalanceMinor', 'Of all four accounts, after this entry'),
        })
        .meta({ id: 'MemberLedgerEntry' }),
    ),
    ...camelPaging,
  }),
  csv: {
    fileName: 'ledger.csv',
    columns: [
      'journalId',
      'seq',
      'causeType',
      'causeId',
      'account',
      'amountMinor',
      'currency',
      'occurredAt',
      'recordedAt',
      'accountBalanceMinor',
      'totalBalanceMinor',
    ],
  },
  errors: ['USER_NOT_FOUND'],
});
