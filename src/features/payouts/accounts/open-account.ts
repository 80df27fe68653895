/**
 * What must hold before a member gets an account, and the row that it begins as.
 * Source: docs/specification/payouts.md#create-account.
 */
import type { Scope, WriteDb } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { AppError, invalidFields, limitReached } from '../../../errors.ts';
import type { Caller, Origin } from '../../../http/operation.ts';
import { masked } from '../../../mask.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { eventsErrors } from '../../events/open/events-errors.ts';
import type { MemberMail } from '../../mail/mail-service.ts';
import { accountEnd, type Fingerprint, sealBankDetails } from '../methods/bank-details.ts';
import { type BankDetails, findMethod, isOffered, type PayoutMethod, toAlpha2 } from '../methods/payout-methods.ts';
import { validateBankDetails } from '../methods/validate-bank-details.ts';
import { type NameJudge, sealHolder } from '../names/judge-names.ts';
import type { AccountStatus, PaymentProvider } from '../open/payout-states.ts';
import { payoutsErrors } from '../open/payouts-errors.ts';
import { tellAccount, tellPrimary } from '../payouts-events.ts';
import type { PaymentSettings } from '../settings/payment-settings.ts';
import { deactivateAccount, demotePrimary, readLastFour } from './account-changes-queries.ts';
import type { NewAccountBody } from './payout-accounts-operations.ts';
import {
  findAccount,
  findSameAccount,
  hasAllAccounts,
  insertAccount,
  lockPayee,
  type Payee,
  type PayoutAccount,
} from './payout-accounts-queries.ts';

export interface AccountRequest {
  scope: Caller;
  memberId: string;
  body: NewAccountBody;
  origin: Origin;
  settings: PaymentSettings;
}

interface Deps {
  cipher: Cipher;
  fingerprint: Fingerprint;
  /** That a member may have. */
  maxAccounts: number;
  names: NameJudge;
  mail: MemberMail;
}

/** Where the provisioning goes on, be it that the profile has been completed meanwhile. */
const UNFINISHED: readonly AccountStatus[] = ['provisioning', 'action_required'];

/**
 * The account with these details, in the state it begins in, or the one that is still on its way there.
 * One that was rejected makes way: what it was rejected for may have been put right in the profile.
 */
export async function openAccount(db: WriteDb, deps: Deps, request: AccountRequest): Promise<PayoutAccount> {
  const { scope, memberId, body, settings } = request;
  const { maxAccounts } = deps;
  const payee = await lockPayee(db, scope, memberId);
  if (!payee) throw new AppError('USER_NOT_FOUND', 'No such member');
  if (payee.erasedAt) throw new AppError('STATE_CONFLICT', 'The member was erased');
  const method = methodFor(payee, request);
  const details = detailsOf(method, body, scope);
  const fingerprint = deps.fingerprint(scope, method, details);
  const same = await findSameAccount(db, scope, memberId, settings.provider, fingerprint);
  if (same && UNFINISHED.includes(same.status)) return requireAccount(db, scope, memberId, same.id);
  if (same && same.status !== 'rejected') {
    throw new AppError('STATE_CONFLICT', 'The member has this account already', { details: { accountId: same.id } });
  }
  // In the place of another it makes none more.
  if (same) await supersede(db, scope, { id: same.id, memberId });
  else if (await hasAllAccounts(db, scope, { memberId, limit: maxAccounts })) throw limitReached('payout accounts', maxAccounts);
  const before = body.isPrimary === true ? await demotePrimary(db, scope, memberId) : undefined;
  const lastFour = accountEnd(method, details);
  const tosAcceptance = tosOf(settings.provider, request);
  const inserted = await insertAccount(db, scope, {
    id: payee.newAccountId,
    memberId,
    providerType: settings.provider,
    methodType: method.id,
    displayName: masked(lastFour),
    country: method.country,
    currency: method.currency,
    isPrimary: body.isPrimary === true || same?.isPrimary === true,
    bankSealed: sealBankDetails(deps.cipher, scope, payee.newAccountId, details),
    holderSealed: sealHolder(deps.cipher, scope, payee.newAccountId, details['accountHolderName'] ?? ''),
    holderType: body.holderType ?? 'individual',
    lastFour,
    fingerprint,
    tosAcceptance,
  });
  await deps.names.ofMember(db, scope, memberId);
  const account = inserted.nameVerdict === 'unjudged' ? await requireAccount(db, scope, memberId, inserted.id) : inserted;
  await recordAudit(db, scope, {
    action: 'payout_account.created',
    by: scope.provenance,
    objectKind: 'payout_account',
    objectId: account.id,
    details: {
      userId: memberId,
      methodType: account.methodType,
      providerType: account.providerType,
      isPrimary: account.isPrimary,
      sharedWithOthers: account.sharedWithOthers,
      holderType: account.holderType,
      nameMatch: account.nameVerdict,
      tosSource: tosAcceptance?.source ?? null,
    },
  });
  tellAccount(db, scope.provenance, 'payout_account.created', account);
  if (account.status === 'active') tellAccount(db, scope.provenance, 'payout_account.activated', account);
  if (before !== undefined || same?.isPrimary === true) tellPrimary(db, scope.provenance, account, before);
  await tellOfAccount(deps.mail, db, scope, account);
  return account;
}

