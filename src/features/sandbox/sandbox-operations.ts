/** The public contract of the Sandbox group: docs/specification/sandbox.md. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { instant, timestamp } from '../../http/schemas.ts';

const clock = z
  .object({
    now: timestamp.meta({ description: "The instant that money goes by in this tenant's SANDBOX" }),
    frozen: z.boolean().meta({ description: 'Whether the clock stands still until it is moved again' }),
  })
  .meta({ id: 'SandboxClock' });

export type ClockAnswer = z.input<typeof clock>;

export const getSandboxClock = defineOperation({
  method: 'get',
  path: '/api/v1/sandbox/clock',
  operationId: 'getSandboxClock',
  group: 'Sandbox',
  summary: "The SANDBOX's clock",
  description: "The tenant's own clock, once it was moved; until then the database's.",
  scope: 'sandbox:write',
  success: [{ status: 200, meaning: 'The reading' }],
  response: clock,
  errors: ['ENVIRONMENT_MISMATCH'],
});

const TEN_YEARS_SECONDS = 315_360_000;

export const moveSandboxClock = defineOperation({
  method: 'post',
  path: '/api/v1/sandbox/clock',
  operationId: 'moveSandboxClock',
  group: 'Sandbox',
  summary: "Move the SANDBOX's clock forward",
  description:
    '`advanceSeconds` moves the clock ahead, running or frozen as it is; `frozenAt` sets it to an instant and stops it there. One of the two. It never goes backward. What has become due is done before the answer.',
  scope: 'sandbox:write',
  body: z
    .strictObject({
      advanceSeconds: z
        .int()
        .min(1)
        .max(TEN_YEARS_SECONDS)
        .optional()
        .meta({ description: 'Seconds to move ahead by, at most ten years' }),
      frozenAt: instant.optional().meta({ description: 'Where to stop the clock; not before its reading' }),
    })
    .refine(
      (body) => (body.advanceSeconds === undefined) !== (body.frozenAt === undefined),
      'must set one of advanceSeconds and frozenAt',
    )
    .meta({ example: { advanceSeconds: 2_678_400 } }),
  success: [{ status: 200, meaning: 'The new reading' }],
  response: clock,
  errors: ['ENVIRONMENT_MISMATCH', 'STATE_CONFLICT'],
});

const erasure = z
  .object({
    eventsErased: z.int().meta({ description: 'How many events are gone' }),
    membersErased: z.int().meta({ description: 'How many members are gone' }),
    now: timestamp.meta({ description: "The clock's reading, which is the database's again" }),
  })
  .meta({ id: 'SandboxErasure' });

export type ErasureAnswer = z.input<typeof erasure>;

export const resetSandbox = defineOperation({
  method: 'post',
  path: '/api/v1/sandbox/reset',
  operationId: 'resetSandbox',
  group: 'Sandbox',
  summary: 'Erase the SANDBOX',
  description:
    'Members, leads, events, commissions, plans, rates, ledger and clock are gone for good and the default plan is back. API keys keep working; answers stored for Idempotency-Keys stay.',
  scope: 'sandbox:write',
  body: z.strictObject({}).optional(),
  success: [{ status: 200, meaning: 'Erased' }],
  response: erasure,
  errors: ['ENVIRONMENT_MISMATCH'],
});
