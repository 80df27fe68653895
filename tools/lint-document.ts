/** Lints the OpenAPI document by Redocly's recommended rules; a warning fails, too. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDocument } from './read-document.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'document-'));
try {
  const file = path.join(directory, 'openapi.json');
  writeFileSync(file, await readDocument());
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { status, stdout, stderr } = spawnSync('redocly', ['lint', '--format=json', file], { encoding: 'utf8', env });
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
  for (const { ruleId, message } of problems) process.stdout.write(`${ruleId}: ${message}\n`);
  if (status !== 0) process.stderr.write(stderr);
  process.exitCode = status === 0 && problems.length === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true });
}
