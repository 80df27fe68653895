/**
 * The documentation over HTTP: pages drawn when one is first asked for, compressed once, kept by browsers for minutes. No
 * page needs a script, and none but Swagger UI has a policy that allows a style within the page.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Request, Response, Router } from 'express';
import { AppError, type CodeRow } from '../errors.ts';
import type { JsonObject } from '../http/document/objects.ts';
import { nearName } from '../http/near-name.ts';
import { type Asset, assetsOf, compressed, JAVASCRIPT, readModule, STYLES, sendAsset } from '../pages/asset-files.ts';
import { policyOf } from '../pages/policy.ts';
import type { DocsSite } from './site.ts';
import { mountSwagger } from './swagger.ts';

const POLICY = policyOf(undefined);
const FILES = '/docs/files';
const STYLES_FOLDER = path.join(import.meta.dirname, '../pages/styles');

/** Pages that are not drawn ahead. */
const BESIDE = new Set(['/docs/try', '/docs/search', '/docs/guides', '/docs/api']);

interface Kept {
  /** Compressed when it is first asked for. */
  asset(): Asset;
  etag: string;
}

export interface DocsParts {
  document(): JsonObject;
  errors: Readonly<Record<string, CodeRow>>;
  /** Where `/` leads. */
  home: '/docs' | '/dashboard';
}

interface Drawn {
  assets: ReturnType<typeof assetsOf>;
  site: DocsSite;
  kept: ReadonlyMap<string, Kept>;
}

/** Takes some tenths of a second, and what draws is loaded for it: a process that is asked for no page does without. */
async function draw({ document, errors }: DocsParts): Promise<Drawn> {
  const { drawSite } = await import('./site.ts');
  const styles = [path.join(STYLES_FOLDER, 'tokens.css'), path.join(import.meta.dirname, 'docs.css')];
  const assets = assetsOf(FILES, {
    'docs.css': { type: STYLES, text: styles.map((file) => readFileSync(file, 'utf8')).join('\n') },
    'try-it.js': { type: JAVASCRIPT, text: readModule(path.join(import.meta.dirname, 'browser/try-it.ts')) },
  });
  const site = drawSite(document(), errors, { styles: assets.url('docs.css'), script: assets.url('try-it.js') });
  const kept = new Map(Array.from(site.texts, ([address, { type, text }]): [string, Kept] => [address, keep(type, text)]));
  return { assets, site, kept };
}

export function mountDocs(router: Router, parts: DocsParts): void {
  let made: Promise<Drawn> | undefined;
  const drawn = (): Promise<Drawn> => {
    made ??= draw(parts).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };

  router.get('/', (_req, res) => res.redirect(302, parts.home));
  router.get(`${FILES}/:version/:name`, async (req, res) => {
    const { version, name } = req.params;
    const { assets } = await drawn();
    const asset = assets.find(version, name);
    if (!asset) throw new AppError('NOT_FOUND', 'No such path');
    res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    sendAsset(req, res, asset);
  });
  mountSwagger(router);
  router.get('/docs/search', async (req, res) => {
    const { q } = req.query;
    const { site } = await drawn();
    sendPage(res, 200, site.search(typeof q === 'string' ? q : ''));
  });
  router.get(['/docs/guides', '/docs/api'], (_req, res) => res.redirect(308, '/docs'));
  router.get(['/llms.txt', '/docs', '/docs/*rest'], async (req, res) => {
    const { site, kept } = await drawn();
    const found = kept.get(req.path);
    if (found) return sendKept(req, res, found);
    const bare = withoutSlashes(req.path);
    if (bare !== req.path && (kept.has(bare) || BESIDE.has(bare))) return res.redirect(308, bare);
    // A program is answered as everywhere; a page is for who reads it.
    if (req.accepts(['application/json', 'text/html']) !== 'text/html') throw new AppError('NOT_FOUND', 'No such path');
    const nearest = nearName(
      lastPart(bare),
      site.pages.map((page) => lastPart(page.path)),
    );
    sendPage(
      res,
      404,
      site.missing(
        bare,
        site.pages.find((page) => lastPart(page.path) === nearest),
      ),
    );
  });
}

const lastPart = (address: string): string => address.slice(address.lastIndexOf('/') + 1);

function keep(type: string, text: string): Kept {
  let asset: Asset | undefined;
  return {
    asset: () => (asset ??= compressed(type, text)),
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
  };
}

/** Its end is looked at letter by letter: a pattern would take long for a long row of slashes. */
function withoutSlashes(address: string): string {
  let end = address.length;
  while (end > 1 && address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

function setHeaders(res: Response): void {
  res.setHeader('Content-Security-Policy', POLICY);
  res.setHeader('Referrer-Policy', 'same-origin');
}

function sendKept(req: Request, res: Response, { asset, etag }: Kept): void {
  setHeaders(res);
  res.setHeader('Cache-Control', 'public, max-age=300');
  res.setHeader('ETag', etag);
  res.setHeader('Vary', 'Accept-Encoding');
  if (req.fresh) return void res.status(304).end();
  sendAsset(req, res, asset());
}

function sendPage(res: Response, status: number, text: string): void {
  setHeaders(res);
  res.status(status).type('html').send(text);
}
