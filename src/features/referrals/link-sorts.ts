/** The orders that the list can be asked for. */
export const LINK_SORTS = ['created_at', '-created_at'] as const;
export type LinkSort = (typeof LINK_SORTS)[number];
