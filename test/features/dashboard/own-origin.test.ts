/** Where pages are over plain http: on this machine, whatever a request says of itself. Source: docs/specification/pages.md#where. */
import type { Request } from 'express';
import { expect, test } from 'vitest';
import { ownOriginOf } from '../../../src/features/dashboard/own-origin.ts';
import { createOwnAddress } from '../../../src/own-address.ts';

interface Asked {
  host?: string;
  from?: string;
  publicUrl?: string;
  headers?: Record<string, string>;
}

function originOf({ host = 'localhost:3000', from = '127.0.0.1', publicUrl, headers = {} }: Asked): string | undefined {
  const all: Record<string, string> = { host, ...headers };
  const req = { get: (name: string) => all[name.toLowerCase()], socket: { remoteAddress: from } } as unknown as Request;
  return ownOriginOf(req, createOwnAddress({ PUBLIC_BASE_URL: publicUrl, PORT: 3000 }))?.origin;
}

test.each<[string, Asked, string]>([
  ['a browser beside it', {}, 'http://localhost:3000'],
  ['over a socket of both kinds', { from: '::ffff:127.0.0.1', host: '127.0.0.1:3000' }, 'http://127.0.0.1:3000'],
  ['over IPv6', { from: '::1', host: '[::1]:3000' }, 'http://[::1]:3000'],
  ['a container, as Compose starts it', { from: '172.18.0.1', publicUrl: 'http://localhost:3000' }, 'http://localhost:3000'],
  [
    'https, whatever is in front',
    { from: '10.0.0.9', host: 'x', publicUrl: 'https://pages.example', headers: { 'x-forwarded-for': '198.51.100.7' } },
    'https://pages.example',
  ],
])('%s is let in', (_what, asked, origin) => {
  expect(originOf(asked)).toBe(origin);
});

test.each<[string, Asked]>([
  ['another host', { host: 'pages.example' }],
  ['a connection from elsewhere that names this machine', { from: '192.168.1.7' }],
  ['one from an address that begins alike', { from: '127.0.0.1.evil' }],
  ['none', { from: '' }],
  ['one from elsewhere, to an address in the network', { from: '192.168.1.7', publicUrl: 'http://192.168.1.2:3000' }],
  ['a proxy beside it', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
  ['a proxy that names the host', { headers: { 'x-forwarded-host': 'localhost' } }],
  ['a proxy of RFC 7239', { headers: { forwarded: 'for=127.0.0.1' } }],
  [
    'a proxy in front of a container',
    { from: '172.18.0.1', publicUrl: 'http://localhost:3000', headers: { 'x-forwarded-for': '198.51.100.7' } },
  ],
])('%s is not', (_what, asked) => {
  expect(originOf(asked)).toBeUndefined();
});
