/** What the log of events holds of a person: the objects as they were shown, which are exported by those whose they are. */
import type { Personal } from '../../house/personal.ts';
import { eraseToldEvents } from './log/personal-queries.ts';

/** Under the member's lock: nothing is told of it meanwhile. */
export const webhooksPersonal: Personal = { erase: [eraseToldEvents] };
