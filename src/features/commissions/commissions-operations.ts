/** The public contract of commission lines: docs/specification/commissions.md#states. */

import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { amountMinorOut, currency, instant, namedActor, queryInteger, text, timestamp, uuid } from '../../http/schemas.ts';
import { ledgerErrors } from '../ledger/open/ledger-errors.ts';
import { holdCause, lineKind, lineStatus, paySource } from './open/line-schemas.ts';

const signedMinorOut = z.int().meta({ description: 'Minor units; negative for what takes back' });

export const commissionResource = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    userId: uuid.meta({ description: 'The member it belongs to' }),
    eventId: uuid.meta({ description: 'The event that made it' }),
    externalEventId: z.string().meta({ description: "The event's id in the tenant's system" }),
    kind: lineKind,
    source: z
      .enum(['sales', 'subscription', 'manual'])
      .meta({ description: '`sales`: a single sale; `subscription`: one of a subscription; `manual`: granted by hand' }),
    level: z.int().meta({ description: 'Real distance from the sale; 0 for a manual commission' }),
    paidLevel: z.int().meta({ description: 'Level that the plan pays, after compression' }),
    rateBps: z.int().meta({ description: 'Rate in basis points: 1000 is 10 %; 0 of a flat sum' }),
    flatMinor: amountMinorOut.nullable(),
    multiplierMilli: z.int().meta({ description: "Multiplier of the member's tier in thousandths" }),
    baseMinor: amountMinorOut,
    amountMinor: signedMinorOut.meta({ description: 'Minor units' }),
    currency,
    sourceAmountMinor: signedMinorOut.nullable().meta({ description: 'Before conversion; null when it was not converted' }),
    sourceCurrency: currency.nullable(),
    exchangeRateId: uuid.nullable().meta({ description: 'Rate that it was converted by; null: not converted' }),
    cappedMinor: amountMinorOut,
    cap: z.string().nullable().meta({ description: 'Name of the cap that cut it; null: none' }),
    status: lineStatus,
    holdCause: holdCause.nullable(),
    holdReason: z.string().nullable().meta({ description: 'As whoever put it on hold wrote; null for a bearer token' }),
    clearsAt: timestamp.meta({ description: 'When the holding time ends' }),
    occurredAt: timestamp.meta({ description: 'Of the sale, also for what takes it back' }),
    createdAt: timestamp.meta({ description: 'When it was made' }),
    paySource: paySource
      .nullable()
      .meta({ description: 'What the rate is of; null of plans that have but levels, and of lines that no sale made' }),
    planVersionId: uuid.nullable().meta({ description: 'Version of the plan that paid it; null: none' }),
    reversesCommissionId: uuid.nullable().meta({ description: 'The line that it takes back; null: none' }),
    aboutEventId: uuid.nullable().meta({ description: 'The sale that it tops up; null: none' }),
  })
  .meta({ id: 'Commission' });

export type CommissionAnswer = z.input<typeof commissionResource>;

const COMMISSION_COLUMNS = [
  'id',
  'userId',
  'eventId',
  'externalEventId',
  'kind',
  'source',
  'level',
  'paidLevel',
  'rateBps',
  'flatMinor',
  'multiplierMilli',
  'baseMinor',
  'amountMinor',
  'currency',
  'sourceAmountMinor',
  'sourceCurrency',
  'exchangeRateId',
  'cappedMinor',
  'cap',
  'status',
  'holdCause',
  'holdReason',
  'clearsAt',
  'occurredAt',
  'createdAt',
  'paySource',
  'planVersionId',
  'reversesCommissionId',
  'aboutEventId',
];

