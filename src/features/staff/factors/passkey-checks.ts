/**
 * What a browser is asked of a passkey, and whether its answer holds. Nothing is stored here. Sources: W3C Web
 * Authentication Level 3 §7, docs/specification/people-factors.md#passkeys.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import type { OwnAddress } from '../../../own-address.ts';

/** The library and its 200 modules of certificates are loaded with the first passkey. */
const loadLibrary = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** How long a person has to answer. */
export const CHALLENGE_MINUTES = 5;
const TIMEOUT_MS = CHALLENGE_MINUTES * 60_000;
/** Ed25519, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];
const MAX_TRANSPORTS = 8;

const coded = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/);
/** Source: W3C Web Authentication Level 3 §5.1. What else a browser sends is dropped. */
const shared = {
  id: coded(1_400).meta({ description: 'Of the credential, base64url' }),
  rawId: coded(1_400).meta({ description: 'The same as `id`' }),
  type: z.literal('public-key').meta({ description: 'The kind of credential' }),
};

/** A new passkey, as `toJSON` of the browser writes it. */
export const registrationResponse = z.object({
  ...shared,
  response: z
    .object({
      clientDataJSON: coded(4_000).meta({ description: 'What the browser signed for, base64url' }),
      attestationObject: coded(16_000).meta({ description: 'The new public key, base64url' }),
      // Words of WebAuthn, those too that are yet to come.
      transports: z
        .array(z.string().regex(/^[a-z0-9-]{1,32}$/))
        .max(MAX_TRANSPORTS)
        .optional()
        .meta({ description: 'How the browser reaches it; left out: not said' }),
    })
    .meta({ description: 'What the authenticator made' }),
});
export type RegistrationAnswer = z.output<typeof registrationResponse>;

/** A passkey that was used, as `toJSON` of the browser writes it. */
export const authenticationResponse = z.object({
  ...shared,
  response: z.object({
    clientDataJSON: coded(4_000),
    authenticatorData: coded(4_000),
    signature: coded(2_000),
    userHandle: coded(100).nullish(),
  }),
});
export type AuthenticationAnswer = z.output<typeof authenticationResponse>;

export interface KnownPasskey {
  /** As authenticators name it. */
  credentialId: Buffer;
  transports: readonly string[];
}

/** A passkey that a browser has made for us. */
export interface MadePasskey extends KnownPasskey {
  /** COSE. */
  publicKey: Buffer;
  counter: number;
  aaguid: string;
  backedUp: boolean;
}

export interface UsedPasskey {
  counter: number;
  backedUp: boolean;
}

