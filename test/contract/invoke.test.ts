/**
 * Every operation both ways: by a request, and called in the process as pages do. Both answer the same, and refuse the
 * same. Source: docs/specification/people.md#one-door.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { hashApiKey } from '../../src/http/authenticate.ts';
import { errorBody } from '../../src/http/error-handler.ts';
import type { Caller, Operation } from '../../src/http/operation.ts';
import { call, withValueAt } from '../support/app/http-call.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { MatrixRequest, MatrixRow } from '../support/matrix/matrix-row.ts';
import { matrixRows, sideOf, worldOf } from '../support/matrix/matrix-rows.ts';
import { targetOf } from '../support/matrix/matrix-run.ts';
import { plantWorld, type Side, type World } from '../support/matrix/matrix-world.ts';
import { callAsOwner } from '../support/matrix/person-call.ts';

interface Told {
  status: number;
  body: unknown;
}

let world: World;

beforeAll(async () => {
  world = await plantWorld(await startTestApp());
});
afterAll(() => world.app.close());

const ORIGIN = { ip: '127.0.0.1', userAgent: null };

async function callerOf(key: string, side: Side): Promise<Caller> {
  const [row] = await world.app.database.asSuperuser<{ id: string; family: string; scopes: string[]; root: string }>(
    'select id, coalesce(family_id, id) as family, scopes, root from api_key where hash = $1',
    [hashApiKey(world.app.config.secrets.apiKeyPepper, key)],
  );
  if (!row) throw new Error('no such key');
  const actor = { kind: 'api_key', id: row.id } as const;
  return {
    tenantId: side.tenantId,
    environment: side.environment,
    key: { id: row.id, familyId: row.family, rateLimit: undefined, allowedIps: null },
    rights: row.scopes,
    root: row.root,
    provenance: { actor, operationId: 'test', requestId: randomUUID(), ip: '127.0.0.1' },
  };
}

async function byRequest(operation: Operation, key: string, request: MatrixRequest): Promise<Told> {
  const { status, json, text } = await call(world.app.baseUrl, {
    method: operation.method.toUpperCase(),
    target: targetOf(operation, request),
    headers: { 'x-tenant-api-key': key },
    body: request.body,
  });
  return { status, body: json ?? text };
}

async function byInvoke(operation: Operation, caller: Caller, request: MatrixRequest): Promise<Told> {
  try {
    const { path = {}, query = {}, body } = request;
    const said = { params: path, query, body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)) };
    const answer = await world.app.composition.invoke(operation, said, { caller, origin: ORIGIN });
    return { status: answer.status, body: answer.waiting ?? answer.body };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { status: error.status, body: errorBody(error) };
  }
}

/** Two writes make two things: their ids, times and secrets differ, and nothing else does. */
function comparable({ status, body }: Told, request: MatrixRequest): string {
  const sent = [...JSON.stringify(request).matchAll(/"([^"]{6,})"/g)].map((match) => match[1] ?? '');
  const text = sent
    .reduce((all, value) => all.replaceAll(value, 'SENT'), JSON.stringify(body) ?? '')
    .replace(/svc(r|_live|_sandbox)_[\w-]+/g, 'KEY')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/("(?:referral_code|referralCode|code|slug|lastFour)":)"\w+"/g, '$1"CODE"')
    .replace(/(https?:\/\/[^"?]+)\?[^"]+/g, '$1?SIGNED')
    .replace(/(•••• )\w+/g, '$1LAST')
    .replace(/"ck_[\w-]+"/g, '"CLICK"')
    .replace(/"mwt_[\w-]+"/g, '"WIDGET"')
    .replace(/"whsec_[\w+/=]+"/g, '"SIGNING"')
    .replace(/"eyJ[\w-]+\.[\w-]+\.[\w-]+"/g, '"JWT"')
    // An export of a member is in the next one.
    .replace(/,?\{[^{}]*"action":"member_data.exported"[^{}]*(\{[^{}]*\}[^{}]*)*?\}/g, '')
    .replace(/("(?:version|revokedSessions)":)\d+/g, '$1N')
    .replace(/("(?:url|uploadUrl|downloadUrl|token|objectKey)":)"[^"]+"/g, '$1"MADE"');
  return JSON.stringify([status, text]);
}

/**
 * What `ask` answers the same before and behind `other`, and what that answers. Work that earlier requests left, such as
 * an export that is made, may change a list between the two; then both are asked again.
 */
async function betweenLike(ask: () => Promise<string>, other: () => Promise<string>): Promise<[around: string, between: string]> {
  for (let before = await ask(), tries = 0; tries < 10; tries += 1) {
    const between = await other();
    const behind = await ask();
    if (behind === before) return [before, between];
    before = behind;
  }
  throw new Error('the answers to one request differ each time');
}

const isJson = (operation: Operation): boolean => operation.produces === undefined && operation.consumes === undefined;

const byKey = Object.entries(matrixRows).filter(([, row]) => row.open !== true && row.people !== true);

describe.each(byKey)('%s', (operationId: string, row: MatrixRow) => {
  test('answers and refuses the same by a request and in the process', async () => {
    const found = world.app.composition.app.operations.find((one) => one.operationId === operationId);
    if (!found) throw new Error('no such operation');
    if (!isJson(found)) return;
    const ground = await worldOf(row, world);
    const side = sideOf(row, ground);
    const caller = await callerOf(side.key, side);
    const fresh = async (): Promise<MatrixRequest> => (await row.fresh?.(side, ground)) ?? row.request(side);

    const first = await fresh();
    const told = await byRequest(found, side.key, first);
    expect(told.status).toBe(row.status);
    // A request that can succeed once is refused, or repeated, by both ways.
    if (row.fresh) {
      const last = await fresh();
      expect(comparable(await byInvoke(found, caller, last), last)).toBe(comparable(told, first));
    } else {
      const ask = async (): Promise<string> => comparable(await byRequest(found, side.key, await fresh()), first);
      const [around, between] = await betweenLike(ask, async () =>
        comparable(await byInvoke(found, caller, await fresh()), first),
      );
      expect(between).toBe(around);
    }

    for (const { at, malformed, absent, within } of row.references) {
      for (const make of [() => malformed, absent]) {
        const [one, other] = [await named(), await named()];
        const refused = comparable(await byRequest(found, side.key, one), one);
        expect(comparable(await byInvoke(found, caller, other), other), at).toBe(refused);

        async function named(): Promise<MatrixRequest> {
          return withValueAt(within?.(side) ?? (await fresh()), at, make());
        }
      }
    }

    const key = ground.keysWithout[found.scope];
    const live = ground.sides[0];
    if (key === undefined || live === undefined) return;
    const request = row.request(live);
    const refused = await byInvoke(found, await callerOf(key, live), request);
    expect(refused).toEqual(await byRequest(found, key, request));
    expect(refused.status).toBe(403);
  });
});

const ofPeople = Object.entries(matrixRows).filter(([, row]) => row.people === true);

test.each(ofPeople)('%s is refused to a key both ways, and answered to an owner', async (operationId, row) => {
  const found = world.app.composition.app.operations.find((one) => one.operationId === operationId);
  if (!found) throw new Error('no such operation');
  const side = sideOf(row, world);
  const request = row.request(side);
  const refused = await byRequest(found, side.key, request);
  expect(refused.status).toBe(403);
  expect(await byInvoke(found, await callerOf(side.key, side), request)).toEqual(refused);
  const own = (await row.fresh?.(side, world)) ?? request;
  expect((await callAsOwner(world.app, side, found, own)).status).toBe(row.status);
});