export const listCommissions = defineOperation({
  method: 'get',
  path: '/api/v1/commissions',
  operationId: 'listCommissions',
  group: 'Commissions',
  summary: 'List commission lines, oldest first unless sorted',
  scope: 'commissions:read',
  member: 'own',
  query: z.strictObject({
    userId: uuid.optional().meta({ description: 'The member' }),
    eventId: uuid.optional().meta({ description: 'The event that made it' }),
    status: lineStatus.optional().meta({ description: 'Lines in this status' }),
    kind: lineKind.optional().meta({ description: 'Lines of this kind' }),
    level: queryInteger(0, 256).optional().meta({ description: 'Level above the sale: 1 is the credited member' }),
    currency: currency.optional(),
    period: z
      .string()
      .regex(/^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])$/, 'must be YYYY-MM')
      .optional()
      .meta({ description: "Month of the sale in the tenant's zone, YYYY-MM" }),
    createdFrom: instant.optional().meta({ description: 'Made at this instant or later' }),
    createdTo: instant.optional().meta({ description: 'Made before this instant' }),
    sort: z.enum(['createdAt', '-createdAt', 'amount', '-amount']).optional().meta({
      description:
        '`createdAt`, `amount`: the oldest or smallest first; `-createdAt`, `-amount`: the newest or largest. By amount in minor units, whatever the currency',
    }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(commissionResource),
  csv: { fileName: 'commissions.csv', columns: COMMISSION_COLUMNS },
  errors: [],
});

const params = z.strictObject({ commissionId: uuid });

export const getCommission = defineOperation({
  method: 'get',
  path: '/api/v1/commissions/{commissionId}',
  operationId: 'getCommission',
  group: 'Commissions',
  summary: 'Read a commission line',
  scope: 'commissions:read',
  member: 'own',
  params,
  success: [{ status: 200, meaning: 'The line' }],
  response: commissionResource,
  errors: ['NOT_FOUND'],
});

const paidPart = z
  .object({
    baseMinor: amountMinorOut.meta({ description: 'What of the base it pays for' }),
    rateBps: z.int().meta({ description: 'Rate in basis points: 1000 is 10 %; 0 of a flat sum' }),
    flatMinor: amountMinorOut.nullable().meta({ description: 'For all pieces, or for the sale; null: a rate' }),
    units: z.int().nullable().meta({ description: 'Pieces that the flat sum is for; null: one for the sale, or a rate' }),
    multiplierMilli: z.int().meta({ description: 'Multiplier in thousandths: 1000 of what was agreed' }),
  })
  .meta({ id: 'PaidPart' });

const derivation = z
  .object({
    plan: z
      .object({
        planId: uuid,
        versionId: uuid,
        version: z.int(),
        mode: z.string().meta({ description: '`unilevel` or `differential`' }),
        compression: z.string(),
      })
      .meta({ description: 'The plan' }),
    baseMinor: amountMinorOut.meta({ description: 'What commissions of the sale are calculated on' }),
    currency: currency.meta({ description: 'Of the sale' }),
    verdicts: z
      .array(
        z.object({
          level: z.int().meta({ description: 'Distance from the sale' }),
          own: z.boolean().meta({ description: "Whether this is the line's own member" }),
          qualified: z.boolean().meta({ description: 'Whether the member there took a level of the plan' }),
          reason: z.string().nullable().meta({ description: 'Why nothing was paid there; null when something was' }),
          usedLevels: z.array(z.int()).meta({ description: 'Levels of the plan that the member there used up' }),
        }),
      )
      .meta({ description: 'One for everybody who was considered, level 1 first' }),
    shares: z
      .array(
        z.object({
          paidLevel: z.int().meta({ description: 'Level that the plan pays, after compression' }),
          rateBps: z.int().meta({ description: 'Rate in basis points: 1000 is 10 %; 0 of a flat sum' }),
          flatMinor: amountMinorOut.nullable(),
          multiplierMilli: z.int().meta({ description: "Multiplier of the member's tier in thousandths" }),
          parts: z
            .array(paidPart)
            .optional()
            .meta({ description: 'Of a share that goes by parts of the sale: what each source of its rates pays' }),
          exact: z
            .object({ numerator: z.string(), denominator: z.string() })
            .meta({ description: 'Amount before it was rounded, as a fraction' }),
          roundedMinor: amountMinorOut,
          ceilingLeavesMinor: amountMinorOut
            .nullable()
            .meta({ description: 'What the ceiling of the event leaves; null when it does not bind' }),
          capsLeaveMinor: amountMinorOut.nullable().meta({ description: 'What caps leave of that; null when none binds' }),
          rate: z
            .object({
              numerator: amountMinorOut.meta({ description: 'Minor units of `currency`' }),
              denominator: amountMinorOut.meta({ description: 'for this many of the currency of the sale' }),
            })
            .nullable()
            .meta({ description: 'Of the conversion; null without one' }),
          amountMinor: amountMinorOut.meta({ description: 'Minor units' }),
          currency,
        }),
      )
      .meta({ description: "The member's own, one for each level it used up" }),
    recomputed: z.boolean().meta({ description: 'Whether the calculation comes to the amount of the line' }),
  })
  .meta({ id: 'CommissionDerivation' });

export type DerivationAnswer = z.input<typeof derivation>;

export const explainCommission = defineOperation({
  method: 'get',
  path: '/api/v1/commissions/{commissionId}/explain',
  operationId: 'explainCommission',
  group: 'Commissions',
  summary: 'How a commission came about and what became of it',
  description:
    'The arithmetic of the line, a verdict on everybody who was considered, the lines linked to it, the actions on it and every posting to its member that moved it. `GET /events/{event_id}/explain` shows the whole event, with everybody who was not paid.',
  scope: 'commissions:read',
  member: 'own',
  params,
  success: [{ status: 200, meaning: 'The explanation' }],
  response: z
    .object({
      commission: commissionResource,
      calculation: z
        .object({
          exact: z
            .object({ numerator: z.string(), denominator: z.string() })
            .meta({ description: 'Base x rate x multiplier, before rounding, ceiling, caps and conversion; integers as text' }),
          steps: z.array(z.string()).meta({ description: 'The same for a person' }),
        })
        .nullable()
        .meta({ description: 'Null for a line that was set by hand or follows from another line' }),
      derivation: derivation.nullable().meta({
        description: 'How the amount follows from the sale; null where `calculation` is. Of other members it has verdicts alone',
      }),
      netMinor: signedMinorOut.meta({ description: 'The line with everything linked to it' }),
      linked: z.array(
        z.object({
          id: uuid.meta({ description: 'Id' }),
          eventId: uuid.meta({ description: 'The event that made it' }),
          externalEventId: z.string().meta({ description: "The event's id in the tenant's system" }),
          kind: lineKind,
          amountMinor: signedMinorOut.meta({ description: 'Minor units' }),
          status: lineStatus,
          createdAt: timestamp.meta({ description: 'When it was made' }),
        }),
      ),
      actions: z.array(
        z.object({
          id: uuid.meta({ description: 'Id' }),
          action: z.enum(['hold', 'release', 'void']).meta({ description: '`hold`, `release` or `void`' }),
          fromStatus: lineStatus.meta({ description: 'Where the line stood' }),
          toStatus: lineStatus.meta({ description: 'Where the line stands since' }),
          reason: z.string().nullable().meta({ description: 'Null for a bearer token' }),
          createdBy: namedActor.nullable().meta({ description: 'Who did it; null where it was not kept' }),
          keyId: uuid
            .nullable()
            .meta({ description: 'The API key that did it; null for a bearer token, and where it was nobody with a key' }),
          recordedAt: timestamp.meta({ description: 'When the service recorded it' }),
        }),
      ),
      ledger: z
        .array(
          z.object({
            journalId: uuid.meta({ description: 'The journal' }),
            causeType: z.string().meta({ description: 'What the journal was posted for' }),
            causeId: uuid.meta({ description: 'Id of what it was posted for' }),
            recordedAt: timestamp.meta({ description: 'When the service recorded it' }),
            account: z.string().meta({ description: 'Ledger account' }),
            currency,
            amountMinor: signedMinorOut.meta({ description: 'Minor units' }),
          }),
        )
        .meta({ description: "Postings to the member; a clearing posts the member's sum over all lines it cleared" }),
    })
    .meta({ id: 'CommissionExplanation' }),
  errors: ['NOT_FOUND'],
});

const actionBody = z.strictObject({ reason: text(500).nullish() });

const act = <Action extends 'hold' | 'release' | 'void'>(action: Action, summary: string, description: string) =>
  defineOperation({
    method: 'post',
    path: `/api/v1/commissions/{commissionId}/${action}`,
    operationId: `${action}Commission`,
    group: 'Commissions',
    summary,
    description: `${description} Acts on the line together with everything linked to it. Any other state is 409 \`STATE_CONFLICT\`.`,
    scope: 'commissions:write',
    hands: action === 'hold' ? 'tightens' : 'neutral',
    params,
    body: actionBody.meta({ example: { reason: 'Under review' } }),
    success: [{ status: 200, meaning: 'The line as it is now' }],
    response: commissionResource,
    errors: ['NOT_FOUND', 'STATE_CONFLICT', ...(action === 'void' ? [ledgerErrors.BALANCE_LIMIT] : [])],
  });

export const holdCommission = act(
  'hold',
  'Put a pending or cleared commission on hold',
  'A held line counts as pending and is neither cleared nor paid until it is released.',
);
export const releaseCommission = act(
  'release',
  'Release a held commission',
  'The line is pending again, or cleared when its time has come. While a dispute of the purchase is open, a line held for another reason stays held, for the dispute.',
);
export const voidCommission = act(
  'void',
  'Void an unpaid commission',
  'What is left of it is taken back by a line of its own, and all of it is `reversed`.',
);
