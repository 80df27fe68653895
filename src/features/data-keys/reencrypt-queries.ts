/** Sealed columns in SQL: which of them are not under the first data key, and how many are under which. */
import { prepared, type Statement } from '../../db/statement.ts';

const outdated = (column: string, header: string): string => `substr(${column}, 1, length(${header}::bytea)) <> ${header}::bytea`;

/** A column of a tenant's table whose rows have an id. */
export interface SealedColumn {
  /** Locked, so that what is written meanwhile is not written over. */
  lockOutdated(
    tenantId: string,
    environment: string,
    activeHeader: Buffer,
    afterId: string,
    count: number,
  ): Statement<{ id: string; sealed: Buffer }>;
  /** Of rows that the transaction has locked. */
  storeResealed(tenantId: string, environment: string, ids: readonly string[], sealed: readonly Buffer[]): Statement<unknown>;
}

function sealedColumn(statementName: string, table: string, id: string, column: string): SealedColumn {
  return {
    lockOutdated: prepared(
      `data_keys_lock_${statementName}`,
      `select t.${id} as id, t.${column} as sealed from ${table} t
       where t.tenant_id = $1 and t.environment = $2 and t.${id} > $4 and t.${column} is not null
         and ${outdated(`t.${column}`, '$3')}
       order by t.${id} limit $5 for no key update`,
    ),
    storeResealed: prepared(
      `data_keys_store_${statementName}`,
      `update ${table} t set ${column} = x.sealed from unnest($3::uuid[], $4::bytea[]) x(id, sealed)
       where t.tenant_id = $1 and t.environment = $2 and t.${id} = x.id`,
    ),
  };
}

export const idNumbers: SealedColumn = sealedColumn('id_numbers', 'member_profile', 'member_id', 'id_number_sealed');
export const bankDetails: SealedColumn = sealedColumn('bank_details', 'payout_account', 'id', 'bank_sealed');

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
   select 'payout_account.bank_sealed', ${keyIdOf('a.bank_sealed')}, count(*)::int from payout_account a
   where a.tenant_id = $1 and a.environment = $2 and a.bank_sealed is not null group by 2
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
