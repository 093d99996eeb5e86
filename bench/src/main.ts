import { readOptions, UsageError, usage } from './options.ts';
import { run } from './run.ts';

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => interruption.abort(new Error(`Interrupted by ${name}`)));
}
try {
  const options = readOptions(
    process.argv.slice(2),
    process.env.INIT_CWD ?? process.cwd(),
    process.env.DATABASE_URL,
  );
  if (options === null) console.log(usage);
  else process.exitCode = await run(options, interruption.signal);
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage}` : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
