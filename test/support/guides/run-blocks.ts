/** Runs a guide from top to bottom in one shell, with real curl, and reads what each block printed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CHILD_ENV, noteChild } from '../app/child-process.ts';
import { asShown, lastJson } from './compare-shown.ts';
import { type Block, parseBlocks } from './parse-blocks.ts';

interface GuideRun {
  file: string;
  /** What stands in the guide for a value of the reader's own, with the value: a key, an address. */
  replace: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  /** Where the shell stands; a folder of its own unless a guide needs the repository. */
  cwd?: string;
}

interface Shown {
  line: number;
  shown: unknown;
  answer: unknown;
}

/**
 * Every request is looked at, also one within `$(…)`, whose failure the shell would pass over: an HTTP error that the
 * guide does not announce is noted and ends the run. Variables reach the programs of `ts` blocks by the environment.
 */
const PREAMBLE = `set -a
curl() {
  local heads code=0 status
  heads=$(mktemp "$GUIDE_DIR/heads.XXXXXX")
  command curl -D "$heads" "$@" || code=$?
  status=$(awk '/^HTTP\\//{ status = $2 } END { print status }' "$heads")
  echo "$status" >> "$GUIDE_DIR/statuses.$GUIDE_BLOCK"
  if [ "\${status:-0}" -ge 400 ] && [ "$status" != "$GUIDE_STATUS" ]; then
    echo "line $GUIDE_BLOCK: HTTP $status" >> "$GUIDE_DIR/faults"
    return 22
  fi
  return $code
}
`;

/** Throws where a block fails, or does not answer as it says. Returns each answer beside what the guide shows. */
export async function runBlocks({ file, replace, env = {}, cwd }: GuideRun): Promise<Shown[]> {
  let markdown = await readFile(file, 'utf8');
  for (const [placeholder, value] of Object.entries(replace)) markdown = markdown.replaceAll(placeholder, value);
  const blocks = parseBlocks(markdown);
  const folder = await mkdtemp(path.join(tmpdir(), 'guide-'));
  try {
    // Programs import the client library as its readers do.
    await symlink(path.join(import.meta.dirname, '../../../node_modules'), path.join(folder, 'node_modules'));
    const programs = blocks.filter(({ language }) => language === 'sh' || language === 'ts');
    await writeFile(
      path.join(folder, 'guide.sh'),
      PREAMBLE + (await Promise.all(programs.map((one) => step(folder, one)))).join(''),
    );
    await runShell(folder, cwd ?? folder, env);
    for (const { line, status } of programs) {
      if (status === undefined) continue;
      const seen = await read(folder, `statuses.${line}`);
      if (!seen.split('\n').includes(status)) throw new Error(`${file}:${line}: no answer was ${status}`);
    }
    return await readShown(folder, blocks);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function step(folder: string, { language, status = '', code, line }: Block): Promise<string> {
  let commands = code;
  if (language === 'ts') {
    await writeFile(path.join(folder, `program.${line}`), code);
    commands = `"$GUIDE_NODE" --conditions=source --input-type=module-typescript < "$GUIDE_DIR/program.${line}"\n`;
  }
  return `GUIDE_BLOCK=${line} GUIDE_STATUS=${status}\n{\n${commands}} > "$GUIDE_DIR/printed.${line}"\n`;
}

async function runShell(folder: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn('bash', ['-euo', 'pipefail', path.join(folder, 'guide.sh')], {
    cwd,
    env: { ...CHILD_ENV, HOME: folder, ...env, GUIDE_DIR: folder, GUIDE_NODE: process.execPath },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  noteChild(child);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const faults = await read(folder, 'faults');
  if (code === 0 && faults === '') return;
  throw new Error(`the guide ended with ${code}\n${faults}${errors}`);
}

async function readShown(folder: string, blocks: readonly Block[]): Promise<Shown[]> {
  const found: Shown[] = [];
  for (const [index, { language, code, line }] of blocks.entries()) {
    const before = blocks[index - 1];
    if (language !== 'json' || !before) continue;
    const shown: unknown = JSON.parse(code);
    found.push({ line, shown, answer: asShown(lastJson(await read(folder, `printed.${before.line}`)), shown) });
  }
  return found;
}

function read(folder: string, name: string): Promise<string> {
  return readFile(path.join(folder, name), 'utf8').catch(() => '');
}
