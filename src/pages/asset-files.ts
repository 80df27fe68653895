/**
 * Files that browsers load, read once and compressed when they are first asked for, with the digest of all in their address:
 * they may be kept for ever.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

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
  /** The file of that name, of whatever version there is. */
  latest(name: string): Asset | undefined;
}

interface AssetText {
  type: string;
  /** Of a font or a table its bytes. */
  text: string | Buffer;
  /** Large, and few ever load it: compressed quickly. */
  isRare?: true;
}

export type AssetTexts = Readonly<Record<string, AssetText>>;

export const JAVASCRIPT = 'text/javascript; charset=utf-8';
export const STYLES = 'text/css; charset=utf-8';

/** Of files by name, whose addresses begin with `path`. */
export function assetsOf(path: string, texts: AssetTexts): Assets {
  const digest = createHash('sha256');
  for (const [name, { text }] of Object.entries(texts)) digest.update(`${name}\0`).update(text).update('\0');
  const version = digest.digest('base64url').slice(0, 16);
  const files = new Map(
    Object.entries(texts).map(([name, { type, text, isRare }]) => [name, compressed(type, text, isRare ? 5 : 9)]),
  );
  return {
    url(name) {
      if (!files.has(name)) throw new Error(`there is no asset ${name}`);
      return `${path}/${version}/${name}`;
    },
    find: (asked, name) => (asked === version ? files.get(name) : undefined),
    latest: (name) => files.get(name),
  };
}

/** Whoever asks first waits until it is compressed, and so does everybody else. */
export function compressed(type: string, text: string | Buffer, quality = 9): Asset {
  const plain = typeof text === 'string' ? Buffer.from(text) : text;
  let br: Buffer | undefined;
  let gzip: Buffer | undefined;
  return {
    type,
    plain,
    get br() {
      br ??= brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
      return br;
    },
    get gzip() {
      gzip ??= gzipSync(plain);
      return gzip;
    },
  };
}

/** A TypeScript file as the module that browsers run: without its types, and importing its neighbours under their addresses. */
export function readModule(file: string): string {
  const script = stripTypeScriptTypes(readFileSync(file, 'utf8'), { mode: 'strip' });
  // Blanks stand where types were.
  return script.replace(/[ \t]+$/gm, '').replace(/(['"]\.{1,2}\/[\w/-]+)\.ts(['"])/g, '$1.js$2');
}

/** The files of a folder with that ending, by name. */
export function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending) && !name.endsWith('.d.ts'))
    .toSorted();
}

/** The headers of how long it is kept are the caller's. */
export function sendAsset(req: Request, res: Response, asset: Asset): void {
  const encoding = req.acceptsEncodings(['br', 'gzip', 'identity']);
  const bytes = encoding === 'br' ? asset.br : encoding === 'gzip' ? asset.gzip : asset.plain;
  res.setHeader('Vary', 'Accept-Encoding');
  if (bytes !== asset.plain) res.setHeader('Content-Encoding', String(encoding));
  res.setHeader('Content-Type', asset.type);
  res.send(bytes);
}
