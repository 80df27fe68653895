/**
 * A shop of the demo tenant on an origin of its own, whose account page has the widget: what a tenant builds, to be
 * looked at and to be copied. Source: docs/specification/widget.md#example.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createShopApi, type ShopApi } from './shop-api.ts';
import { isOfOwnPage, shopOriginOf } from './shop-origin.ts';
import { drawShop, isLocale } from './shop-view.ts';
import { createVisits, type Visits } from './visits.ts';

export interface ExampleHostOptions {
  /** 0 is a free one. */
  port: number;
  host: string;
  /** Where browsers reach the service. */
  serviceUrl: string;
  /** Where this process reaches it. */
  apiUrl: string;
  /** A SANDBOX key of the demo tenant. */
  apiKey: string;
}

export interface ExampleHost {
  port: number;
  close(): Promise<void>;
}

const MOST_BODY_BYTES = 2_048;
const REQUEST_MS = 10_000;
const CSS = readFileSync(path.join(import.meta.dirname, 'shop.css'));
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2f6b3a" d="M2 14C1 6 6 2 15 1c0 9-4 14-11 12z"/></svg>';

/** Listens. Resolves to why not where the port cannot be had: the service does without it. */
export async function openExampleHost(options: ExampleHostOptions): Promise<ExampleHost | 'taken' | 'refused'> {
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
    shopListener(options.serviceUrl, createShopApi(options.apiUrl, options.apiKey), createVisits()),
  );
  const fault = await listen(server, options);
  if (fault) return fault.code === 'EADDRINUSE' ? 'taken' : 'refused';
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, { port, host }: ExampleHostOptions): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(port, host, () => {
      server.off('error', resolve);
      resolve(undefined);
    });
  });
}

type Listener = (req: IncomingMessage, res: ServerResponse) => void;

function shopListener(serviceUrl: string, api: ShopApi, visits: Visits): Listener {
  const headers = {
    'Content-Security-Policy': policyOf(new URL(serviceUrl).origin),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
  return (req, res) => {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    answer({ req, res, serviceUrl, api, visits }).catch((error: unknown) => {
      if (res.headersSent) res.destroy();
      else if (error instanceof TooLong) sendText(res, 413, 'That is too long.');
      else sendText(res, 500, 'Something went wrong.');
    });
  };
}

/** What a host page needs for the widget is one entry for the script and one for the frame. */
function policyOf(serviceOrigin: string): string {
  return [
    "default-src 'none'",
    `script-src ${serviceOrigin}`,
    `frame-src ${serviceOrigin}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

class TooLong extends Error {}

interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  serviceUrl: string;
  api: ShopApi;
  visits: Visits;
}

async function answer(exchange: Exchange): Promise<void> {
  const { req, res } = exchange;
  const origin = shopOriginOf(req);
  if (origin === undefined) {
    return sendText(res, 403, 'This example is for the machine that it runs on: http://localhost and its port.');
  }
  const url = URL.parse(req.url ?? '', origin);
  const asked = `${req.method === 'HEAD' ? 'GET' : req.method} ${url?.pathname}`;
  if (req.method === 'POST' && !isOfOwnPage(req, origin)) return sendText(res, 403, 'Only pages of this shop may send that.');
  if (asked === 'GET /') return showShop(exchange, url?.searchParams.get('lang') ?? '');
  if (asked === 'GET /shop.css') return void res.writeHead(200, { 'Content-Type': 'text/css; charset=utf-8' }).end(CSS);
  if (asked === 'GET /favicon.svg') return void res.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(ICON);
  if (asked === 'POST /sign-in') return signIn(exchange);
  if (asked === 'POST /sign-out') return signOut(exchange);
  if (asked === 'POST /referral-session') return giveToken(exchange, origin);
  return sendText(res, 404, 'There is no such page in this shop.');
}

async function showShop({ req, res, serviceUrl, api, visits }: Exchange, lang: string): Promise<void> {
  const members = await api.listMembers();
  const memberId = visits.of(req)?.memberId;
  const page = drawShop({
    serviceUrl,
    members,
    signedIn: members?.find(({ id }) => id === memberId),
    locale: isLocale(lang) ? lang : 'en',
  });
  res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
}

async function signIn(exchange: Exchange): Promise<void> {
  const { req, res, api, visits } = exchange;
  const form = new URLSearchParams(await readBody(req));
  const members = await api.listMembers();
  const chosen = members?.find(({ id }) => id === form.get('member'));
  if (!chosen) return sendText(res, 400, 'There is no such member.');
  const setCookie = visits.begin(chosen.id);
  await endVisit(exchange);
  seeShop(res, setCookie, form.get('lang'));
}

async function signOut(exchange: Exchange): Promise<void> {
  const form = new URLSearchParams(await readBody(exchange.req));
  const setCookie = await endVisit(exchange);
  seeShop(exchange.res, setCookie, form.get('lang'));
}

/** The widget's sessions end with the shop's: nothing that was handed to the browser is good for anything afterwards. */
async function endVisit({ req, api, visits }: Exchange): Promise<string> {
  const { visit, setCookie } = visits.end(req);
  await Promise.all([...(visit?.widgetSessions ?? [])].map((sessionId) => api.end(sessionId)));
  return setCookie;
}

function seeShop(res: ServerResponse, setCookie: string, lang: string | null): void {
  const location = lang !== null && isLocale(lang) ? `/?lang=${lang}` : '/';
  res.writeHead(303, { Location: location, 'Set-Cookie': setCookie }).end();
}

/** What `<mcr-referrals src>` asks: a session for whoever is signed in here, or another token of theirs. */
async function giveToken({ req, res, api, visits }: Exchange, origin: string): Promise<void> {
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? '')) return sendJson(res, 415, { code: 'JSON_EXPECTED' });
  const asked = jsonOf(await readBody(req));
  if (!asked) return sendJson(res, 400, { code: 'VALIDATION_ERROR' });
  const visit = visits.of(req);
  if (!visit) return sendJson(res, 401, { code: 'UNAUTHORIZED' });
  const { sessionId } = asked;
  if (sessionId !== undefined && typeof sessionId !== 'string') return sendJson(res, 400, { code: 'VALIDATION_ERROR' });
  const { status, body } = await (sessionId === undefined
    ? api.begin(visit.memberId, origin)
    : api.refresh(visit.memberId, sessionId));
  if (typeof body['sessionId'] === 'string') visit.widgetSessions.add(body['sessionId']);
  sendJson(res, status, body);
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BODY_BYTES) throw new TooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

function sendText(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
