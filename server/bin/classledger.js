#!/usr/bin/env node
// The command `classledger`, which `npm start` runs too. Any Node.js may run this file, so it is plain JavaScript. It
// starts the pinned Node.js with the memory limits that the benchmark measures.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const memory = ['--max-semi-space-size=6', '--max-old-space-size=320'];
/** Makes all threads share one heap of the C library. Each would otherwise keep the memory that it once took. */
const oneArena = { MALLOC_ARENA_MAX: '1' };
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'];

const product = fileURLToPath(new URL('../..', import.meta.url));
const { optionalDependencies } = JSON.parse(readFileSync(join(product, 'package.json'), 'utf8'));
/** The Node.js of each platform, all of one version. */
const packaged = Object.keys(optionalDependencies).filter((name) =>
  /^node-(bin-)?(darwin|linux|win)-/.test(name),
);
const wanted = optionalDependencies[packaged[0]];

/** Returns the path of a Node.js that can run the product, or null. */
function suitableNode() {
  return packagedNode() ?? (isAtLeast(process.versions.node, wanted) ? process.execPath : null);
}

function packagedNode() {
  // The packaged Node.js needs glibc, which Alpine lacks.
  if (process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime) return null;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = packaged.find((one) => one.endsWith(`-${platform}-${process.arch}`));
  if (name === undefined) return null;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const program = join(folder, 'bin', platform === 'win' ? 'node.exe' : 'node');
    return existsSync(program) ? program : null;
  } catch {
    // npm did not install the packaged Node.js, for example with `--omit=optional`.
    return null;
  }
}

function isAtLeast(version, least) {
  const [one, other] = [version, least].map((text) => text.split('.').map(Number));
  const place = one.findIndex((number, index) => number !== other[index]);
  return place === -1 || one[place] > other[place];
}

function handOver(node) {
  const main = join(product, 'server', 'src', 'main.js');
  // The operator's own flags come last, so they win.
  const words = [...memory, ...process.execArgv, main, ...process.argv.slice(2)];
  if (process.execve && process.platform !== 'win32') {
    // The product replaces this process, so it receives signals directly. Node.js warns that `execve` is experimental.
    process.removeAllListeners('warning');
    process.execve(node, [node, ...words], { ...oneArena, ...process.env });
  }
  // The product ends when this process is gone.
  const child = spawn(node, words, {
    stdio: 'inherit',
    env: { ...oneArena, ...process.env, CLASSLEDGER_LAUNCHED: '1' },
  });
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`Classledger could not be started with ${node}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('close', (code, signal) => {
    for (const one of signals) process.removeAllListeners(one);
    if (signal === null) process.exitCode = code;
    else process.kill(process.pid, signal);
  });
}

const node = suitableNode();
if (node === null) {
  console.error(
    `Classledger needs Node.js ${wanted} or newer; this is ${process.versions.node}. ` +
      'Install Classledger with its optional packages, which bring one, or install a newer Node.js.',
  );
  process.exitCode = 1;
} else {
  handOver(node);
}
