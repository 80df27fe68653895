/** The profile. It is written into a data export by the export itself, which opens the ID number. */
import type { Personal } from '../../house/personal.ts';
import { eraseProfile } from './personal-queries.ts';

export const profilePersonal: Personal = { erase: [eraseProfile] };
