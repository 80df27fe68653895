/** The keys that sign access tokens, in SQL. They are the deployment's, not a tenant's: no row security, no scope. */
import { prepared } from '../../db/statement.ts';

/** The public half, as RFC 8037 writes it and /.well-known/jwks.json shows it. */
export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

export interface SigningKeyRow {
  kid: string;
  public_jwk: PublicJwk;
  private_sealed: Buffer;
  active: boolean;
}

/** The key that signs, and those retired within a day: their last tokens have expired long before. */
export const publishedKeysStatement = prepared<SigningKeyRow, []>(
  'auth_published_keys',
  `select kid, public_jwk, private_sealed, retired_at is null as active from signing_key
   where retired_at is null or retired_at > now() - interval '1 day'
   order by created_at desc, kid`,
);

type NewKey = [kid: string, publicJwk: string, privateSealed: Buffer];

/** Of several that are the first at once, one is kept. */
export const insertFirstKeyStatement = prepared<unknown, NewKey>(
  'auth_insert_first_key',
  'insert into signing_key (kid, public_jwk, private_sealed) values ($1, $2, $3) on conflict do nothing',
);

/** Retires the key that signs and inserts its successor; no row when somebody else does so at this moment. */
export const replaceKeyStatement = prepared<{ kid: string }, NewKey>(
  'auth_replace_key',
  `with retired as (update signing_key set retired_at = now() where retired_at is null returning kid)
   insert into signing_key (kid, public_jwk, private_sealed)
   select $1, $2, $3 from (select count(*) as keys from retired) r where r.keys >= 0
   on conflict do nothing
   returning kid`,
);
