/** Sealed columns in SQL: which of them are not under the first data key, and how many are under which. */
import { prepared } from '../../db/statement.ts';

const outdated = (column: string, header: string): string => `substr(${column}, 1, length(${header}::bytea)) <> ${header}::bytea`;

/** Locked, so that what a member writes meanwhile is not written over. */
export const lockOutdated = prepared<
  { memberId: string; sealed: Buffer },
  [string, string, activeHeader: Buffer, afterId: string, count: number]
>(
  'data_keys_lock_outdated',
  `select p.member_id as "memberId", p.id_number_sealed as sealed from member_profile p
   where p.tenant_id = $1 and p.environment = $2 and p.member_id > $4 and p.id_number_sealed is not null
     and ${outdated('p.id_number_sealed', '$3')}
   order by p.member_id limit $5 for no key update`,
);

/** Of rows that the transaction has locked. */
export const storeResealed = prepared<unknown, [string, string, memberIds: readonly string[], sealed: readonly Buffer[]]>(
  'data_keys_store',
  `update member_profile p set id_number_sealed = x.sealed from unnest($3::uuid[], $4::bytea[]) x(member_id, sealed)
   where p.tenant_id = $1 and p.environment = $2 and p.member_id = x.member_id`,
);

export const outdatedSigningKeys = prepared<{ kid: string; sealed: Buffer }, [activeHeader: Buffer]>(
  'data_keys_outdated_signing_keys',
  `select k.kid, k.private_sealed as sealed from signing_key k where ${outdated('k.private_sealed', '$1')} order by k.kid`,
);

export const storeSigningKey = prepared<unknown, [kid: string, former: Buffer, sealed: Buffer]>(
  'data_keys_store_signing_key',
  'update signing_key set private_sealed = $3 where kid = $1 and private_sealed = $2',
);

/** The columns of `kyc_settings` with the name of the secret that each holds. */
export const KYC_SECRET_COLUMNS = {
  appToken: 'app_token_sealed',
  secretKey: 'secret_key_sealed',
  webhookSecret: 'webhook_secret_sealed',
  previousWebhookSecret: 'previous_webhook_secret_sealed',
} as const;

type SealedKycSecrets = Record<keyof typeof KYC_SECRET_COLUMNS, Buffer | null>;

const kycColumns = Object.entries(KYC_SECRET_COLUMNS);

/** Locked, so that what a tenant sets meanwhile is not written over. */
export const lockKycSecrets = prepared<SealedKycSecrets, [string, string]>(
  'data_keys_lock_kyc_secrets',
  `select ${kycColumns.map(([name, column]) => `s.${column} as "${name}"`).join(', ')} from kyc_settings s
   where s.tenant_id = $1 and s.environment = $2 for no key update`,
);

/** Of a row that the transaction has locked; in the order of the columns. */
export const storeKycSecrets = prepared<unknown, [string, string, ...(Buffer | null)[]]>(
  'data_keys_store_kyc_secrets',
  `update kyc_settings s set ${kycColumns.map(([, column], index) => `${column} = $${index + 3}`).join(', ')}
   where s.tenant_id = $1 and s.environment = $2`,
);

/** The same of `payment_settings`. */
const PAYMENT_SECRET_COLUMNS = { secretKey: 'secret_key_sealed', webhookSecrets: 'webhook_secrets_sealed' } as const;

const paymentColumns = Object.entries(PAYMENT_SECRET_COLUMNS);

export const lockPaymentSecrets = prepared<Record<keyof typeof PAYMENT_SECRET_COLUMNS, Buffer | null>, [string, string]>(
  'data_keys_lock_payment_secrets',
  `select ${paymentColumns.map(([name, column]) => `s.${column} as "${name}"`).join(', ')} from payment_settings s
   where s.tenant_id = $1 and s.environment = $2 for no key update`,
);

export const storePaymentSecrets = prepared<unknown, [string, string, ...(Buffer | null)[]]>(
  'data_keys_store_payment_secrets',
  `update payment_settings s set ${paymentColumns.map(([, column], index) => `${column} = $${index + 3}`).join(', ')}
   where s.tenant_id = $1 and s.environment = $2`,
);

interface CountRow {
  column: string;
  keyId: string;
  rows: number;
}

/** The second byte is the length of the key's id, which follows (encryption.ts). */
const keyIdOf = (column: string): string => `convert_from(substr(${column}, 3, get_byte(${column}, 1)), 'UTF8')`;

const settingsCounts = (table: string, columns: [name: string, column: string][]): string[] =>
  columns.map(
    ([, column]) => `select '${table}.${column}', ${keyIdOf(`s.${column}`)}, count(*)::int from ${table} s
   where s.tenant_id = $1 and s.environment = $2 and s.${column} is not null group by 2`,
  );

export const countsByKey = prepared<CountRow, [string, string]>(
  'data_keys_count',
  `select 'member_profile.id_number_sealed' as column, ${keyIdOf('p.id_number_sealed')} as "keyId", count(*)::int as rows
   from member_profile p
   where p.tenant_id = $1 and p.environment = $2 and p.id_number_sealed is not null group by 2
   union all
   select 'idempotency_key.answer', ${keyIdOf('i.answer')}, count(*)::int from idempotency_key i
   where i.tenant_id = $1 and i.environment = $2 and i.answer is not null group by 2
   union all
   ${[...settingsCounts('kyc_settings', kycColumns), ...settingsCounts('payment_settings', paymentColumns)].join('\n   union all\n   ')}`,
);

export const signingKeyCounts = prepared<CountRow, []>(
  'data_keys_count_signing_keys',
  `select 'signing_key.private_sealed' as column, ${keyIdOf('k.private_sealed')} as "keyId", count(*)::int as rows
   from signing_key k group by 2`,
);
