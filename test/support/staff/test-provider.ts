/**
 * An OpenID provider of people, over HTTPS: discovery, an authorization endpoint that lets whoever comes in, and a token
 * endpoint that asks for the code's own verifier. What it answers a test may make wrong.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestIssuer } from '../identity/test-issuer.ts';
import { mintToken } from '../identity/token-mint.ts';

export interface Claims {
  sub: string;
  email?: string;
  email_verified?: unknown;
  name?: string;
  [claim: string]: unknown;
}

export interface TestProvider {
  issuerUrl: string;
  clientId: string;
  clientSecret: string;
  /** Signs somebody in at the address that a browser was sent to; the address that it is sent back to. */
  visit(address: string, claims: Claims): Promise<URL>;
  /** Changes the token of the next code before it is signed. */
  spoil: ((claims: Record<string, unknown>) => Record<string, unknown>) | undefined;
  /** What the token endpoint answers next with, in place of a token. */
  fails: number | undefined;
  /** Takes a code more than once, as it should not. */
  lax: boolean;
  /** What the token endpoint was asked, oldest first. */
  asked: { form: URLSearchParams; authorization: string | undefined }[];
  /** Its discovery document promises `iss` with each answer; `visit` leaves it out all the same. */
  promisesIssuer: boolean;
  /** How the client may prove itself. */
  ways: string[] | undefined;
}

interface Code {
  challenge: string;
  redirectUri: string;
  claims: Record<string, unknown>;
}

let count = 0;

/** Of its own path on the issuer's server, beside which the issuer answers as before. */
export function startProvider(issuer: TestIssuer): TestProvider {
  count += 1;
  const path = `/people-${count}`;
  const issuerUrl = issuer.server.url + path;
  const codes = new Map<string, Code>();
  const before = issuer.server.handle;
  const provider: TestProvider = {
    issuerUrl,
    clientId: `commissions ${count}`.replace(' ', '-'),
    clientSecret: 'a secret: of + the % client'.replaceAll(' ', '-'),
    spoil: undefined,
    fails: undefined,
    lax: false,
    asked: [],
    ways: undefined,
    promisesIssuer: false,
    async visit(address, claims) {
      const asked = new URL(address).searchParams;
      const code = randomBytes(16).toString('base64url');
      codes.set(code, {
        challenge: asked.get('code_challenge') ?? '',
        redirectUri: asked.get('redirect_uri') ?? '',
        claims: { nonce: asked.get('nonce'), aud: asked.get('client_id'), ...claims },
      });
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state') ?? '');
      return back;
    },
  };

  function tokenFor(form: URLSearchParams): string | undefined {
    const code = codes.get(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!code || code.challenge !== challenge || code.redirectUri !== form.get('redirect_uri')) return undefined;
    if (!provider.lax) codes.delete(form.get('code') ?? '');
    const at = Math.floor(Date.now() / 1000);
    const claims = { iss: issuerUrl, iat: at, exp: at + 300, ...code.claims };
    const spoilt = provider.spoil?.(claims) ?? claims;
    provider.spoil = undefined;
    return mintToken({ alg: 'ES256', kid: issuer.kid, typ: 'JWT' }, spoilt, {
      kid: issuer.kid,
      privateKey: issuer.privateKey,
      publicJwk: {},
    });
  }

  async function answerToken(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of req) text += String(part);
    const form = new URLSearchParams(text);
    provider.asked.push({ form, authorization: req.headers.authorization });
    const failure = provider.fails;
    provider.fails = undefined;
    const token = failure === undefined ? tokenFor(form) : undefined;
    res.statusCode = failure ?? (token === undefined ? 400 : 200);
    res.end(JSON.stringify(token === undefined ? { error: 'invalid_grant' } : { id_token: token, access_token: 'x' }));
  }

  issuer.server.handle = (req, res) => {
    const { url = '' } = req;
    if (!url.startsWith(`${path}/`)) return before(req, res);
    res.setHeader('content-type', 'application/json');
    if (url === `${path}/token`) return void answerToken(req, res);
    res.end(
      JSON.stringify({
        issuer: issuerUrl,
        authorization_endpoint: `${issuerUrl}/authorize?prompt=login`,
        token_endpoint: `${issuerUrl}/token`,
        jwks_uri: issuer.jwksUri,
        ...(provider.promisesIssuer && { authorization_response_iss_parameter_supported: true }),
        ...(provider.ways && { token_endpoint_auth_methods_supported: provider.ways }),
      }),
    );
  };
  return provider;
}
