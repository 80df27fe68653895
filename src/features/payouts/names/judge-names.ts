/**
 * Compares the names that accounts are held under with the verified ones: behind the creation of an account, before a
 * draft, before an execution and wherever accounts are shown. What was compared with a name that is the verified one no
 * more is compared again, so nobody has to tell of approvals. Source: docs/specification/payouts.md#holder-name.
 */
import type { Db, Scope } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { openBankDetails } from '../methods/bank-details.ts';
import type { PaymentProvider } from '../open/payout-states.ts';
import { isComparable, isHeldByBusiness, isHeldByPerson } from './compare-names.ts';
import {
  type Judged,
  listUnjudged,
  listUnjudgedOfMember,
  lockUnjudgedOfMember,
  lockUnjudgedOfPayouts,
  lockUnjudgedOfRun,
  storeJudged,
  type UnjudgedAccount,
} from './names-queries.ts';

export interface NameJudge {
  ofRun(db: Db, scope: Scope, run: { currency: string; provider: PaymentProvider }): Promise<void>;
  ofPayouts(db: Db, scope: Scope, payoutIds: readonly string[]): Promise<void>;
  ofMember(db: Db, scope: Scope, memberId: string): Promise<void>;
  /** What comes of comparing a member's accounts, by their ids; nothing is written. */
  preview(db: Db, scope: Scope, memberId: string): Promise<ReadonlyMap<string, Judged['match']>>;
  /** The same of accounts of any members. */
  previewAccounts(db: Db, scope: Scope, accountIds: readonly string[]): Promise<ReadonlyMap<string, Judged['match']>>;
}

const PAGE = 1000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** What the ciphertext is bound to. */
export function holderPlace({ tenantId, environment }: Scope, accountId: string): readonly string[] {
  return ['payout_account', tenantId, environment, accountId, 'holder'];
}

export function sealHolder(cipher: Cipher, scope: Scope, accountId: string, holder: string): Buffer {
  return cipher.encrypt(Buffer.from(holder), holderPlace(scope, accountId));
}

export function createNameJudge(cipher: Cipher): NameJudge {
  /** Undefined: nothing is kept of it. The vendor alone has the details of accounts that were made before the name was kept. */
  function holderOf(scope: Scope, { id, holderSealed, bankSealed }: UnjudgedAccount): string | undefined {
    if (holderSealed) return cipher.decrypt(holderSealed, holderPlace(scope, id)).toString();
    return bankSealed ? openBankDetails(cipher, scope, id, bankSealed)['accountHolderName'] : undefined;
  }

  function matchOf(scope: Scope, account: UnjudgedAccount): Judged['match'] {
    const { holderType, givenName, surname, businessName } = account;
    if (holderType === 'individual' && !isComparable({ givenName, surname })) return 'not_compared';
    const holder = holderOf(scope, account);
    if (holder === undefined) return 'not_compared';
    const same =
      holderType === 'business' ? isHeldByBusiness(holder, businessName) : isHeldByPerson(holder, { givenName, surname });
    return same ? 'matched' : 'mismatch';
  }

  /** Undefined: what is sealed does not open now. Nothing is paid to that account until it does, and the others go on. */
  function readableMatchOf(scope: Scope, account: UnjudgedAccount): Judged['match'] | undefined {
    try {
      return matchOf(scope, account);
    } catch {
      return undefined;
    }
  }

  function previewOf(scope: Scope, accounts: readonly UnjudgedAccount[]): ReadonlyMap<string, Judged['match']> {
    return new Map(accounts.map((account) => [account.id, readableMatchOf(scope, account) ?? 'mismatch']));
  }

  async function judge(db: Db, scope: Scope, accounts: readonly UnjudgedAccount[]): Promise<void> {
    if (accounts.length === 0) return;
    const judged = accounts.flatMap((account) => {
      const match = readableMatchOf(scope, account);
      return match === undefined ? [] : [{ id: account.id, match, judgedFor: account.judgedFor }];
    });
    await storeJudged(db, scope, judged);
  }

  return {
    async ofRun(db, scope, run) {
      for (let afterId: string | undefined = FIRST_ID; afterId !== undefined; ) {
        const page: UnjudgedAccount[] = await lockUnjudgedOfRun(db, scope, { ...run, afterId, limit: PAGE });
        await judge(db, scope, page);
        afterId = page.length === PAGE ? page.at(-1)?.id : undefined;
      }
    },
    ofPayouts: async (db, scope, payoutIds) => judge(db, scope, await lockUnjudgedOfPayouts(db, scope, payoutIds)),
    preview: async (db, scope, memberId) => previewOf(scope, await listUnjudgedOfMember(db, scope, memberId)),
    previewAccounts: async (db, scope, accountIds) => previewOf(scope, await listUnjudged(db, scope, accountIds)),
    ofMember: async (db, scope, memberId) => judge(db, scope, await lockUnjudgedOfMember(db, scope, memberId)),
  };
}
