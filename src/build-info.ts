/** Which build this is: for the start line and the metrics. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from './config.ts';

export interface BuildInfo {
  /** As in package.json. */
  version: string;
  /** GIT_COMMIT, or that of the checkout the service runs from; `unknown` without either. */
  commit: string;
  /** Of Node, without the v. */
  node: string;
}

const root = path.join(import.meta.dirname, '..');

/** Reads a few small files; to be called once. Never throws for a checkout that cannot be read. */
export function buildInfo({ GIT_COMMIT }: Pick<Config, 'GIT_COMMIT'>, directory = root): BuildInfo {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  return { version, commit: GIT_COMMIT ?? commitOfCheckout(directory) ?? 'unknown', node: process.versions.node };
}

/** Without git itself, which a server need not have. */
function commitOfCheckout(directory: string): string | undefined {
  try {
    const git = path.join(directory, '.git');
    if (!existsSync(git)) return undefined;
    const own = gitDirectory(git);
    const head = readFileSync(path.join(own, 'HEAD'), 'utf8').trim();
    if (!head.startsWith('ref: ')) return head;
    const common = path.join(own, 'commondir');
    const shared = existsSync(common) ? path.resolve(own, readFileSync(common, 'utf8').trim()) : own;
    return readRef(shared, head.slice('ref: '.length));
  } catch {
    return undefined;
  }
}

/** In a worktree `.git` is a file that says where. */
function gitDirectory(git: string): string {
  try {
    return path.resolve(
      path.dirname(git),
      readFileSync(git, 'utf8')
        .trim()
        .replace(/^gitdir: /, ''),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') return git;
    throw error;
  }
}

function readRef(git: string, ref: string): string | undefined {
  const loose = path.join(git, ref);
  if (existsSync(loose)) return readFileSync(loose, 'utf8').trim();
  const packed = readFileSync(path.join(git, 'packed-refs'), 'utf8').split('\n');
  return packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0];
}
