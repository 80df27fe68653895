/** The alert rules and the example of a scrape configuration, by Prometheus' own tool. docs/metrics.md#alerts */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const deploy = path.resolve(import.meta.dirname, '../../deploy');
const run = promisify(execFile);
const promtool = (...words: string[]) => run('promtool', words, { cwd: deploy, timeout: 60_000 });

test('the rules and the scrape configuration are well formed', async () => {
  expect((await promtool('check', 'rules', 'alerts.yml')).stdout).toMatch(/SUCCESS: \d+ rules found/);
  await promtool('check', 'config', 'prometheus.yml');
});

test('each rule fires on what it is for, and none on a service that is well', async () => {
  expect((await promtool('test', 'rules', 'alerts.test.yml')).stdout).toContain('SUCCESS');
});

test('a rule that always fires, or never, would be seen', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'alerts-'));
  try {
    const rules = await readFile(path.join(deploy, 'alerts.yml'), 'utf8');
    await writeFile(path.join(folder, 'alerts.test.yml'), await readFile(path.join(deploy, 'alerts.test.yml')));
    for (const [from, to] of [
      ['svc_db_reachable == 0', 'svc_db_reachable < 0'],
      ['> 0.01', '> 0.0001'],
    ] as const) {
      expect(rules).toContain(from);
      await writeFile(path.join(folder, 'alerts.yml'), rules.replace(from, to));
      await expect(promtool('test', 'rules', path.join(folder, 'alerts.test.yml'))).rejects.toThrow();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
