import { randomBytes } from 'node:crypto';
import type { Environment } from '../../db/scope.ts';
import { hashApiKey } from '../../http/authenticate.ts';

const PREFIX: Record<Environment, string> = { LIVE: 'svc_live_', SANDBOX: 'svc_sandbox_' };

export interface NewSecret {
  /** Shown once and kept nowhere. */
  apiKey: string;
  /** What is stored of it. */
  hash: Buffer;
  lastFour: string;
}

/** A fresh key of 256 random bits. */
export function newApiKey(pepper: Buffer, environment: Environment): NewSecret {
  const apiKey = PREFIX[environment] + randomBytes(32).toString('base64url');
  return { apiKey, hash: hashApiKey(pepper, apiKey), lastFour: apiKey.slice(-4) };
}
