/**
 * The guard between the wire and zod: it refuses what a parser would silently change or a database
 * could not store. Source and expected answers: docs/specification/conventions.md#wire.
 */
import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { AppError, type FieldFault, invalidField, invalidFields } from '../errors.ts';
import type { SentRequest } from './held-back.ts';
import { findJsonFault } from './json-fault.ts';
import type { BodyLimit } from './operation.ts';
import { findRepeatedKeys } from './repeated-keys.ts';

const MAX_DEPTH = 32;
const TOO_DEEP = `the body is nested more than ${MAX_DEPTH} deep`;
const MAX_KEYS = 1000;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

export interface BodyReader {
  /** The parsed JSON body, or undefined when the request has none. `limit` is for an operation that takes larger ones. */
  read(req: Request, res: Response, limit?: BodyLimit): Promise<unknown>;
}

export function createBodyReader(limitBytes: number): BodyReader {
  const usual = { bytes: limitBytes, keys: MAX_KEYS };
  /** body-parser makes an empty object of a body that turns out to be empty (chunked, compressed). */
  const empty = new WeakSet<object>();
  const looked = new WeakMap<object, Looked>();
  const parsers = new Map<number, RequestHandler>();
  const parserOf = (bytes: number): RequestHandler => {
    const parser = parsers.get(bytes) ?? createParser(bytes, empty, looked);
    parsers.set(bytes, parser);
    return parser;
  };
  return {
    async read(req, res, limit = usual) {
      const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
      if (!hasBody) return undefined;
      refuseOtherMedia(req);
      await new Promise<void>((resolve, reject) => {
        parserOf(limit.bytes)(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(fromParserError(error))));
      });
      if (empty.has(req)) return undefined;
      const kept = refuseUnsafeValues(req.body, limit.keys);
      const sent = looked.get(req);
      looked.delete(req);
      if (sent && sent.members !== kept) throw invalidFields(findRepeatedKeys(sent.bytes.toString()));
      return req.body as unknown;
    },
  };
}

/** What was sent: of two members with one key the parser keeps the last, so a number tells whether it kept all. */
interface Looked {
  bytes: Buffer;
  members: number;
}

/** Vendors' events are a few kilobytes. */
const MAX_RAW_BYTES = 256 * 1024;

const rawParser = express.raw({ type: () => true, limit: MAX_RAW_BYTES, inflate: false });

/** The bytes that were sent, of any type: a signature is over these, so a compressed body is refused. */
export async function readRawBody(req: Request, res: Response): Promise<Buffer> {
  await new Promise<void>((resolve, reject) => {
    rawParser(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(fromParserError(error))));
  });
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

function createParser(limitBytes: number, empty: WeakSet<object>, looked: WeakMap<object, Looked>): RequestHandler {
  return express.json({
    limit: limitBytes,
    strict: true,
    inflate: true,
    type: () => true,
    verify: (req, _res, bytes) => {
      if (bytes.length === 0) empty.add(req);
      // body-parser answers 403 to a verify error unless it carries a status, and drops its class.
      if (!isUtf8(bytes)) throw wireError('the body is not valid UTF-8');
      const members = countMembers(bytes, MAX_DEPTH);
      if (members === undefined) throw wireError(TOO_DEEP);
      looked.set(req, { bytes, members });
    },
  });
}

/** 400 when the URL has a broken escape or a NUL; node's query parser would replace them silently. */
export function refuseBrokenUrl(url: string): void {
  if (!url.includes('%')) return;
  let decoded: string;
  try {
    decoded = decodeURIComponent(url);
  } catch {
    throw invalidField('url', 'has a malformed percent escape');
  }
  if (decoded.includes('\0')) throw invalidField('url', 'has a NUL character');
}

/** 400 naming each query parameter that is given more than once. */
export function refuseRepeatedParameters(query: object): void {
  const repeated = Object.entries(query).filter(([, value]) => typeof value !== 'string');
  if (repeated.length > 0) {
    throw invalidFields(repeated.map(([field]) => ({ field, message: 'is given more than once' })));
  }
}

