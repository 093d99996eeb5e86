import type { Job } from './job.ts';
import { runJob } from './run-job.ts';

process.on('message', async (job: Job) => {
  process.send?.(await runJob(job));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
