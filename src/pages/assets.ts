/**
 * What browsers load beside a page: the styles, the modules of browser/ with their types stripped, and htmx. All are read
 * and compressed once, and have the digest of all in their address, so they may be kept for ever.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export interface Asset {
  type: string;
  plain: Buffer;
  br: Buffer;
  gzip: Buffer;
}

export interface Assets {
  /** The address of a file, as `core.js`. Throws when there is none of that name. */
  url(name: string): string;
  /** The file of an address; undefined where there is none, also of another version. */
  find(version: string, name: string): Asset | undefined;
}

export const ASSETS_PATH = '/dashboard/assets';

const FOLDER = import.meta.dirname;
const JAVASCRIPT = 'text/javascript; charset=utf-8';

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#3a4bd0" d="M12 1.5 21 6.75v10.5L12 22.5l-9-5.25V6.75z"/><circle cx="12" cy="12" r="4" fill="#fff"/></svg>';

let read: Assets | undefined;

/** What there is, read when it is first asked for: processes without pages never do. */
export const assets: Assets = {
  url: (name) => readOnce().url(name),
  find: (version, name) => readOnce().find(version, name),
};

/** Takes some tenths of a second the first time. */
export function readOnce(): Assets {
  read ??= readAssets();
  return read;
}

function readAssets(): Assets {
  const htmx = createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js');
  const texts: Record<string, { type: string; text: string }> = {
    'pages.css': { type: 'text/css; charset=utf-8', text: readStyles() },
    'icon.svg': { type: 'image/svg+xml', text: ICON },
    'htmx.js': { type: JAVASCRIPT, text: readFileSync(htmx, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n') },
    'core.js': { type: JAVASCRIPT, text: readCore() },
  };
  for (const file of filesIn('browser', '.ts')) {
    texts[file.replace(/\.ts$/, '.js')] = { type: JAVASCRIPT, text: readModule(path.join('browser', file)) };
  }
  const digest = createHash('sha256');
  for (const [name, { text }] of Object.entries(texts)) digest.update(`${name}\0${text}\0`);
  const version = digest.digest('base64url').slice(0, 16);
  const files = new Map(Object.entries(texts).map(([name, { type, text }]) => [name, compressed(type, text)]));
  return {
    url(name) {
      if (!files.has(name)) throw new Error(`there is no asset ${name}`);
      return `${ASSETS_PATH}/${version}/${name}`;
    },
    find: (asked, name) => (asked === version ? files.get(name) : undefined),
  };
}

function compressed(type: string, text: string): Asset {
  const plain = Buffer.from(text);
  const br = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return { type, plain, br, gzip: gzipSync(plain) };
}

/** The tokens come first; what follows may use them. */
function readStyles(): string {
  const first = ['tokens.css', 'base.css', 'parts.css'];
  const others = filesIn('styles', '.css').filter((name) => !first.includes(name));
  return [...first, ...others].map((name) => readFileSync(path.join(FOLDER, 'styles', name), 'utf8')).join('\n');
}

/** The modules that every page needs, one behind the other, each in a block of its own: they import nothing. */
function readCore(): string {
  return filesIn('browser/core', '.ts')
    .map((name) => `{\n${readModule(path.join('browser/core', name)).replace(/^export \{\};?$/m, '')}}\n`)
    .join('');
}

function readModule(name: string): string {
  const text = readFileSync(path.join(FOLDER, name), 'utf8');
  const script = stripTypeScriptTypes(text, { mode: 'strip' });
  // Blanks stand where types were.
  return script.replace(/[ \t]+$/gm, '').replace(/(['"]\.\/[\w-]+)\.ts(['"])/g, '$1.js$2');
}

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(path.join(FOLDER, folder))
    .filter((name) => name.endsWith(ending) && !name.endsWith('.d.ts'))
    .toSorted();
}
