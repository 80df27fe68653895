/** The exchanges of operations, each made by a real request: those of the access matrix, and what features add. */

import { AppError } from '../../../src/errors.ts';
import type { ExampleExchange } from '../../../src/http/document/examples.ts';
import { errorBody } from '../../../src/http/error-handler.ts';
import type { Operation } from '../../../src/http/operation.ts';
import type { CallAnswer } from '../app/http-call.ts';
import { gatherFromFeatures } from '../gather.ts';
import type { MatrixRequest } from '../matrix/matrix-row.ts';
import { matrixRows, sideOf, worldOf } from '../matrix/matrix-rows.ts';
import type { Side, World } from '../matrix/matrix-world.ts';
import { callAsOwner } from '../matrix/person-call.ts';
import { operationOf, ownRequest, sendOwn } from '../matrix/send-own.ts';
import { scrub } from './scrub.ts';

/** What `test/features/<name>/exchanges.ts` exports under names that end with `Exchanges`. */
export interface ExchangeRow {
  operationId: string;
  /** Of a success, or the code of a refusal. */
  gets: number | string;
  /** What is sent; it may make what it acts on. */
  request(side: Side, world: World): MatrixRequest | Promise<MatrixRequest>;
  /** Where it is sent from: the side that the access matrix uses, unless it is named. */
  side?: 'A LIVE' | 'A SANDBOX';
  headers?: (side: Side, world: World) => Record<string, string> | Promise<Record<string, string>>;
  /** What makes the answer where a plain request does not. */
  send?: (world: World, side: Side, operation: Operation, request: MatrixRequest) => Promise<CallAnswer>;
}

export interface Recorded {
  operationId: string;
  status: number;
  code: string | undefined;
  exchange: { request: NonNullable<ExampleExchange['request']>; answer: unknown };
}

/** Of every operation whose row in the access matrix succeeds by itself. */
export async function recordMatrix(shared: World): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  for (const [operationId, row] of Object.entries(matrixRows)) {
    if (row.open) continue;
    const world = await worldOf(row, shared);
    const side = sideOf(row, world);
    const operation = operationOf(world, operationId);
    const request = await ownRequest(row, world);
    const answer = await sendAs(world, side, operation, request);
    // One that the matrix tries as somebody else has a row among the exchanges.
    if (answer.status >= 400) continue;
    recorded.push(toRecorded(operation, request, answer));
    // What is answered otherwise when it is sent again: an event by its own id, a lead by its email.
    const repeated = operation.success.find(({ status }) => status === 200);
    if (answer.status !== 201 || !repeated) continue;
    const again = await sendAs(world, side, operation, request);
    if (again.status === repeated.status) recorded.push(toRecorded(operation, request, again));
  }
  return recorded;
}

/** What the features' own files add. */
export async function recordRows(world: World): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  for (const { file, name, value } of await gatherFromFeatures('exchanges.ts')) {
    if (!name.endsWith('Exchanges')) continue;
    for (const row of value as ExchangeRow[]) {
      const operation = operationOf(world, row.operationId);
      const matrixRow = matrixRows[row.operationId];
      const side = world.sides.find((one) => one.name === row.side) ?? (matrixRow ? sideOf(matrixRow, world) : world.sides[0]);
      if (!side) throw new Error('the world has no sides');
      const request = await row.request(side, world);
      const headers = await row.headers?.(side, world);
      const send = row.send ?? sendAs;
      const answer = await send(world, side, operation, request, headers);
      const got = answer.status < 400 ? answer.status : codeOf(answer);
      if (got !== row.gets) throw new Error(`${file}: ${row.operationId} got ${got}, not ${row.gets}: ${answer.text}`);
      recorded.push(toRecorded(operation, request, answer));
    }
  }
  return recorded;
}

export function sendAs(
  world: World,
  side: Side,
  operation: Operation,
  request: MatrixRequest,
  headers?: Record<string, string>,
): Promise<CallAnswer> {
  if (operation.people) return callAsOwner(world.app, side, operation, request);
  return sendOwn(world, operation, request, headers ?? { 'x-tenant-api-key': side.key });
}

/** What came of a call in the process, as a request would be answered. */
export async function invokedAnswer(call: Promise<{ status: number; body?: unknown; waiting?: unknown }>): Promise<CallAnswer> {
  const answered = (status: number, json: unknown): CallAnswer => ({
    status,
    headers: new Headers(),
    text: JSON.stringify(json),
    json,
  });
  try {
    const { status, body, waiting } = await call;
    return answered(status, JSON.parse(JSON.stringify(status === 202 ? waiting : body)));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return answered(error.status, errorBody(error));
  }
}

const codeOf = ({ json }: CallAnswer): string | undefined => (json as { code?: string } | undefined)?.code;

function toRecorded(operation: Operation, { path, query, body, csv }: MatrixRequest, answer: CallAnswer): Recorded {
  const sent = csv ?? body;
  const request = {
    ...(path && Object.keys(path).length > 0 && { params: path }),
    ...(query && Object.keys(query).length > 0 && { query }),
    ...(sent !== undefined && { body: JSON.parse(JSON.stringify(sent)) as unknown }),
  };
  const isBinary = operation.produces === 'application/pdf';
  const shown = answer.json ?? (isBinary ? null : answer.text.slice(0, 600));
  return {
    operationId: operation.operationId,
    status: answer.status,
    code: answer.status >= 400 ? codeOf(answer) : undefined,
    exchange: scrub({ request, answer: shown }),
  };
}
