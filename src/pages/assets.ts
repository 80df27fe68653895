/**
 * What browsers load beside a page: the styles, the modules of browser/ with their types stripped, htmx, and for documents
 * pdf.js. All are read once, and have the digest of all in their address, so they may be kept for ever.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Assets, type AssetTexts, assetsOf, filesIn, JAVASCRIPT, readModule, STYLES } from './asset-files.ts';

export const ASSETS_PATH = '/dashboard/assets';

const FOLDER = import.meta.dirname;

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#3a4bd0" d="M12 1.5 21 6.75v10.5L12 22.5l-9-5.25V6.75z"/><circle cx="12" cy="12" r="4" fill="#fff"/></svg>';

let read: Assets | undefined;

/** What there is, read when it is first asked for, which takes some tenths of a second: processes without pages never do. */
export const assets: Assets = {
  url: (name) => readOnce().url(name),
  find: (version, name) => readOnce().find(version, name),
  latest: (name) => readOnce().latest(name),
};

function readOnce(): Assets {
  read ??= readAssets();
  return read;
}

function readAssets(): Assets {
  const htmx = createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js');
  const texts: Record<string, { type: string; text: string }> = {
    'pages.css': { type: STYLES, text: readStyles() },
    'icon.svg': { type: 'image/svg+xml', text: ICON },
    'htmx.js': { type: JAVASCRIPT, text: readFileSync(htmx, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n') },
    'core.js': { type: JAVASCRIPT, text: readCore() },
  };
  for (const file of filesIn(path.join(FOLDER, 'browser'), '.ts')) {
    texts[file.replace(/\.ts$/, '.js')] = { type: JAVASCRIPT, text: readModule(path.join(FOLDER, 'browser', file)) };
  }
  return assetsOf(ASSETS_PATH, { ...texts, ...readPdfJs() });
}

/**
 * What draws PDFs, by the names that src/pages/browser/review-pdf.ts asks for. Pictures in them are decoded without wasm.
 * Fonts and maps of characters are for PDFs that name them and do not bring them.
 */
const BYTES = 'application/octet-stream';
export const PDF_WORKER = 'pdf.worker.js';
const PDF_FILES: Readonly<Record<string, string>> = {
  'pdf.js': 'build/pdf.min.mjs',
  [PDF_WORKER]: 'build/pdf.worker.min.mjs',
  'openjpeg_nowasm_fallback.js': 'wasm/openjpeg_nowasm_fallback.js',
  'jbig2_nowasm_fallback.js': 'wasm/jbig2_nowasm_fallback.js',
};

function readPdfJs(): AssetTexts {
  const folder = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const rare = (type: string, file: string) => ({ type, text: readFileSync(path.join(folder, file)), isRare: true as const });
  const among = (within: string, ending: string, type: string) =>
    filesIn(path.join(folder, within), ending).map((name) => [name, rare(type, `${within}/${name}`)] as const);
  return Object.fromEntries([
    ...Object.entries(PDF_FILES).map(([name, file]) => [name, rare(JAVASCRIPT, file)] as const),
    ...among('standard_fonts', '.ttf', 'font/ttf'),
    ...among('standard_fonts', '.pfb', BYTES),
    ...among('cmaps', '.bcmap', BYTES),
  ]);
}

/** The tokens come first; what follows may use them. */
function readStyles(): string {
  const first = ['tokens.css', 'base.css', 'parts.css'];
  const others = filesIn(path.join(FOLDER, 'styles'), '.css').filter((name) => !first.includes(name));
  return [...first, ...others].map((name) => readFileSync(path.join(FOLDER, 'styles', name), 'utf8')).join('\n');
}

/** The modules that every page needs, one behind the other, each in a block of its own: they import nothing. */
function readCore(): string {
  const folder = path.join(FOLDER, 'browser/core');
  return filesIn(folder, '.ts')
    .map((name) => `{\n${readModule(path.join(folder, name)).replace(/^export \{\};?$/m, '')}}\n`)
    .join('');
}