/** Tells the member that there is another account that money may go to. */
export async function tellOfAccount(
  mail: MemberMail,
  db: WriteDb,
  scope: Scope,
  { memberId, id }: Pick<PayoutAccount, 'memberId' | 'id'>,
): Promise<void> {
  if (!mail.isOn) return;
  const lastFour = await readLastFour(db, scope, id);
  await mail.toMember(db, scope, { kind: 'payout_account_changed', values: { lastFour }, memberId });
}

export async function requireAccount(db: WriteDb, scope: Scope, memberId: string, id: string): Promise<PayoutAccount> {
  const account = await findAccount(db, scope, memberId, id);
  if (!account) throw new AppError('NOT_FOUND', 'No such payout account');
  return account;
}

/** By the profile's country; the vendor needs to know the person too. */
function methodFor(payee: Payee, { body, settings, scope }: AccountRequest): PayoutMethod {
  const missing = missingOf(payee, settings.provider, body);
  const country = payee.countryCode === null ? undefined : toAlpha2(payee.countryCode);
  if (missing.length > 0 || country === undefined) {
    throw new AppError(payoutsErrors.PROFILE_INCOMPLETE, `The profile lacks ${missing.join(', ')}`, { details: { missing } });
  }
  const method = findMethod(country, body.methodType);
  if (!method || !isOffered(country, settings, scope.environment)) {
    throw new AppError(payoutsErrors.METHOD_NOT_SUPPORTED, "The payout method is not offered in the member's country");
  }
  if (body.currency !== method.currency) {
    throw new AppError(eventsErrors.CURRENCY_MISMATCH, `The payout method is in ${method.currency}`);
  }
  return method;
}

/** By the names of the profile's fields. A postal code is not asked for: not every country has them. */
function missingOf(payee: Payee, provider: PaymentProvider, { holderType }: NewAccountBody): string[] {
  const person = { givenName: payee.givenName, surname: payee.surname, dateOfBirth: payee.dateOfBirth };
  const needed = {
    ...(provider === 'payvendor' ? person : {}),
    ...(holderType === 'business' ? { businessName: payee.businessName } : {}),
    countryCode: payee.countryCode,
    'address.addressLine1': payee.address?.addressLine1,
    'address.city': payee.address?.city,
  };
  return Object.entries(needed).flatMap(([field, value]) => (value == null ? [field] : []));
}

function detailsOf(method: PayoutMethod, body: NewAccountBody, { environment }: Scope): BankDetails {
  const fields = body.bankAccount ?? body.details ?? {};
  const holder = body.accountHolderName == null ? {} : { accountHolderName: body.accountHolderName };
  const { faults, details } = validateBankDetails(method, { ...fields, ...holder }, environment);
  if (faults.length > 0) throw invalidFields(faults);
  return details;
}

interface TosAcceptance {
  acceptedAt: string;
  ip: string;
  userAgent: string | null;
  /** `body`: as the caller has recorded it; `request`: that of the request itself. */
  source: 'body' | 'request';
}

const MAX_USER_AGENT = 500;

/** There are no terms to agree to where the tenant pays by itself. */
function tosOf(provider: PaymentProvider, { body, origin }: AccountRequest): TosAcceptance | null {
  if (provider === 'manual') return null;
  const given = body.tosAcceptance;
  if (given) return { ...given, userAgent: given.userAgent ?? null, source: 'body' };
  const userAgent = origin.userAgent?.slice(0, MAX_USER_AGENT) ?? null;
  return { acceptedAt: new Date().toISOString(), ip: origin.ip, userAgent, source: 'request' };
}

async function supersede(db: WriteDb, scope: Caller, { id, memberId }: { id: string; memberId: string }): Promise<void> {
  await deactivateAccount(db, scope, id);
  tellAccount(db, scope.provenance, 'payout_account.deactivated', { id, memberId });
  await recordAudit(db, scope, {
    action: 'payout_account.deactivated',
    by: scope.provenance,
    objectKind: 'payout_account',
    objectId: id,
    details: { reason: 'sent again after its rejection' },
  });
}
