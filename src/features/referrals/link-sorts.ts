/** What the list can be asked for: its orders, and how many clicks it counts of each link. */
export const LINK_SORTS = ['created_at', '-created_at'] as const;
export type LinkSort = (typeof LINK_SORTS)[number];

/** No more are counted of a link in a list, so that a page of them is counted quickly. */
export const MOST_LISTED_CLICKS = 10_000;
