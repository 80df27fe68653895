/**
 * The configuration: a zod schema over the process environment, checked once at start with every
 * fault reported together. This is the only file that reads the environment; `.env.example` is
 * generated from it (`npm run env:example`) and a test holds the two equal.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { readSettings } from './config-files.ts';
import { readOrCreatePrivateJson } from './private-file.ts';

const positiveInt = z.coerce.number().int().positive();
const nonNegativeInt = z.coerce.number().int().nonnegative();
/** As a URL of these schemes, without repeating its value, which may hold a password. */
const urlOf = (schemes: RegExp, message: string): z.ZodString =>
  z.string().refine((value) => schemes.test(value) && URL.canParse(value), message);
const postgresUrl = urlOf(/^postgres(ql)?:\/\//, 'must be a postgres:// URL, with special characters of the password escaped');
const redisUrl = urlOf(
  /^rediss?:\/\/[^/]/,
  'must be a redis:// or rediss:// URL, with special characters of the password escaped',
);

/** 32 random bytes in base64, as `openssl rand -base64 32` prints them. */
const key32 = z
  .string()
  .refine((value) => Buffer.from(value, 'base64').length === 32, 'must be 32 bytes in base64 (openssl rand -base64 32)');

/** `id:key,id:key`: the first key encrypts, the others still decrypt. */
const keyRing = z.string().transform((value, context) => {
  const ring = value.split(',').map((entry) => {
    const [id = '', material = ''] = entry.split(/:(.*)/s);
    return { id, key: Buffer.from(material, 'base64') };
  });
  const ids = new Set(ring.map((entry) => entry.id));
  if (ids.size !== ring.length || ring.some((entry) => !/^[A-Za-z0-9_-]{1,16}$/.test(entry.id) || entry.key.length !== 32)) {
    context.addIssue({ code: 'custom', message: 'must be id:key,id:key with distinct ids and 32-byte base64 keys' });
    return z.NEVER;
  }
  return ring;
});

/** `host:port,host:port`, in lower case as URLs have them. */
const hostList = z.string().transform((value, context) => {
  const hosts = value.toLowerCase().split(',');
  if (!hosts.every((host) => /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):[1-9]\d{0,4}$/.test(host))) {
    context.addIssue({ code: 'custom', message: 'must be host:port,host:port' });
    return z.NEVER;
  }
  return hosts;
});

/** `mailto:…,https://…`, each an address that security.txt may name as a contact. */
const contactList = z.string().transform((value, context) => {
  const contacts = value.split(',').map((contact) => contact.trim());
  if (!contacts.every((contact) => /^(?:mailto:[!-~]+@[!-~]+|https:\/\/[!-~]+|tel:\+?[0-9-]+)$/.test(contact))) {
    context.addIssue({ code: 'custom', message: 'must be mailto:, https: or tel: addresses with commas between them' });
    return z.NEVER;
  }
  return contacts;
});

