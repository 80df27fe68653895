/** Filters of pages under a name. Source: docs/specification/overview.md#saved-views. */
import type { z } from 'zod';
import { actorRef } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import { AppError } from '../../errors.ts';
import type { CallContext } from '../../http/operation.ts';
import { holdsRight } from '../../http/rights.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { saveView } from './saved-views-operations.ts';
import { deleteView, listViews, type SavedView, saveViewRow } from './saved-views-queries.ts';

type Save = z.output<(typeof saveView)['body'] & {}>;

/** That an owner may have. */
export const MOST_VIEWS = 100;

/** Who may delete what others have shared: who may change how the tenant is set up. */
const TIDIES = 'admin:settings';

export interface SavedViewsService {
  /** Own and shared ones, by page and name. */
  list(context: CallContext, page: string | undefined): Promise<SavedView[]>;
  /** Replaces the one of the same page and name. LIMIT_REACHED. */
  save(context: CallContext, input: Save): Promise<SavedView>;
  /** Returns the id. NOT_FOUND. */
  remove(context: CallContext, id: string): Promise<string>;
}

export function createSavedViewsService({ frames }: { frames: Frames }): SavedViewsService {
  return {
    list: ({ scope }, page) => frames.readOnce(scope, listViews(scope, { owner: scope.root, page: page ?? null })),

    save: ({ scope, guard, shape }, { name, page, query, shared }) =>
      frames.write(
        scope,
        async (db) => {
          const view = await db.row(
            saveViewRow(scope, {
              owner: scope.root,
              name: name.trim(),
              page,
              query: JSON.stringify(query),
              shared: shared ?? false,
              createdBy: actorRef(scope.provenance.actor),
              most: MOST_VIEWS,
            }),
          );
          if (!view) {
            throw new AppError(
              'LIMIT_REACHED',
              `There are ${MOST_VIEWS} views of your own, which is the most; delete one first`,
              {
                details: { limit: MOST_VIEWS },
              },
            );
          }
          await recordAudit(db, scope, {
            action: 'saved_view.saved',
            by: scope.provenance,
            objectKind: 'saved_view',
            objectId: view.id,
            details: { shared: view.shared },
          });
          return view;
        },
        { guard, shape },
      ),

    remove: ({ scope, guard, shape }, id) =>
      frames.write(
        scope,
        async (db) => {
          const gone = await db.row(deleteView(scope, { id, owner: scope.root, anyShared: holdsRight(scope, TIDIES) }));
          if (!gone) throw new AppError('NOT_FOUND', 'No such view');
          await recordAudit(db, scope, {
            action: 'saved_view.deleted',
            by: scope.provenance,
            objectKind: 'saved_view',
            objectId: id,
          });
          return gone.id;
        },
        { guard, shape },
      ),
  };
}
