/** Calls as the reference shows them: the library's compile, curl's lines are quoted. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readDocumentParts } from '../../src/docs/document.ts';
import { curlOf, typescriptOf } from '../../src/docs/samples.ts';
import type { JsonObject } from '../../src/http/document/objects.ts';
import { readDocument } from '../../tools/read-document.ts';

const folder = mkdtempSync(path.join(import.meta.dirname, '../../packages/sdk/samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('every TypeScript sample compiles with the library', async () => {
  const { operations } = readDocumentParts(JSON.parse(await readDocument()) as JsonObject);
  const samples = operations.flatMap((operation) => typescriptOf(operation) ?? []);
  expect(samples.length).toBeGreaterThan(150);
  const functions = samples.map((sample, index) => `export async function sample${index}() {\n${sample}\nreturn answer;\n}`);
  const text = `import { createClient } from '@mcr/sdk';\nconst api = createClient({ apiKey: 'k' });\n${functions.join('\n')}\n`;
  writeFileSync(path.join(folder, 'samples.ts'), text);
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../tsconfig.json', include: ['*.ts'] }));
  const { stdout } = spawnSync('tsc', ['--noEmit', '-p', path.join(folder, 'tsconfig.json')], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

test('every curl sample is one command', async () => {
  const { operations } = readDocumentParts(JSON.parse(await readDocument()) as JsonObject);
  for (const operation of operations) {
    const { status, stderr } = spawnSync('bash', ['-n', '-c', curlOf(operation)], { encoding: 'utf8' });
    expect([status, stderr], operation.operationId).toEqual([0, '']);
  }
});
