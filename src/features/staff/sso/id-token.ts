/** The provider's answer to a code: who it is, for certain. Sources: OpenID Connect Core §3.1.3, RFC 7636, RFC 9700. */
import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { OutgoingClient } from '../../../outgoing/outgoing-client.ts';
import type { VerifyExternalToken } from '../../auth/open/external-token.ts';
import type { Endpoints } from './discovery.ts';

export interface Client {
  tenantId: string;
  issuerUrl: string;
  clientId: string;
  clientSecret: string;
  /** Of the settings: behind a change of them keys are fetched anew. */
  updatedAt: Date;
}

/** What goes with a question: derived from its state, which its browser alone brings back, so that neither is stored. */
export interface Derived {
  verifier(state: string): string;
  nonce(state: string): string;
}

export function createDerived(pepper: Buffer): Derived {
  const key: KeyObject = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'staff-sso', 32)));
  const derive = (what: string, state: string): string =>
    createHmac('sha256', key).update(`${what}\0${state}`).digest('base64url');
  return { verifier: (state) => derive('verifier', state), nonce: (state) => derive('nonce', state) };
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

const tokenAnswer = z.object({ id_token: z.string() });

export interface ProvenIdentity {
  subject: string;
  /** Null unless the provider says that it has verified it. */
  verifiedEmail: string | null;
  name: string | null;
}

interface Deps {
  outgoing: OutgoingClient;
  verifyToken: VerifyExternalToken;
}

/** Why an answer does not hold, for the log. */
export class ProviderFault extends Error {}

/** Gives the code for a token, and reads it. Throws ProviderFault, OutgoingFault, or INVALID_TOKEN. */
export async function redeem(
  { outgoing, verifyToken }: Deps,
  client: Client,
  endpoints: Endpoints,
  { code, redirectUri, verifier, nonce }: { code: string; redirectUri: string; verifier: string; nonce: string },
): Promise<ProvenIdentity> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  const headers: Record<string, string> = { accept: 'application/json' };
  if (endpoints.secretIn === 'form') {
    form.set('client_id', client.clientId);
    form.set('client_secret', client.clientSecret);
  } else {
    // Both are form-encoded before they are joined: RFC 6749 §2.3.1.
    const pair = `${formEncoded(client.clientId)}:${formEncoded(client.clientSecret)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  const answer = await outgoing.postForm(endpoints.token, form, headers);
  if (answer.status !== 200) throw new ProviderFault(`the provider answered the code with ${answer.status}`);
  const { id_token: idToken } = tokenAnswer.parse(jsonOf(answer.text));
  const token = await verifyToken(
    {
      tenantId: client.tenantId,
      environment: 'LIVE',
      id: 'staff',
      issuerUrl: client.issuerUrl,
      jwksUri: endpoints.jwksUri,
      allowedAudiences: [client.clientId],
      updatedAt: client.updatedAt,
    },
    idToken,
  );
  if (token.nonce === undefined || !sameText(token.nonce, nonce)) throw new ProviderFault('the nonce is another');
  return { subject: token.subject, verifiedEmail: token.emailVerified === true ? token.email : null, name: token.name };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ProviderFault('the answer of the provider is not JSON');
  }
}

function formEncoded(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}

export function sameText(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
