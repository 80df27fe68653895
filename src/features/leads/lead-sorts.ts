/** The orders that the list can be asked for. */
export const LEAD_SORTS = ['created_at', '-created_at'] as const;
export type LeadSort = (typeof LEAD_SORTS)[number];
