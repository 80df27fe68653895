/** Which build a process says it is (docs/operations.md, starting and stopping). */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildInfo } from '../../src/build-info.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'build-info-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const commitIn = (place = directory): string => buildInfo({ GIT_COMMIT: undefined }, place).commit;

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
  writeFileSync(path.join(directory, file), text);
}

test('the version is that of package.json, the commit GIT_COMMIT where it is set', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(buildInfo({ GIT_COMMIT: 'abcdef0' }, directory)).toEqual({ version, commit: 'abcdef0', node: process.versions.node });
});

test('without GIT_COMMIT and a checkout the commit is unknown, and so it is with one that cannot be read', () => {
  expect(commitIn()).toBe('unknown');
  write('.git/HEAD', 'ref: refs/heads/main\n');
  expect(commitIn()).toBe('unknown');
});

test('of a checkout it is where HEAD points: a loose ref, a packed one, or itself', () => {
  write('.git/HEAD', 'ref: refs/heads/main\n');
  write('.git/packed-refs', `# pack-refs\n${'f'.repeat(40)} refs/heads/other-main\n${COMMIT} refs/heads/main\n`);
  expect(commitIn()).toBe(COMMIT);
  write('.git/refs/heads/main', `${'e'.repeat(40)}\n`);
  expect(commitIn()).toBe('e'.repeat(40));
  write('.git/HEAD', `${COMMIT}\n`);
  expect(commitIn()).toBe(COMMIT);
});

test("of a worktree it is the worktree's own", () => {
  write('tree/.git', 'gitdir: ../.git/worktrees/tree\n');
  write('.git/worktrees/tree/HEAD', 'ref: refs/heads/side\n');
  write('.git/worktrees/tree/commondir', '../..\n');
  write('.git/refs/heads/side', `${COMMIT}\n`);
  expect(commitIn(path.join(directory, 'tree'))).toBe(COMMIT);
});

test('it agrees with git where the tests run from a checkout', () => {
  let head: string;
  try {
    head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return; // no git, or no checkout
  }
  expect(commitIn(process.cwd())).toBe(head);
});
