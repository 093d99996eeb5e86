import type { Job } from './job.ts';
import { runJob } from './run-job.ts';

/** The load generator: a process of its own that runs the jobs which the benchmark sends it, one at a time. */
process.on('message', async (job: Job) => {
  process.send?.(await runJob(job));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
