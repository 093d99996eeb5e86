import { readOptions, UsageError, usage } from './options.ts';
import { run } from './run.ts';

try {
  const options = readOptions(
    process.argv.slice(2),
    process.env.INIT_CWD ?? process.cwd(),
    process.env.DATABASE_URL,
  );
  if (options === null) console.log(usage);
  else await run(options);
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage}` : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
