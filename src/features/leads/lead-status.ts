/** The states of a lead and which may follow which. Source: docs/specification/attribution.md#lead-states. */

export const LEAD_STATUSES = ['captured', 'qualified', 'converted', 'disqualified', 'expired'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

const NEXT: Record<LeadStatus, readonly LeadStatus[]> = {
  captured: ['qualified', 'converted', 'disqualified', 'expired'],
  qualified: ['converted', 'disqualified', 'expired'],
  converted: [],
  disqualified: [],
  expired: [],
};

export function mayBecome(from: LeadStatus, to: LeadStatus): boolean {
  return NEXT[from].includes(to);
}
