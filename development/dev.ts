import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

/** `npm run dev` restarts the demo server after changes; Vite serves pages. `-- serve` uses the data of `npm start`. */
const [command = 'demo'] = process.argv.slice(2);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Vite's proxy reads the same variable.
process.env.PORT ??= '3000';
const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', here('../server/src/main.js'), command],
  // One process restarts faster than several.
  { stdio: 'inherit', env: { WORKERS: '1', ...process.env, CLASSLEDGER_BUILDS: 'none' } },
);
const serverEnds = once(server, 'exit');

const pages = await createServer({
  configFile: here('../web/vite.config.ts'),
  configLoader: 'native',
  clearScreen: false,
});
await pages.listen();
console.log(`Pages with hot reload: ${pages.resolvedUrls?.local[0]}admin`);

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  // A terminal has sent Ctrl+C to the server, too; the server ignores this quick repetition.
  server.kill('SIGTERM');
  await Promise.all([serverEnds, pages.close()]);
  process.exit();
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
void serverEnds.then(stop);
