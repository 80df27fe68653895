/**
 * A write's answer is made before its commit: where it cannot be made, nothing was written. Every operation that writes
 * is called with a response that refuses its answer. Source: docs/specification/conventions.md#shaped-answers.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from '../../src/http/operation.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { digestRows } from '../support/database/walls.ts';
import { sideOf, worldOf } from '../support/matrix/matrix-rows.ts';
import { plantWorld, type World } from '../support/matrix/matrix-world.ts';
import { keyedRows, operationOf, ownRequest, sendOwn } from '../support/matrix/send-own.ts';

let world: World;

beforeAll(async () => {
  world = await plantWorld(await startTestApp());
});
afterAll(() => world.app.close());

/**
 * Their commit travels with the last statement, so their answers are made behind it, of single rows: pipelined-answers.test.ts
 * shows that every row the columns allow has one. An operation whose answer has a sum is never one of them.
 */
const PIPELINED = [
  'captureLead',
  'createCommissionPlan',
  'createExchangeRate',
  'createKycUpload',
  'createUser',
  'deleteCommissionPlan',
  'deleteReferralLink',
  'moveSandboxClock',
  'publishCommissionPlan',
  'recordChargeback',
  'recordClick',
  'recordManualCommission',
  'recordPurchase',
  'recordRefund',
  'updateCommissionPlan',
  'updateReferralLink',
];

/** What they commit ahead of the frame that answers, which is no effect. */
const AHEAD: Record<string, string> = {
  recordKycDocument: 'that the object is removed again unless the document is kept',
};

const writing = keyedRows.filter(([operationId]) => !(operationId in AHEAD));

test.each(writing)('%s', async (operationId, row) => {
  const operation = operationOf(world, operationId);
  if (operation.method === 'get') return;
  const ground = await worldOf(row, world);
  const request = await ownRequest(row, ground);
  const before = await digestRows(ground.app.database);
  const answer = await withoutAnswer(operation, () =>
    sendOwn(ground, operation, request, { 'x-tenant-api-key': sideOf(row, ground).key }),
  );
  expect(answer.status).toBe(500);
  const isWritten = (await digestRows(ground.app.database)) !== before;
  expect(isWritten).toBe(PIPELINED.includes(operationId));
});

/** Runs it while the operation's response takes no answer. */
async function withoutAnswer<Answer>(operation: Operation, run: () => Promise<Answer>): Promise<Answer> {
  const { response } = operation;
  const refusing = {
    parse() {
      throw new Error('no answer can be made');
    },
  };
  operation.response = refusing as unknown as typeof response;
  try {
    return await run();
  } finally {
    operation.response = response;
  }
}
