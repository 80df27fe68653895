/** The keys that sign access tokens, in SQL. They are the deployment's, not a tenant's: no row security, no scope. */
import { knex, raw, unscopedStatement } from '../../db/query.ts';

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
export const publishedKeysStatement = unscopedStatement<SigningKeyRow>('auth_published_keys', () =>
  knex('signing_key')
    .whereRaw("(retired_at is null or retired_at > now() - interval '1 day')")
    .orderBy([{ column: 'created_at', order: 'desc' }, 'kid'])
    .select('kid', 'public_jwk', 'private_sealed', raw('retired_at is null as active')),
);

export interface NewKey {
  kid: string;
  /** A PublicJwk as JSON. */
  publicJwk: string;
  privateSealed: Buffer;
}

/** Of several that are the first at once, one is kept. */
export const insertFirstKeyStatement = unscopedStatement<unknown, NewKey>(
  'auth_insert_first_key',
  ({ kid, publicJwk, privateSealed }) =>
    knex('signing_key').insert({ kid, public_jwk: publicJwk, private_sealed: privateSealed }).onConflict().ignore(),
);

/** Retires the key that signs and inserts its successor; no row when somebody else does so at this moment. */
export const replaceKeyStatement = unscopedStatement<{ kid: string }, NewKey>(
  'auth_replace_key',
  ({ kid, publicJwk, privateSealed }) =>
    raw(
      `with retired as (update signing_key set retired_at = now() where retired_at is null returning kid)
       insert into signing_key (kid, public_jwk, private_sealed)
       select :kid, :publicJwk, :privateSealed from (select count(*) as keys from retired) r where r.keys >= 0
       on conflict do nothing
       returning kid`,
      { kid, publicJwk, privateSealed },
    ),
);
