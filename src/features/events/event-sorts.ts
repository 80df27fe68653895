/** The orders that the list can be asked for. */
export const EVENT_SORTS = ['recorded_at', '-recorded_at'] as const;
export type EventSort = (typeof EVENT_SORTS)[number];
