/** Telling tenants what has happened: said in the transaction of the change, heard of within a second or so. */
import { actorRef, type Provenance } from '../../actor.ts';
import type { Told, WriteDb } from '../../db/scope.ts';

/**
 * Tells of something that has happened to the object. It is written at the end of the frame, and only where somebody
 * hears of the type, which the feature declares in its description. To be said once the change is sent, so that the
 * question who hears of it travels along; a part of the frame that is undone takes it back.
 */
export function tell(
  db: WriteDb,
  by: Pick<Provenance, 'actor'>,
  type: `${string}.${string}`,
  objectId: string,
  rest: Pick<Told, 'data' | 'params' | 'job' | 'heard'> = {},
): void {
  db.tell({ type, objectId, actor: actorRef(by.actor), ...rest });
}
