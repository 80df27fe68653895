/** What the log of events holds of a person: the objects as they were shown, which are exported by those whose they are, and the files with all of them. */
import type { Personal } from '../../house/personal.ts';
import { eraseHeardAnswers, eraseToldEvents } from './log/personal-queries.ts';
import { lockNewSnapshots, outdateSnapshots } from './snapshot/snapshot-queries.ts';

/** Under the member's lock: nothing is told of it meanwhile. It finds leads by their email, so it stands ahead of what takes that. */
export const webhooksPersonal: Personal = { erase: [eraseToldEvents, eraseHeardAnswers, lockNewSnapshots, outdateSnapshots] };