const smtpUrl = urlOf(/^smtps?:\/\/[^/]/, 'must be an smtp:// or smtps:// URL, with special characters of the password escaped');
/** `name <address>`, or the address alone. */
const mailFrom = z
  .string()
  .regex(
    /^(?:[^<>\r\n"]{0,100} <[!-;=?-~]+@[A-Za-z0-9.-]+>|[!-;=?-~]+@[A-Za-z0-9.-]+)$/,
    'must be an address, or name <address>',
  );

/** Where the service is reached from outside; a path before /api/v1 may belong to it. */
const publicUrl = z
  .url({ protocol: /^https?$/, message: 'must be an http:// or https:// URL' })
  .refine((value) => !/[?#]/.test(value), 'must not have a query or fragment')
  .transform((value) => value.replace(/\/+$/, ''));

/**
 * The settings that are not of one feature, in the order of `.env.example`, where those of the features follow. The
 * description is the setting's documentation.
 */
export const configSchema = z.object({
  NODE_ENV: z.string().default('development').describe('production | development | test | bench'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000).describe('Port the API listens on'),
  HOST: z.string().optional().describe('Address to listen on; default 127.0.0.1 with the embedded database, 0.0.0.0 otherwise'),
  PUBLIC_BASE_URL: publicUrl
    .optional()
    .describe('Address of the service as its callers know it, for links in answers; default http://localhost:PORT'),
  EXAMPLE_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe('Port of the example shop that npm start shows with the embedded database; default PORT + 1; 0 is none'),
  DATABASE_URL: postgresUrl.optional().describe('PostgreSQL 18 as svc_app; unset starts an embedded one in DATA_DIR'),
  DATABASE_OWNER_URL: postgresUrl.optional().describe('The schema owner, for migrations; default DATABASE_URL'),
  DATABASE_ADMIN_URL: postgresUrl.optional().describe('The role svc_admin, for doctor and tenant list'),
  DATABASE_WORKER_URL: postgresUrl.optional().describe('The role svc_worker, for background jobs; default DATABASE_URL'),
  DATABASE_POOL_SIZE: positiveInt.default(10).describe('Connections of one process'),
  DATABASE_ACQUIRE_TIMEOUT_MS: positiveInt
    .default(2000)
    .describe('Time without a connection coming free before waiting requests get a 503'),
  DATA_DIR: z
    .string()
    .default('.data')
    .describe('Home of the embedded database and its generated secrets, and of documents on disk'),
  REDIS_URL: redisUrl.optional().describe('Shares rate-limit counters between instances; unset keeps them in memory'),
  SMTP_URL: smtpUrl
    .optional()
    .describe('Mail server; smtps:// encrypts from the start. Unset sends no mail: links are handed over'),
  MAIL_FROM: mailFrom.optional().describe('Sender of all mail, as Name <address>; required with SMTP_URL'),
  API_KEY_PEPPER: key32.optional().describe('HMAC key for stored API keys, 32 bytes base64; required with DATABASE_URL'),
  DATA_KEYS: keyRing.optional().describe('Encryption key ring id:base64,…; the first encrypts; required with DATABASE_URL'),
  DEFAULT_ENVIRONMENT: z.enum(['LIVE', 'SANDBOX']).default('LIVE').describe('X-Environment of answers to requests without a key'),
  RATE_LIMIT_LIVE: positiveInt.default(6000).describe('Requests per window and LIVE key'),
  RATE_LIMIT_SANDBOX: positiveInt.default(1500).describe('Requests per window and SANDBOX key'),
  RATE_LIMIT_TENANT_LIVE: positiveInt
    .optional()
    .describe('Requests per window of all LIVE keys of a tenant together; default four times RATE_LIMIT_LIVE'),
  RATE_LIMIT_TENANT_SANDBOX: positiveInt
    .optional()
    .describe('The same of its SANDBOX keys; default four times RATE_LIMIT_SANDBOX'),
  RATE_LIMIT_WINDOW_SECONDS: positiveInt.default(60).describe('Length of the rate-limit window'),
  RATE_LIMIT_BAD_KEYS: positiveInt.default(20).describe('Failed key checks per window and client address'),
  RATE_LIMIT_ADDRESS: positiveInt
    .default(600)
    .describe('Calls without a key per window and client address, of what has no limit of its own'),
  TENANT_REQUESTS_AT_ONCE: positiveInt
    .default(1)
    .describe("Requests of a tenant's environment that a process works on at once, and uploads beside them; more wait"),
  TENANT_REQUESTS_WAITING: positiveInt.default(250).describe('How many more wait in a process; one more is answered 429'),
  TRUST_PROXY_HOPS: nonNegativeInt.default(0).describe('Reverse proxies in front whose X-Forwarded-For is believed'),
  BODY_LIMIT_BYTES: positiveInt.default(65_536).describe('Largest request body'),
  IDEMPOTENCY_WAIT_MS: positiveInt.default(2000).describe('How long a repeat waits for the first request to finish'),
  IDEMPOTENCY_TTL_HOURS: positiveInt.default(24).describe('How long an Idempotency-Key is remembered'),
  OUTGOING_ALLOWED_HOSTS: hostList
    .optional()
    .describe('host:port,… that tenants may name though private or not on port 443; refused in production'),
  OBJECT_STORAGE: z
    .enum(['disk', 's3'])
    .default('disk')
    .describe("Where members' documents are kept: disk is a folder of DATA_DIR that all processes share; s3 a bucket"),
  S3_BUCKET: z.string().optional().describe('Required with OBJECT_STORAGE=s3'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  S3_ENDPOINT: publicUrl.optional().describe('Address of an S3-compatible service, also for browsers; unset is AWS'),
  S3_ACCESS_KEY_ID: z.string().optional().describe("Unset takes the machine's own credentials (AWS SDK default chain)"),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('Secret of S3_ACCESS_KEY_ID'),
  S3_FORCE_PATH_STYLE: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true puts the bucket into the path, as most S3-compatible services need it'),
  S3_SSE: z
    .enum(['AES256', 'aws:kms'])
    .optional()
    .describe("Demands this encryption of each object; unset leaves it to the bucket's default"),
  MALWARE_SCANNER: z
    .enum(['none', 'clamd'])
    .default('none')
    .describe('What looks for malware in documents; with none they are kept as not scanned'),
  CLAMD_HOST: z.string().default('127.0.0.1').describe('Host of clamd'),
  CLAMD_PORT: z.coerce.number().int().min(1).max(65535).default(3310).describe('TCP port of clamd'),
  JOBS: z
    .enum(['inline', 'off'])
    .default('inline')
    .describe('Background jobs in the API process; off where npm run worker does them'),
  WORKER_POOL_SIZE: z.coerce.number().int().min(2).default(6).describe('Connections of the background jobs of one process'),
  SWEEP_INTERVAL_MS: positiveInt.default(1000).describe('How often scheduled work is looked for'),
  WORKER_ALIVE_FILE: z.string().optional().describe('Touched while the background jobs run, for a health check without a port'),
  SECURITY_CONTACT: contactList
    .optional()
    .describe(
      'mailto:…,https://…: whom to tell of security faults, in /.well-known/security.txt; default the mailbox security@ at the host of PUBLIC_BASE_URL',
    ),
  SECURITY_EXPIRES: z.iso
    .datetime({ offset: true, message: 'must be a time such as 2027-06-30T00:00:00Z' })
    .optional()
    .describe('Until when that file is good, such as 2027-06-30T00:00:00Z, a year ahead at most; required with SECURITY_CONTACT'),
  SECURITY_POLICY: z
    .string()
    .regex(/^https:\/\/[!-~]+$/, 'must be an https:// URL')
    .optional()
    .describe("Address of the deployment's policy for reports of security faults, for that file"),
  GIT_COMMIT: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, 'must be a commit, 7 to 64 hexadecimal digits')
    .optional()
    .describe('Commit of this build, for the start line; default that of the checkout'),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe('Port of /metrics, in the API and in the worker, never that of the API; unset counts nothing'),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that it listens on; whoever reaches it may read it, so another only in a network of your own'),
  DOCTOR_INTERVAL_MINUTES: positiveInt
    .optional()
    .describe('Has the background jobs examine the invariants so often, by DATABASE_ADMIN_URL; it reads all rows; unset never'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('pino level; warn in a terminal, with the embedded database'),
  SHUTDOWN_DELAY_MS: nonNegativeInt.default(0).describe('Pause between /readyz turning 503 and closing; 3000 behind a balancer'),
  SHUTDOWN_TIMEOUT_MS: positiveInt.default(30_000).describe('Longest wait for running requests at shutdown'),
  FAULT_POINTS: z.string().optional().describe('Tests only: name=kill or name=hold:MS,…; refused in production'),
});

type Settings = z.infer<typeof configSchema>;

export interface Secrets {
  apiKeyPepper: Buffer;
  dataKeys: { id: string; key: Buffer }[];
}

export interface Config extends Omit<Settings, 'API_KEY_PEPPER' | 'DATA_KEYS'> {
  /** What the features read, by variable; the house gives each its own. */
  features: Readonly<Record<string, unknown>>;
  /** True when no DATABASE_URL is set: the service runs its own PostgreSQL in DATA_DIR. */
  embedded: boolean;
  host: string;
  secrets: Secrets;
}

/** A configuration that cannot be used. `faults` has one plain line per setting. */
export class ConfigError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * Reads and checks the configuration, with the settings of `features` beside its own. A setting NAME may stand in the
 * file that NAME_FILE names. Without DATABASE_URL missing secrets are generated once into `DATA_DIR/secrets.json` (mode
 * 0600) and read from there afterwards; with it they are required, save for commands that handle none
 * (`needSecrets: false`).
 */
export function loadConfig(
  env: NodeJS.ProcessEnv = process.env,
  {
    needSecrets = true,
    features: featureEnv = {},
  }: { needSecrets?: boolean; features?: Readonly<Record<string, z.ZodType>> } = {},
): Config {
  const { values: present, faults } = readSettings(env, [...Object.keys(configSchema.shape), ...Object.keys(featureEnv)]);
  const parsed = configSchema.safeParse(present);
  const features = z.object(featureEnv).safeParse(present);
  for (const { error } of [parsed, features]) {
    faults.push(...(error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  if (present['DATABASE_URL'] !== undefined && needSecrets) {
    for (const name of ['API_KEY_PEPPER', 'DATA_KEYS']) {
      if (present[name] === undefined && !env[`${name}_FILE`]) faults.push(`${name}: required when DATABASE_URL is set`);
    }
  }
  if (present['FAULT_POINTS'] !== undefined && present['NODE_ENV'] === 'production') {
    faults.push('FAULT_POINTS: refused when NODE_ENV=production');
  }
  if (present['OUTGOING_ALLOWED_HOSTS'] !== undefined && present['NODE_ENV'] === 'production') {
    faults.push('OUTGOING_ALLOWED_HOSTS: refused when NODE_ENV=production');
  }
  if (present['DATABASE_URL'] === undefined && !env['DATABASE_URL_FILE'] && present['NODE_ENV'] === 'production') {
    faults.push('DATABASE_URL: required when NODE_ENV=production');
  }
  if ((present['SECURITY_CONTACT'] === undefined) !== (present['SECURITY_EXPIRES'] === undefined)) {
    faults.push('SECURITY_CONTACT and SECURITY_EXPIRES: set both or neither');
  }
  if ((present['SMTP_URL'] === undefined) !== (present['MAIL_FROM'] === undefined)) {
    faults.push('SMTP_URL and MAIL_FROM: set both or neither');
  }
  faults.push(...storageFaults(present), ...metricsFaults(present));
  if (!parsed.success || !features.success || faults.length > 0) throw new ConfigError(faults);

  const { API_KEY_PEPPER, DATA_KEYS, ...settings } = parsed.data;
  const embedded = settings.DATABASE_URL === undefined;
  const generated = embedded ? readOrCreateSecrets(settings.DATA_DIR) : undefined;
  return {
    ...settings,
    features: features.data,
    embedded,
    // In a terminal the first screen stays in sight, unless a level is asked for.
    LOG_LEVEL: embedded && process.stdout.isTTY && present['LOG_LEVEL'] === undefined ? 'warn' : settings.LOG_LEVEL,
    host: settings.HOST ?? (embedded ? '127.0.0.1' : '0.0.0.0'),
    secrets: {
      apiKeyPepper: Buffer.from(API_KEY_PEPPER ?? generated?.apiKeyPepper ?? '', 'base64'),
      dataKeys: DATA_KEYS ?? generated?.dataKeys ?? [],
    },
  };
}

function storageFaults(present: NodeJS.ProcessEnv): string[] {
  const faults: string[] = [];
  if (present['OBJECT_STORAGE'] === 's3' && present['S3_BUCKET'] === undefined) {
    faults.push('S3_BUCKET: required when OBJECT_STORAGE=s3');
  }
  if ((present['S3_ACCESS_KEY_ID'] === undefined) !== (present['S3_SECRET_ACCESS_KEY'] === undefined)) {
    faults.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set both or neither');
  }
  return faults;
}

function metricsFaults(present: NodeJS.ProcessEnv): string[] {
  const faults: string[] = [];
  const port = present['METRICS_PORT'];
  if (port !== undefined && port !== '0' && Number(port) === Number(present['PORT'] ?? 3000)) {
    faults.push('METRICS_PORT: must not be PORT, which is public');
  }
  if (present['DOCTOR_INTERVAL_MINUTES'] !== undefined && present['DATABASE_URL'] !== undefined) {
    if (present['DATABASE_ADMIN_URL'] === undefined) faults.push('DATABASE_ADMIN_URL: required with DOCTOR_INTERVAL_MINUTES');
  }
  return faults;
}

const secretsFile = z.object({ apiKeyPepper: key32, dataKeys: keyRing });

function readOrCreateSecrets(dataDir: string): z.infer<typeof secretsFile> {
  const file = path.join(dataDir, 'secrets.json');
  try {
    return secretsFile.parse(readOrCreatePrivateJson(file, () => ({ apiKeyPepper: random32(), dataKeys: `k1:${random32()}` })));
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && 'code' in error)
      throw new ConfigError([`DATA_DIR: ${file} cannot be read or written by this user (${String(error.code)})`]);
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new ConfigError([`${file}: not a valid secrets file; restore it or remove DATA_DIR`]);
  }
}

function random32(): string {
  return randomBytes(32).toString('base64');
}