export interface PasskeyChecks {
  /** `person.id` names the person to the authenticator, and is no personal data. A challenge is 32 bytes as base64url. */
  askForNew(
    challenge: string,
    person: { id: string; email: string; name: string; tenantName: string },
    known: readonly KnownPasskey[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** Of these, or, without, of whichever the person has on the device. */
  askFor(challenge: string, known: readonly KnownPasskey[] | undefined): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** Undefined for an answer that does not hold. */
  checkNew(answer: RegistrationAnswer, challenge: string): Promise<MadePasskey | undefined>;
  /**
   * Undefined for an answer that does not hold. The signature counter is not judged here: only what was signed says
   * anything of the authenticator.
   */
  checkUsed(
    answer: AuthenticationAnswer,
    challenge: string,
    passkey: { credentialId: Buffer; publicKey: Buffer; staffId: string },
  ): Promise<UsedPasskey | undefined>;
}

/** Whether a counter goes back: then there are two authenticators with one key. Source: W3C Web Authentication Level 3 §6.1.1. */
export function goesBack(stored: number, counter: number): boolean {
  return (stored > 0 || counter > 0) && counter <= stored;
}

export function createPasskeyChecks(ownAddress: OwnAddress): PasskeyChecks {
  const place = (): { rpID: string; origin: string } => {
    const { hostname, origin } = new URL(ownAddress.url());
    return { rpID: hostname, origin };
  };
  const listed = (known: readonly KnownPasskey[]) =>
    known.map(({ credentialId, transports }) => ({ id: credentialId.toString('base64url'), transports: [...transports] }));

  return {
    askForNew: async (challenge, { id, email, name, tenantName }, known) =>
      (await loadLibrary()).generateRegistrationOptions({
        rpName: tenantName,
        rpID: place().rpID,
        challenge: bytesOf(challenge),
        userID: new Uint8Array(handleOf(id)),
        userName: email,
        userDisplayName: name,
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: listed(known),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      }),

    askFor: async (challenge, known) =>
      (await loadLibrary()).generateAuthenticationOptions({
        challenge: bytesOf(challenge),
        rpID: place().rpID,
        timeout: TIMEOUT_MS,
        userVerification: 'required',
        ...(known === undefined ? {} : { allowCredentials: listed(known) }),
      }),

    async checkNew(answer, challenge) {
      const { rpID, origin } = place();
      const checked = await held(async () => {
        if (isFramed(answer.response.clientDataJSON) || (await hasCertificate(answer.response.attestationObject)))
          return undefined;
        return (await loadLibrary()).verifyRegistrationResponse({
          response: { ...answer, clientExtensionResults: {} } as unknown as RegistrationResponseJSON,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: rpID,
          requireUserVerification: true,
          supportedAlgorithmIDs: ALGORITHMS,
        });
      });
      if (!checked?.verified) return undefined;
      const { credential, aaguid, credentialBackedUp } = checked.registrationInfo;
      return {
        credentialId: Buffer.from(credential.id, 'base64url'),
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: answer.response.transports ?? [],
        aaguid,
        backedUp: credentialBackedUp,
      };
    },

    async checkUsed(answer, challenge, { credentialId, publicKey, staffId }) {
      const { rpID, origin } = place();
      const handle = answer.response.userHandle ?? undefined;
      if (answer.id !== credentialId.toString('base64url')) return undefined;
      if (handle !== undefined && handle !== handleOf(staffId).toString('base64url')) return undefined;
      const checked = await held(async () => {
        if (isFramed(answer.response.clientDataJSON)) return undefined;
        return (await loadLibrary()).verifyAuthenticationResponse({
          response: { ...answer, clientExtensionResults: {} } as unknown as AuthenticationResponseJSON,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: rpID,
          // Zero: the library would judge the counter ahead of the signature.
          credential: { id: answer.id, publicKey: new Uint8Array(publicKey), counter: 0 },
          requireUserVerification: true,
        });
      });
      if (!checked?.verified) return undefined;
      const { newCounter, credentialBackedUp } = checked.authenticationInfo;
      return { counter: newCounter, backedUp: credentialBackedUp };
    },
  };
}

/** The challenge that an answer says it is to; undefined of what is no answer. What it says is checked with the signature. */
export function challengeOf({ response }: AuthenticationAnswer | RegistrationAnswer): string | undefined {
  try {
    const { challenge } = clientDataOf(response.clientDataJSON);
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

function bytesOf(challenge: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(challenge, 'base64url'));
}

/** The user handle of a person: the 16 bytes of the id. */
export function handleOf(staffId: string): Buffer {
  return Buffer.from(staffId.replaceAll('-', ''), 'hex');
}

/** The library throws an Error of its own for every fault of an answer, and what it parses throws too. */
async function held<T>(check: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await check();
  } catch {
    return undefined;
  }
}

/** Throws on what is no JSON object. Its values are not checked. */
function clientDataOf(clientDataJSON: string): { challenge?: unknown; crossOrigin?: unknown } {
  return JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown; crossOrigin?: unknown };
}

/** Our pages are in no frame of another site. */
function isFramed(clientDataJSON: string): boolean {
  return clientDataOf(clientDataJSON).crossOrigin === true;
}

/** No attestation was asked for. One with certificates has the library fetch lists of revoked ones, at addresses that they name. */
async function hasCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await loadHelpers();
  const stated = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  return stated.get('fmt') !== 'none' && (stated.get('fmt') !== 'packed' || stated.get('attStmt').get('x5c') !== undefined);
}
