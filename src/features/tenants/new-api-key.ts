import { randomBytes } from 'node:crypto';
import type { Environment } from '../../db/scope.ts';
import { spellApiKey } from '../../http/api-key-form.ts';
import { hashApiKey } from '../../http/authenticate.ts';

export interface NewSecret {
  /** Shown once and kept nowhere. */
  apiKey: string;
  /** What is stored of it. */
  hash: Buffer;
  lastFour: string;
}

/** A fresh key of 256 random bits. */
export function newApiKey(pepper: Buffer, environment: Environment): NewSecret {
  const apiKey = spellApiKey(environment, randomBytes(32));
  return { apiKey, hash: hashApiKey(pepper, apiKey), lastFour: apiKey.slice(-4) };
}
