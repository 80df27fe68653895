/** The worker's process: the same composition as the API, running background jobs only. */
import { runProcess, startJobs } from './run-process.ts';

await runProcess('worker', startJobs);
