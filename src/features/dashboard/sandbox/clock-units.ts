/** How far a clock is moved. */
import type { Choice } from '../../../pages/parts/form.ts';

export const SECONDS_OF: Readonly<Record<string, number>> = { hours: 3_600, days: 86_400, weeks: 604_800 };

export const UNITS: readonly Choice[] = Object.keys(SECONDS_OF).map((value) => ({ value, label: value }));
