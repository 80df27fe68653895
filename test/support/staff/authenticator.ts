/**
 * An authenticator in software, with a key of ES256 for each passkey. It can also lie: about the origin, the service, the
 * person's presence and the counter. Source: W3C Web Authentication Level 3 §6.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { AuthenticationAnswer, RegistrationAnswer } from '../../../src/features/staff/factors/passkey-checks.ts';
import { type Cbor, cborOf } from './cbor.ts';

export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** Whether the person was asked for a finger or a PIN. */
  verified?: boolean;
  present?: boolean;
  counter?: number;
  crossOrigin?: boolean;
  userHandle?: string;
  /** Of the signature, its last byte turned. */
  brokenSignature?: boolean;
  attestation?: 'none' | 'packed with a certificate';
}

interface Held {
  id: Buffer;
  rpId: string;
  privateKey: KeyObject;
  userHandle: string;
  counter: number;
}

interface CreationAsked {
  challenge: string;
  rp: { id?: string | undefined };
  user: { id: string };
}

interface RequestAsked {
  challenge: string;
  rpId?: string | undefined;
  allowCredentials?: readonly { id: string }[] | undefined;
}

export class SoftwareAuthenticator {
  readonly held: Held[] = [];
  readonly origin: string;
  /** Without one every counter is 0, as with passkeys that are synchronised. */
  readonly counts: boolean;

  constructor(origin: string, { counts = true }: { counts?: boolean } = {}) {
    this.origin = origin;
    this.counts = counts;
  }

  create(asked: CreationAsked, lies: Lies = {}): RegistrationAnswer {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const rpId = lies.rpId ?? asked.rp.id ?? '';
    const made: Held = { id: randomBytes(32), rpId, privateKey, userHandle: asked.user.id, counter: 0 };
    const cose = cborOf(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(made.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, made.id, cose]);
    const authData = Buffer.concat([this.#dataOf(made, lies, 0x40), attested]);
    const certified = lies.attestation === 'packed with a certificate';
    const statement = new Map<string, Cbor>();
    if (certified) {
      statement.set('alg', -7);
      statement.set('sig', new Uint8Array(70));
      statement.set('x5c', [new Uint8Array(100)]);
    }
    const object = new Map<string, Cbor>([
      ['fmt', certified ? 'packed' : 'none'],
      ['attStmt', statement],
      ['authData', new Uint8Array(authData)],
    ]);
    this.held.push(made);
    const id = made.id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: this.#clientData('webauthn.create', asked.challenge, lies).toString('base64url'),
        attestationObject: cborOf(object).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** By one that was asked for, or, where none was named, by the last that was made for the service. */
  use(asked: RequestAsked, lies: Lies = {}): AuthenticationAnswer {
    const named = asked.allowCredentials?.map(({ id }) => id);
    const key = this.held.findLast(
      ({ id, rpId }) => (named === undefined || named.includes(id.toString('base64url'))) && rpId === asked.rpId,
    );
    if (!key) throw new Error('the authenticator has no such passkey');
    return this.useKey(key, asked, lies);
  }

  useKey(key: Held, asked: RequestAsked, lies: Lies = {}): AuthenticationAnswer {
    if (this.counts) key.counter += 1;
    const authData = this.#dataOf(key, lies, 0);
    const clientData = this.#clientData('webauthn.get', asked.challenge, lies);
    const hash = createHash('sha256').update(clientData).digest();
    const signature = sign('sha256', Buffer.concat([authData, hash]), key.privateKey);
    if (lies.brokenSignature) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
    const id = key.id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: lies.userHandle ?? key.userHandle,
      },
    };
  }

  #dataOf({ rpId, counter }: Held, lies: Lies, more: number): Buffer {
    const flags = (lies.present === false ? 0 : 0x01) | (lies.verified === false ? 0 : 0x04) | more;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(lies.counter ?? counter);
    const hash = createHash('sha256')
      .update(lies.rpId ?? rpId)
      .digest();
    return Buffer.concat([hash, Buffer.from([flags]), count]);
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const said = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.origin,
      crossOrigin: lies.crossOrigin ?? false,
    };
    return Buffer.from(JSON.stringify(said));
  }
}

function bytes(base64url: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64url, 'base64url'));
}
