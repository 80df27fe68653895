/** What schemas that have no name of their own are called in the document, by the operation that they are of. */

/** Parts of operation ids that say what is done, and what they make of a body's name. */
const BODY_ENDINGS: Readonly<Record<string, string>> = { create: 'Create', record: 'Create', save: 'Create' };

interface Words {
  verb: string;
  /** What is acted on, in capitals, as `ReferralCode`. */
  noun: string;
}

function wordsOf(operationId: string): Words {
  const [, verb = operationId, noun = ''] = /^([a-z]+)(.*)$/.exec(operationId) ?? [];
  return { verb, noun };
}

/** `listMemberLedger`: `MemberLedger`. */
export const nounOf = (operationId: string): string => wordsOf(operationId).noun;

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** `createUser`: `UserCreate`; `recordPurchase`: `PurchaseCreate`; `holdCommission`: `CommissionHold`. The first is wanted. */
export function bodyNamesOf(operationId: string): string[] {
  const { verb, noun } = wordsOf(operationId);
  const name = `${noun}${BODY_ENDINGS[verb] ?? capital(verb)}`;
  return [name, `${name}Body`];
}

/** Names for the answer to a request that waits for a second person. */
export function waitingNamesOf(operationId: string): string[] {
  return ['ChangeWaiting', `${nounOf(operationId)}Waiting`];
}

/** `listUsers` of `Member`: `MemberList`; `deleteReferralLink`: `Deleted`; `testAuthProvider`: `AuthProviderTestResult`. */
export function answerNamesOf(operationId: string, item: string | undefined): string[] {
  const { verb, noun } = wordsOf(operationId);
  if (item !== undefined) return [`${item}List`, `${noun}List`];
  if (verb === 'list') return [`${noun}List`, `${noun}Page`];
  if (verb === 'get') return [noun.replace(/^Own/, ''), noun, `${noun}Answer`];
  if (verb === 'create') return [noun, `${noun}Created`];
  if (verb === 'delete') return ['Deleted', `${noun}Deleted`];
  return [`${noun}${capital(verb)}Result`, `${noun}${capital(verb)}Answer`];
}

/** `NOT_FOUND`: `NotFound`. */
export function nameOfCode(code: string): string {
  return code.toLowerCase().split('_').map(capital).join('');
}