/** One mention of a charset at most, and that utf-8: a second one could hide in a quoted parameter. */
export function isUtf8Type(type: string): boolean {
  const mentions = type.match(/charset/gi)?.length ?? 0;
  return mentions === 0 || (mentions === 1 && /;\s*charset\s*=\s*(?:utf-?8|"utf-?8")\s*(?:;|$)/i.test(type));
}

function refuseOtherMedia(req: Request): void {
  const type = req.headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type) || !isUtf8Type(type)) {
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as JSON in UTF-8, with the header content-type: application/json',
    );
  }
}

function wireError(message: string): Error {
  return Object.assign(new Error(message), { status: 400, wire: message });
}

/** body-parser's errors carry the raw body; only their kind is kept, and where it is not JSON. */
function fromParserError(error: unknown): AppError {
  const { type, wire, body } = error as { type?: string; wire?: string; body?: unknown };
  if (wire !== undefined) return invalidField('', wire);
  if (type === 'entity.too.large') return new AppError('BODY_TOO_LARGE', 'The request body is too large');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new AppError('UNSUPPORTED_MEDIA_TYPE', 'The content encoding or charset is not supported');
  }
  if (type === 'request.aborted') return new AppError('REQUEST_TIMEOUT', 'The request ended before its body did');
  return invalidField('', describeNoJson(typeof body === 'string' ? body : ''));
}

function describeNoJson(text: string): string {
  const fault = findJsonFault(text);
  if (fault) return `the body is not valid JSON at line ${fault.line}, column ${fault.column}: ${fault.what}`;
  return 'the body must be a JSON object';
}

export function isDeeperThan(bytes: Uint8Array, limit: number): boolean {
  return countMembers(bytes, limit) === undefined;
}

/**
 * One pass over the bytes, and what stands outside strings: brackets, and colons, of which each member of an object has one.
 * Undefined when it is nested deeper than the limit.
 */
function countMembers(bytes: Uint8Array, limit: number): number | undefined {
  let depth = 0;
  let members = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > limit) return undefined;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === 0x3a) members++;
  }
  return members;
}

/** The same of what a page says, which has no bytes: 400 naming each text of path and query, and each place in the body. */
export function refuseUnsafeSaid(
  { params, query, body }: SentRequest,
  { keys }: Pick<BodyLimit, 'keys'> = { keys: MAX_KEYS },
): void {
  for (const texts of [params, query]) refuseUnsafeValues({ ...(texts as object) }, MAX_KEYS);
  refuseUnsafeValues(body, keys);
}

/** Walks a parsed body and counts the members of its objects. */
function refuseUnsafeValues(body: unknown, maxKeys: number): number {
  let keys = 0;
  let members = 0;
  const faults: FieldFault[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (depth >= MAX_DEPTH && typeof value === 'object' && value !== null) throw invalidField('', TOO_DEEP);
    if (typeof value === 'string') {
      if (value.includes('\0')) faults.push({ field: path, message: 'has a NUL character' });
      else if (!value.isWellFormed()) faults.push({ field: path, message: 'has a lone surrogate' });
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
        faults.push({ field: path, message: 'is a number too large to be exact' });
      }
    } else if (Array.isArray(value)) {
      keys += value.length;
      for (const [index, item] of value.entries()) visit(item, `${path}[${index}]`, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const key of Object.keys(value)) {
        keys += 1;
        members += 1;
        const at = path === '' ? key : `${path}.${key}`;
        if (FORBIDDEN_KEYS.has(key) || key.includes('\0') || !key.isWellFormed()) {
          faults.push({ field: path === '' ? 'body' : path, message: 'has a forbidden key' });
        } else visit((value as Record<string, unknown>)[key], at, depth + 1);
      }
    }
    if (keys > maxKeys) throw invalidField('', `the body has more than ${maxKeys} keys`);
  };
  visit(body, '', 0);
  if (faults.length > 0) throw invalidFields(faults.slice(0, 20));
  return members;
}
