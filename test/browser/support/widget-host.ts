/** A tenant's site that embeds the widget: pages of its own, on a port of its own, with the strictest policy that lets it in. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the site answers; a page without a policy has none. */
export interface HostAnswer {
  body: string;
  type?: string;
  policy?: string;
  status?: number;
}

export interface HostSite {
  /** As the tenant allows it. The service is on another site than this: `localhost` and not figures. */
  origin: string;
  /** The same pages on an origin that nobody allowed. */
  strange: string;
  /** Says what a path answers from now on; a function hears the body that came. */
  put(path: string, answer: HostAnswer | ((body: string) => HostAnswer | Promise<HostAnswer>)): void;
  close(): void;
}

export async function startHost(): Promise<HostSite> {
  const answers = new Map<string, HostAnswer | ((body: string) => HostAnswer | Promise<HostAnswer>)>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await read(request);
    const found = answers.get(new URL(request.url ?? '/', 'http://host').pathname);
    const { body: text, type, policy, status } = (typeof found === 'function' ? await found(body) : found) ?? NOTHING;
    if (policy !== undefined) response.setHeader('content-security-policy', policy);
    response.writeHead(status ?? 200, { 'content-type': type ?? 'text/html; charset=utf-8' }).end(text);
  };
  const server: Server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    strange: `http://localhost:${port}`,
    put: (path, answer) => void answers.set(path, answer),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const NOTHING: HostAnswer = { status: 404, body: '' };

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** All that a page has to allow: one entry for the script and one for the frame. */
export function strictPolicy(service: string): string {
  return `default-src 'none'; script-src ${service}; frame-src ${service}`;
}

/** A page that loads the module by its address and holds no code; `inside` stands in its main part. */
export function hostPage(service: string, inside: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A shop</title>
<script type="module" src="${service}/widget/embed.js"></script>
</head>
<body><main><h1>My account</h1>${inside}</main></body>
</html>`;
}

export function json(value: unknown, status = 200): HostAnswer {
  return { type: 'application/json', body: JSON.stringify(value), status };
}
