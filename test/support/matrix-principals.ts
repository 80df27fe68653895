/** The columns of the access matrix: who calls. */
import { randomBytes } from 'node:crypto';
import type { Operation } from '../../src/http/operation.ts';
import type { Side, World } from './matrix-world.ts';

/** A caller: with a usable key it stands on a side, with any other it gets one answer to everything. */
export interface Principal {
  name: string;
  side?: (world: World) => Side | undefined;
  key?: (world: World, operation: Operation) => string;
  refusal?: { status: number; code: string; environment: string };
  /** Sent as X-Environment, which selects nothing. */
  claims?: 'LIVE' | 'SANDBOX';
}

const guess = (prefix: string) => () => prefix + randomBytes(32).toString('base64url');
const invalidKey = (environment: string) => ({ status: 401, code: 'INVALID_API_KEY', environment });
const usable = (name: string, index: number, claims?: 'LIVE' | 'SANDBOX'): Principal => ({
  name,
  side: (world) => world.sides[index],
  ...(claims ? { claims } : {}),
});

export const principals: Principal[] = [
  { name: 'no key', refusal: { status: 401, code: 'UNAUTHORIZED', environment: 'LIVE' } },
  { name: 'malformed key', key: () => "svc_live_' or 1=1--", refusal: invalidKey('LIVE') },
  { name: 'unknown LIVE key', key: guess('svc_live_'), refusal: invalidKey('LIVE') },
  { name: 'unknown SANDBOX key', key: guess('svc_sandbox_'), refusal: invalidKey('SANDBOX') },
  { name: 'revoked key', key: (world) => world.badKeys.revoked, refusal: invalidKey('LIVE') },
  { name: 'disabled key', key: (world) => world.badKeys.disabled, refusal: invalidKey('LIVE') },
  { name: 'expired key', key: (world) => world.badKeys.expired, refusal: invalidKey('LIVE') },
  {
    name: 'key without the scope',
    key: (world, { scope }) => (scope === 'none' ? '' : world.keysWithout[scope]),
    refusal: { status: 403, code: 'FORBIDDEN', environment: 'LIVE' },
  },
  usable('tenant A, LIVE', 0),
  usable('tenant A, LIVE, claiming SANDBOX', 0, 'SANDBOX'),
  usable('tenant A, SANDBOX', 1),
  usable('tenant B, LIVE', 2),
  usable('tenant B, SANDBOX, claiming LIVE', 3, 'LIVE'),
];
