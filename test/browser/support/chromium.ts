/**
 * The Chromium that comes with npm's packages, with the libraries and a font that it needs: `npm ci` is enough on a bare
 * Debian machine. It unpacks below the run's own directory and goes with it.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import packed, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/**
 * Not the package's own: those run everything in one process, which ends on the second page, and switch off what keeps
 * origins apart, so that no test of an origin would be worth anything.
 */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'];

/** Linux has its fonts there, unless it has none. */
const SYSTEM_FONTS = '/etc/fonts/fonts.conf';

/** A browser of its own. The caller closes it. */
export async function startBrowser(): Promise<Browser> {
  const { executablePath, libraries, fonts } = await unpack();
  const env = { HOME: tmpdir(), LD_LIBRARY_PATH: libraries, ...(!existsSync(SYSTEM_FONTS) && { FONTCONFIG_PATH: fonts }) };
  return chromium.launch({ executablePath, args: ARGUMENTS, env });
}

interface Unpacked {
  executablePath: string;
  libraries: string;
  fonts: string;
}

const LONGEST_WAIT_MS = 120_000;

let unpacked: Promise<Unpacked> | undefined;

/** Once a run. A file that another process still writes cannot be executed, so the first process unpacks and the others wait. */
function unpack(): Promise<Unpacked> {
  unpacked ??= (async () => {
    const done = path.join(tmpdir(), 'chromium-is-unpacked');
    const isFirst = await mkdir(`${done}-by`).then(
      () => true,
      () => false,
    );
    if (!isFirst) await comesToBe(done);
    // What is there already is left as it is.
    const libraries = await inflate(path.join(path.dirname(packageFile()), '../bin/al2023.tar.br'));
    const executablePath = await packed.executablePath();
    await writeFile(done, '');
    return { executablePath, libraries: path.join(libraries, 'lib'), fonts: path.join(tmpdir(), 'fonts') };
  })();
  return unpacked;
}

async function comesToBe(file: string): Promise<void> {
  for (const until = Date.now() + LONGEST_WAIT_MS; !existsSync(file); await sleep(50)) {
    if (Date.now() > until) throw new Error('another process has not unpacked Chromium in time');
  }
}

function packageFile(): string {
  return new URL(import.meta.resolve('@sparticuz/chromium')).pathname;
}
