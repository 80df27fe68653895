/** What somebody asked for, of the writes that may wait for a second person. */
const WORDS: Readonly<Record<string, string>> = {
  updateSettings: 'Change of settings',
  createAuthProvider: 'New sign-in provider',
  updateAuthProvider: 'Change of a sign-in provider',
  publishCommissionPlan: 'Publishing of a plan',
  recordManualCommission: 'Commission by hand',
  inviteStaff: 'Invitation of a person',
  updateStaffMember: 'Change of a person',
  createExchangeRate: 'New exchange rate',
  createRateOverride: 'Rate agreed with a member',
};

/** By the id of the operation; of one that is not known that id. */
export function operationWords(operationId: string): string {
  return WORDS[operationId] ?? operationId;
}
