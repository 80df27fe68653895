/** Runs the jobs of one queue as the worker would, until none is ready. */
import { createBoss } from '../../../src/jobs/boss.ts';
import { listReadyQueues } from '../../../src/jobs/job-queries.ts';
import { createWork } from '../../../src/jobs/work.ts';
import type { TestApp } from '../app/test-app.ts';

export async function runJobs({ composition }: TestApp, name: string): Promise<void> {
  const { background, logger } = composition;
  const handler = background.handlers.find((one) => one.name === name);
  if (!handler) throw new Error(`there is no job ${name}`);
  const boss = createBoss(background.frames, logger);
  await boss.start();
  try {
    const work = createWork({ boss, frames: background.frames, logger: logger });
    for (;;) {
      const ready = await background.frames.unscoped(listReadyQueues({ names: [name] }));
      const ran = await Promise.all(ready.map(({ tenantId }) => work.runOne(handler, tenantId)));
      if (!ran.includes(true)) return;
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
