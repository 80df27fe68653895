/** The clearing sweep over due commissions, against one UPDATE of the same rows. */
import { runBatch } from '../../src/jobs/schedule.ts';
import type { DataSet } from '../data-set.ts';
import type { Case, Contender, Round } from '../measure.ts';
import type { Stage } from '../stage.ts';

export async function clearCase(stage: Stage, data: DataSet, dueLines: number): Promise<Case> {
  const { tenantId, environment } = data;
  const worker = await stage.openWorker();
  const sweep = worker.background.sweeps.find(({ name }) => name === 'clear-commissions');
  if (!sweep) throw new Error('there is no sweep clear-commissions');
  await stage.sql(
    `create temp table due_line as select id, row_number() over (order by id) as nr from commission_line where tenant_id = $1
     order by id limit $2`,
    [tenantId, dueLines],
  );
  await stage.sql('alter table due_line add primary key (id); analyze due_line');

  /** So many of the same lines due again, without what the round before left behind. */
  async function makeDue(lines: number): Promise<void> {
    await stage.sql('set session_replication_role = replica');
    await stage.sql(
      `update commission_line l set status = 'pending', clears_at = now() - interval '1 day', cleared_journal_id = null,
              status_changed_at = null
       from due_line d where d.nr <= ${lines} and l.tenant_id = '${tenantId}' and l.environment = '${environment}' and l.id = d.id`,
    );
    await stage.sql('set session_replication_role = origin');
    // Nothing folds here: both sides would add to what is pending, round after round.
    await stage.sql('truncate commission_pending');
    await stage.sql('vacuum analyze commission_line');
    await stage.sql('checkpoint');
  }

  const contender = (clear: () => Promise<number>): Contender => {
    const run = async (due: number): Promise<Round> => {
      await makeDue(due);
      const started = performance.now();
      const lines = await clear();
      const ms = performance.now() - started;
      if (lines !== due) throw new Error(`clear: ${lines} lines were cleared`);
      return { perSecond: (due / ms) * 1000, p50: ms, p99: ms };
    };
    return { run: () => run(dueLines), warmUp: async () => void (await run(dueLines / 10)) };
  };

  return {
    name: 'clear',
    unit: 'lines',
    ours: contender(async () => {
      let lines = 0;
      for (let rows = sweep.batchSize; rows >= sweep.batchSize; lines += rows) {
        rows = await runBatch(worker.background.frames, worker.logger, sweep, data);
      }
      return lines;
    }),
    floor: contender(async () => {
      const [row] = await stage.sql<{ lines: number }>(
        `with moved as (
           update commission_line set status = 'cleared', status_changed_at = now()
           where tenant_id = $1 and environment = $2 and status = 'pending' and clears_at <= now() returning 1)
         select count(*)::int as lines from moved`,
        [tenantId, environment],
      );
      return row?.lines ?? 0;
    }),
    target: { ratio: 0.9 },
    async check() {
      const [row] = await stage.sql<{ unbalanced: number }>(
        `select count(*)::int as unbalanced from (
           select journal_id, currency from posting where tenant_id = $1 group by 1, 2 having sum(amount_minor) <> 0) x`,
        [tenantId],
      );
      if (row?.unbalanced !== 0) throw new Error('clear: a journal does not balance');
    },
  };
}
