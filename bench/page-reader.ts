/** Somebody who opens pages of the dashboard, signed in, over one connection. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { cookieNameOf } from '../src/features/staff/open/session-cookie.ts';
import { plantPerson } from '../test/support/pages/plant-person.ts';
import type { Stage, Tenant } from './stage.ts';

export interface Reader {
  /** Throws unless it is a page. */
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<void>;
  isPage(path: string): Promise<boolean>;
  /** Where an address leads on, behind the environment. Throws where it does not. */
  redirectOf(path: string): Promise<string>;
  /** What goes over the wire for a page alone, and with all that it loads; heads and bodies, compressed. */
  bytesOf(path: string): Promise<{ page: number; all: number }>;
}

/** An owner of the tenant, signed in, with one connection. */
export async function readerOf(stage: Stage, serviceUrl: string, { tenantId, environment }: Tenant): Promise<Reader> {
  const { cookie } = await plantPerson((text, values) => stage.sql(text, values), tenantId, { role: 'owner' });
  const [row] = await stage.sql<{ slug: string }>('select slug from tenant where id = $1', [tenantId]);
  const origin = serviceUrl.replace('127.0.0.1', 'localhost');
  const home = `${origin}/dashboard/${row?.slug}/${environment.toLowerCase()}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const own = { cookie: `${cookieNameOf(false)}=${cookie}`, 'accept-encoding': 'br', accept: 'text/html' };
  const load = (url: string, more: Readonly<Record<string, string>> = {}, status = 200): Promise<Loaded> =>
    new Promise((resolve, reject) => {
      const headers = { ...own, ...more };
      const sent = request(url, { agent, headers, family: 4 }, (answer: IncomingMessage) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject);
        answer.once('end', () => {
          const body = Buffer.concat(chunks);
          if (answer.statusCode !== status)
            return reject(new Error(`${url}: ${answer.statusCode} ${body.toString().slice(0, 300)}`));
          const head = answer.rawHeaders.reduce((sum, text) => sum + text.length + 2, 17);
          const { location, 'content-encoding': encoding, 'content-type': type = '' } = answer.headers;
          resolve({ body, bytes: head + body.length, encoding, location, type });
        });
      });
      sent.once('error', reject).end();
    });
  return {
    open: async (path, more) => void (await load(home + path, more)),
    isPage: async (path) => (await load(home + path)).type.startsWith('text/html'),
    async redirectOf(path) {
      const { location = '' } = await load(home + path, {}, 303);
      return location.slice(new URL(home).pathname.length).replace(/#.*/, '');
    },
    async bytesOf(path) {
      const page = await load(home + path);
      const wanted = new Set(namedIn(textOf(page), `${home}${path}`));
      let all = page.bytes;
      for (const url of wanted) {
        const file = await load(url);
        all += file.bytes;
        // A module names others; a set grows while it is gone through.
        if (url.endsWith('.js')) for (const other of importsOf(textOf(file), url)) wanted.add(other);
      }
      return { page: page.bytes, all };
    },
  };
}

interface Loaded {
  body: Buffer;
  bytes: number;
  encoding: string | undefined;
  location: string | undefined;
  type: string;
}

function textOf({ body, encoding }: Pick<Loaded, 'body' | 'encoding'>): string {
  if (encoding === 'br') return brotliDecompressSync(body).toString();
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
}

/** Scripts, styles, icons and pictures of a page. */
function namedIn(html: string, base: string): string[] {
  return [...html.matchAll(/<(?:script|img)[^>]*\ssrc="([^"]+)"|<link[^>]*\shref="([^"]+)"/g)].map(
    ([, src, href]) => new URL(src ?? href ?? '', base).href,
  );
}

function importsOf(script: string, base: string): string[] {
  return [...script.matchAll(/\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g)]
    .map(([, one, other]) => one ?? other ?? '')
    .filter((name) => name.startsWith('.') || name.startsWith('/'))
    .map((name) => new URL(name, base).href);
}
