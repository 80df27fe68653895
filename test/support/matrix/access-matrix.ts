/**
 * The access matrix: every operation, called as every principal, with every reference naming an own,
 * a foreign, an absent and a malformed object. Source: docs/specification/reliability.md#access-matrix.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/http/operation.ts';
import { call } from '../app/http-call.ts';
import { listOperations, listRequestFields, type OpenApiDocument } from '../openapi/openapi-document.ts';
import { principals, WITHOUT_SCOPE } from './matrix-principals.ts';
import { matrixRows, worldOf } from './matrix-rows.ts';
import { MatrixRun } from './matrix-run.ts';
import type { World } from './matrix-world.ts';

/** Callers on each side of every border; the others take turns, an operation each. */
const ALWAYS = new Set(['tenant A, LIVE', 'tenant B, SANDBOX, claiming LIVE']);
const TAKING_TURNS = principals.filter(({ name }) => !ALWAYS.has(name));
const TURNS = 2;

/** A sample for each operation, such that every principal is tried on every few of them. */
function sampleFor(index: number): typeof principals {
  const turns = Array.from({ length: TURNS }, (_, turn) => TAKING_TURNS[(index * TURNS + turn) % TAKING_TURNS.length]);
  return principals.filter((principal) => ALWAYS.has(principal.name) || turns.includes(principal));
}

/** All who stand on a side, and as many of the refused in turn as let each be tried on every few operations. */
function refusedInTurns(index: number): typeof principals {
  const refused = principals.filter(({ refusal }) => refusal);
  const turns = Array.from({ length: 2 * TURNS }, (_, turn) => refused[(index * 2 * TURNS + turn) % refused.length]);
  return principals.filter((principal) => !principal.refusal || turns.includes(principal));
}

const CHOICES = { all: () => principals, sample: sampleFor, 'refused in turns': refusedInTurns };

/**
 * Declares one test for each operation and principal. Who has no good key or token is refused before anything of a
 * tenant is read, so one run of all of these is enough for the walls; the others have them in turns.
 */
export function describeAccessMatrix(world: () => World, who: keyof typeof CHOICES = 'all'): void {
  test('every operation has a row and every row an operation', () => {
    const { operations } = world().app.composition.app;
    expect(operations.map((operation) => operation.operationId).toSorted()).toEqual(Object.keys(matrixRows).toSorted());
  });

  test('the rows of people are those of the operations that no key reaches', () => {
    const { operations } = world().app.composition.app;
    const ofPeople = Object.entries(matrixRows).flatMap(([operationId, { people }]) => (people ? [operationId] : []));
    expect(ofPeople.toSorted()).toEqual(
      operations.flatMap(({ operationId, people }) => (people ? [operationId] : [])).toSorted(),
    );
  });

  test('every name of an object in a request has its references or the reason why not', async () => {
    const document = (await call(world().app.baseUrl, { method: 'GET', target: '/api/v1/openapi.json' })).json as OpenApiDocument;
    for (const [operationId, fields] of listNamingFields(document)) {
      const row = matrixRows[operationId];
      const covered = [...(row?.references ?? []).map((reference) => reference.at), ...Object.keys(row?.inert ?? {})];
      expect(
        fields.filter((field) => !covered.includes(field)),
        operationId,
      ).toEqual([]);
    }
  });

  const rows = Object.entries(matrixRows).map(([operationId, row], index) => ({ operationId, row, index }));
  describe.each(rows)('$operationId', ({ operationId, row, index }) => {
    let ground: World;
    beforeAll(async () => {
      ground = await worldOf(row, world());
    });
    const operationOf = (): Operation => {
      const found = world().app.composition.app.operations.find((operation) => operation.operationId === operationId);
      if (!found) throw new Error(`no operation ${operationId}`);
      return found;
    };

    test.each(CHOICES[who](index))('$name', async (principal) => {
      // Its objects have scopes of their own: the feature's tests ask for them.
      if (principal.name === WITHOUT_SCOPE && operationOf().scope === 'any') return;
      const run = new MatrixRun(ground, operationOf(), row, principal);
      await run.go();
      expect(run.faults).toEqual([]);
    });
  });
}

const NAMING = /(^|_|[a-z])(id|Id|code|cursor|email|slug|token|filePath)$/;

/** For each operation the fields of its request whose names say that they name something. */
function listNamingFields(document: OpenApiDocument): [operationId: string, fields: string[]][] {
  return listOperations(document).map(({ operation }) => [
    operation.operationId,
    listRequestFields(document, operation)
      .filter(({ path }) => NAMING.test(path))
      .map(({ path }) => path),
  ]);
}
