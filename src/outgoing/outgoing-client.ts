/**
 * The one HTTP client for addresses that a tenant has chosen. Such an address is hostile: it must not
 * lead into our own network, nor hold us up, nor fill our memory. A host name is resolved once a
 * call, all of its addresses must be public, and the connection goes to what was checked, so that a
 * second answer of the name server gains nothing.
 */
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { apart } from '../apart.ts';
import { findAddressFault, findBaseUrlFault, isAllowedHost, KYC_VENDOR_ORIGIN } from './address-form.ts';
import { type DeliveryLine, openDeliveryLine } from './delivery-line.ts';
import { createHostLookUp } from './look-up-host.ts';
import { OutgoingFault, toOutgoingFault } from './outgoing-fault.ts';
import { isPublicAddress } from './public-address.ts';

const CONNECT_MS = 3_000;
const WHOLE_MS = 5_000;
/** A receiver of events may do its work before it answers. */
const DELIVERY_MS = 15_000;
/** Less than servers usually keep a connection that is idle. */
const IDLE_MS = 2_000;
const MAX_BODY_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

export interface OutgoingClient {
  /** What is wrong with the form of an address, or undefined. Nothing is looked up. */
  checkAddress(address: string): string | undefined;
  /** The JSON at an address, of one of the content types; follows no redirect. Throws OutgoingFault. */
  fetchJson(address: string, contentTypes: readonly string[]): Promise<unknown>;
  /** Whatever an address answers to a form; follows no redirect. Throws OutgoingFault when there is no answer. */
  postForm(address: string, form: URLSearchParams, headers: Record<string, string>): Promise<OutgoingAnswer>;
  /** For posts to an address, one after another or at once; to be closed soon. An address of bad form is a fault of each. */
  openDeliveries(address: string): DeliveryLine;
  /** What is wrong with the address of a vendor's API, or undefined. Nothing is looked up. */
  checkBaseUrl(address: string): string | undefined;
  /** Whatever a vendor's API answers, redirects and errors too. Throws OutgoingFault when there is no answer. */
  request(baseUrl: string, request: OutgoingRequest): Promise<OutgoingAnswer>;
}

export interface OutgoingRequest {
  method: 'GET' | 'POST';
  /** With the query, as it goes over the wire. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
  /** For all of it, a whole number; no longer than the client allows any call. */
  timeoutMs: number;
}

export interface OutgoingAnswer {
  status: number;
  header(name: string): string | undefined;
  text: string;
}

type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Tests stand in for the name server here, and never otherwise. */
export interface OutgoingSeams {
  /** Of every host. */
  resolve?: Resolve;
  /** `address:port` of the name servers; default those of the machine. */
  nameServers?: readonly string[];
  /** Trusted beside nothing else; default Node's own store. */
  ca?: string;
}

