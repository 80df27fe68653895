/**
 * A write's answer is made before its commit: where it cannot be made, nothing was written. Every operation that writes
 * is called with a response that refuses its answer. Those whose commit travels with their last statement are in
 * pipelined-answers.test.ts, which shows that every row the columns allow has an answer.
 * Source: docs/specification/conventions.md#shaped-answers.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from '../../src/http/operation.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { digestRows } from '../support/database/walls.ts';
import { sideOf, worldOf } from '../support/matrix/matrix-rows.ts';
import { plantWorld, type World } from '../support/matrix/matrix-world.ts';
import { PIPELINED_OPERATIONS } from '../support/matrix/pipelined-operations.ts';
import { keyedRows, operationOf, ownRequest, sendOwn } from '../support/matrix/send-own.ts';

let world: World;

beforeAll(async () => {
  world = await plantWorld(await startTestApp());
});
afterAll(() => world.app.close());

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
  expect(isWritten).toBe(PIPELINED_OPERATIONS.includes(operationId));
});

/** Its row of the matrix asks for the sponsor that the member has. */
test('moveMember under another sponsor', async () => {
  const [side] = world.sides;
  if (!side) throw new Error('the world has no sides');
  const request = { path: { userId: side.sibling.id }, body: { sponsorId: side.child.id } };
  const operation = operationOf(world, 'moveMember');
  const headers = { 'x-tenant-api-key': side.key };
  const before = await digestRows(world.app.database);
  const answer = await withoutAnswer(operation, () => sendOwn(world, operation, request, headers));
  expect([answer.status, await digestRows(world.app.database)]).toEqual([500, before]);
  expect((await sendOwn(world, operation, request, headers)).status).toBe(200);
  expect(await digestRows(world.app.database)).not.toEqual(before);
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
