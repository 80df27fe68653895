/**
 * The advisory locks of the service: one class for each purpose, told from the others by its number, whatever the key
 * says. Nothing else names a number (test/contract/house-rules/lock-classes.test.ts).
 *
 * A class that gets another number does not exclude a process of the release before. Where two releases at once would do
 * harm, the class keeps its number, or its locks are taken under both numbers for a release (`FORMERLY`).
 */
export const LOCK_CLASSES = {
  /** Attributes of members: changes of them wait for what reads them. */
  members: 1,
  /** Versions of commission plans. */
  plans: 2,
  /** A SANDBOX that is erased waits for its writes. */
  sandbox: 3,
  /** Blocks of the ledger. */
  ledgerSealing: 4,
  /** The member tree and its counts; `rebuild_downline` takes it too, in a migration. */
  tree: 5,
  /** Rollups of commissions: two releases that fold and rebuild at once would count twice. */
  commissionRollups: 6,
  /** Drafts of payout runs: two at once would pay the same lines. */
  payoutDrafts: 7,
  /** A lead's email. */
  leadEmails: 8,
  /** Exports that run. */
  exports: 9,
  /** Sales against changes of what they are decided by. */
  history: 10,
  /** Balances near the limit of an amount. */
  balanceLimits: 11,
  /** Batches of events. 6 before, which the rollups have: two releases at once may meet in a deadlock, and one is repeated. */
  eventBatches: 12,
  /** Blocks of the audit log. 7 before: of two sealers of two releases one breaks off at the block's number, and is repeated. */
  auditSealing: 13,
  /** Batches of imports. 8 before: two releases at once may meet in a deadlock, and one is repeated. */
  importBatches: 14,
  /** Pairs of currencies whose rate is judged. */
  ratePairs: 15,
  /** What plans limit: a purchase, a member's month or debt, a customer. */
  planLimits: 16,
  /** Endpoints of webhooks, which are counted. */
  webhookEndpoints: 17,
  /** Snapshots of a scope, which are counted. */
  snapshots: 18,
  /** Sums of sales. */
  salesSums: 19,
} as const;

export type LockClass = keyof typeof LOCK_CLASSES;

/** Numbers under which the release before takes these: two releases at once must not both go by what they read behind it. */
const FORMERLY: Partial<Record<LockClass, number>> = { ratePairs: 10, planLimits: 5 };

/** SQL for the key of a tenant and environment as a whole, from the parameters `tenantId` and `environment`. */
export const SCOPE_KEY = ":tenantId || ':' || :environment";

/** SQL for the number of a lock, from SQL for the text of its key. */
const lockNumber = (name: LockClass, key: string): string => `hashtextextended(${key}, ${LOCK_CLASSES[name]})`;

/**
 * SQL that waits for a lock and holds it to the end of the transaction. With a class that had another number, under both:
 * the former one first, as all do.
 */
export function takeLock(name: LockClass, key: string = SCOPE_KEY): string {
  const former = FORMERLY[name];
  const locks = former === undefined ? [] : [`pg_advisory_xact_lock(hashtextextended(${key}, ${former}))`];
  return [...locks, `pg_advisory_xact_lock(${lockNumber(name, key)})`].join(', ');
}

/** The same for a lock that those who share it hold together. */
export const shareLock = (name: LockClass, key: string = SCOPE_KEY): string =>
  `pg_advisory_xact_lock_shared(${lockNumber(name, key)})`;

/** SQL that is true when the lock was free, and is held now; nobody waits. */
export const tryLock = (name: LockClass, key: string = SCOPE_KEY): string =>
  `pg_try_advisory_xact_lock(${lockNumber(name, key)})`;

/**
 * A statement's SQL that takes the locks of all keys of a `text[]` parameter, in the order of their numbers, so that two
 * transactions never wait for each other in a circle.
 */
export function takeLocksInOrder(name: LockClass, keys: string): string {
  const numbers = [LOCK_CLASSES[name], FORMERLY[name]].filter((one) => one !== undefined);
  return `select pg_advisory_xact_lock(k.hash) from (
     select distinct hashtextextended(t.key, c.class) as hash
     from unnest(${keys}::text[]) as t(key) cross join unnest(array[${numbers.join(', ')}]::bigint[]) as c(class)
     order by 1 offset 0) k`;
}