/** `allowedHosts` may be private and on any port: OUTGOING_ALLOWED_HOSTS. */
export function createOutgoingClient(
  allowedHosts: readonly string[],
  { resolve, nameServers, ca }: OutgoingSeams = {},
): OutgoingClient {
  const lookUpHost = createHostLookUp(nameServers);
  const resolveStrange: Resolve = (host, _options, done) => {
    lookUpHost(host).then(
      (addresses) => done(null, addresses),
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };
  const checkAddress = (address: string): string | undefined => findAddressFault(address, allowedHosts);
  const checkBaseUrl = (address: string): string | undefined => findBaseUrlFault(address, allowedHosts, KYC_VENDOR_ORIGIN);

  /** A host that the deployment vouches for may be a container or stand in /etc/hosts, which the operating system knows. */
  function resolverOf(allowed: boolean): LookupFunction {
    return checkingLookup(resolve ?? (allowed ? lookup : resolveStrange), allowed);
  }

  /** A connection of its own for each call: a kept one would outlive the check. `kept`: for the next as well. */
  function connectTo(url: URL, { wholeMs = WHOLE_MS, kept = false } = {}): Client {
    return new Client(url.origin, {
      pipelining: kept ? 1 : 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      headersTimeout: wholeMs,
      bodyTimeout: wholeMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      maxResponseSize: MAX_BODY_BYTES,
      connect: {
        timeout: CONNECT_MS,
        lookup: resolverOf(isAllowedHost(url, allowedHosts)),
        ...(ca === undefined ? {} : { ca }),
      },
    });
  }

  /** `read` has the answer while its connection is open. */
  async function exchange<T>(
    url: URL,
    { method, headers, body, timeoutMs }: Omit<OutgoingRequest, 'path'>,
    read: (answer: Dispatcher.ResponseData) => Promise<T>,
  ): Promise<T> {
    const client = connectTo(url);
    try {
      const answer = await client.request({
        method,
        path: url.pathname + url.search,
        headers: { ...headers, 'accept-encoding': 'identity' },
        body: body ?? null,
        signal: AbortSignal.timeout(Math.min(timeoutMs, WHOLE_MS)),
      });
      answer.body.on('error', () => undefined); // of a body that is left unread
      return await read(answer);
    } catch (error) {
      throw toOutgoingFault(error);
    } finally {
      await client.destroy();
    }
  }

  return {
    checkAddress,
    checkBaseUrl,
    async fetchJson(address, contentTypes) {
      if (checkAddress(address) !== undefined) throw new OutgoingFault('blocked_address');
      const asked = { method: 'GET', headers: { accept: contentTypes.join(', ') }, timeoutMs: WHOLE_MS } as const;
      return apart(() => exchange(new URL(address), asked, (answer) => readJson(answer, contentTypes)));
    },
    async postForm(address, form, headers) {
      if (checkAddress(address) !== undefined) throw new OutgoingFault('blocked_address');
      const asked = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from(form.toString()),
        timeoutMs: WHOLE_MS,
      } as const;
      return apart(() => exchange(new URL(address), asked, readAnswer));
    },
    openDeliveries(address) {
      const url = checkAddress(address) === undefined ? new URL(address) : undefined;
      return openDeliveryLine(url, (to) => connectTo(to, { wholeMs: DELIVERY_MS, kept: true }));
    },
    async request(baseUrl, { path, ...request }) {
      if (checkBaseUrl(baseUrl) !== undefined) throw new OutgoingFault('blocked_address');
      const url = new URL(new URL(baseUrl).origin + path);
      // What was signed is what is sent: the parser must have left the path as it was.
      if (url.pathname + url.search !== path) throw new Error('the path of an outgoing request is not in its final form');
      return apart(() => exchange(url, request, readAnswer));
    },
  };
}

/** Not called for IP literals, which `checkAddress` judges. */
function checkingLookup(resolve: Resolve, allowed: boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) callback(error, []);
      else if (!first || (!allowed && addresses.some(({ address }) => !isPublicAddress(address)))) {
        callback(new OutgoingFault('blocked_address'), []);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

async function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<OutgoingAnswer> {
  refuseEncoded(headers['content-encoding']);
  const text = await body.text();
  return { status: statusCode, header: (name) => headers[name]?.toString(), text };
}

async function readJson(answer: Dispatcher.ResponseData, contentTypes: readonly string[]): Promise<unknown> {
  const { statusCode, headers, body } = answer;
  if (statusCode >= 300 && statusCode < 400) throw new OutgoingFault('redirect');
  if (statusCode >= 500) throw new OutgoingFault('server_error');
  if (statusCode !== 200) throw new OutgoingFault('status');
  const [contentType = ''] = String(headers['content-type'] ?? '').split(';');
  if (!contentTypes.includes(contentType.trim().toLowerCase())) throw new OutgoingFault('content_type');
  refuseEncoded(headers['content-encoding']);
  const text = await body.text();
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new OutgoingFault('not_json', error);
  }
}

/** No encoding was asked for, and a small one may become a very large body. */
function refuseEncoded(encoding: string | string[] | undefined): void {
  if (!/^(identity)?$/i.test(String(encoding ?? ''))) throw new OutgoingFault('encoded');
}
