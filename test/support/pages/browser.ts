/** What a browser keeps and sends, as far as tests of pages need it: cookies, the word where a form comes from, forms. */
import { request } from 'node:http';

export interface Opened {
  status: number;
  headers: Headers;
  text: string;
  /** Where it leads on; undefined when it is a page. */
  location: string | undefined;
}

export interface Browser {
  /** A cookie from outside. */
  keep(setCookie: string): void;
  cookie(name: string): string | undefined;
  open(path: string, headers?: Record<string, string>): Promise<Opened>;
  /** Sends a form that stands on a page, with what is typed. */
  send(
    page: Opened & { path?: string },
    action: string,
    typed?: Record<string, string | string[]>,
    options?: SendOptions,
  ): Promise<Opened>;
  /** The same with a file behind the fields, as a browser sends a form of parts. */
  sendFile(page: Opened, action: string, typed: Record<string, string>, file: File): Promise<Opened>;
  post(path: string, body: URLSearchParams | string, headers?: Record<string, string>): Promise<Opened>;
}

export interface SendOptions {
  /** Which of several forms of one action. */
  key?: string;
  headers?: Record<string, string>;
}

/** `always` are headers of each of its requests; `from` is an address of this machine that it connects from. */
export function createBrowser(baseUrl: string, always: Readonly<Record<string, string>> = {}, from?: string): Browser {
  const cookies = new Map<string, string>();
  const keep = (line: string): void => {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    if (/;\s*max-age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, pair.slice(at + 1));
  };
  async function ask(path: string, init: RequestInit): Promise<Opened> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...always, ...(cookie !== '' && { cookie }), ...(init.headers as Record<string, string>) };
    const asked = { ...init, headers, redirect: 'manual' } as const;
    const url = new URL(path, baseUrl);
    const answer = await (from === undefined ? fetch(url, asked) : askFrom(from, url, asked));
    for (const line of answer.headers.getSetCookie()) keep(line);
    const location = answer.headers.get('location') ?? undefined;
    return { status: answer.status, headers: answer.headers, text: await answer.text(), location };
  }
  const browser: Browser = {
    keep,
    cookie: (name) => cookies.get(name),
    open: (path, headers = {}) => ask(path, { headers: { 'sec-fetch-site': 'same-origin', ...headers } }),
    post: (path, body, headers = { 'sec-fetch-site': 'same-origin' }) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: body.toString(),
      }),
    async sendFile(page, action, typed, file) {
      const form = formsOf(page.text).find(({ fields }) => fields.get('_do') === action);
      if (!form) throw new Error(`no form of ${action} on the page: ${page.text.slice(0, 500)}`);
      for (const [name, value] of Object.entries(typed)) form.fields.set(name, value);
      const parts = new FormData();
      for (const [name, value] of form.fields) parts.append(name, value);
      parts.append('file', file);
      return ask(form.address, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' }, body: parts });
    },
    async send(page, action, typed = {}, { key, headers } = {}) {
      const form = formsOf(page.text).find(
        ({ fields }) => fields.get('_do') === action && (key === undefined || fields.get('_form') === key),
      );
      if (!form) throw new Error(`no form of ${action} on the page: ${page.text.slice(0, 500)}`);
      for (const [name, value] of Object.entries(typed)) {
        form.fields.delete(name);
        for (const one of [value].flat()) form.fields.append(name, one);
      }
      return browser.post(form.address, form.fields, headers);
    },
  };
  return browser;
}

/** As `fetch` of a text, which cannot choose the address that it connects from. */
function askFrom(
  localAddress: string,
  url: URL,
  { method = 'GET', headers, body }: { method?: string; headers: Record<string, string>; body?: RequestInit['body'] },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, localAddress, agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', reject);
      answer.on('end', () => {
        const all = new Headers();
        for (let at = 0; at < answer.rawHeaders.length; at += 2)
          all.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '');
        const text = Buffer.concat(pieces).toString();
        resolve(new Response(text === '' ? null : text, { status: answer.statusCode ?? 0, headers: all }));
      });
    });
    sent.on('error', reject);
    sent.end(typeof body === 'string' ? body : undefined);
  });
}

export interface FormOnPage {
  address: string;
  fields: URLSearchParams;
}

/** The forms of a document with what a browser would send of them untouched. */
export function formsOf(text: string): FormOnPage[] {
  return [...text.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = '', inner = '']) => {
    const fields = new URLSearchParams();
    for (const [tag] of inner.matchAll(/<input\b[^>]*>/g)) {
      const name = attribute(tag, 'name');
      const type = attribute(tag, 'type');
      if (name === undefined || type === 'file' || ((type === 'checkbox' || type === 'radio') && !/\schecked\b/.test(tag)))
        continue;
      fields.append(name, attribute(tag, 'value') ?? '');
    }
    for (const [, tag = '', value = ''] of inner.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs))
      fields.append(attribute(tag, 'name') ?? '', unescaped(value));
    for (const [, tag = '', options = ''] of inner.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
      const chosen = /<option value="([^"]*)" selected>/.exec(options) ?? /<option value="([^"]*)"/.exec(options);
      fields.append(attribute(tag, 'name') ?? '', unescaped(chosen?.[1] ?? ''));
    }
    return { address: unescaped(attribute(head, 'action') ?? ''), fields };
  });
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : unescaped(found);
}

function unescaped(text: string): string {
  const signs: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (sign) => signs[sign] ?? sign);
}
