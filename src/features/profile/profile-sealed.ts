/** Government ID numbers, which are sealed. */
import type { Sealed } from '../../house/sealed.ts';
import { idNumberPlace } from './open/id-number.ts';

export const profileSealed: readonly Sealed[] = [
  { kind: 'rows', table: 'member_profile', id: 'member_id', column: 'id_number_sealed', place: idNumberPlace },
];
