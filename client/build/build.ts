import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licencesOf } from './licences.ts';

/**
 * Makes the package's `dist`: the library as JavaScript with its types, and the command in one piece with all that it needs of others,
 * so that the package depends on nothing. Runs before `npm pack` and `npm publish`.
 */
const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = `${folder}dist`;
rmSync(dist, { recursive: true, force: true });

const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
const tsc = typescript.replace('package.json', 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', folder], { stdio: ['ignore', 'inherit', 'inherit'] });

const { version } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
const withVersion = `export const version = ${JSON.stringify(version)};\n`;
writeFileSync(`${dist}/version.js`, withVersion);

const bundle = await rolldown({
  input: { command: `${folder}src/command/main.ts` },
  platform: 'node',
  plugins: [
    { name: 'version', load: (file) => (file.endsWith('client/src/version.ts') ? withVersion : null) },
  ],
  // What is served to browsers knows none of Node.js.
  external: /^node:/,
  onLog: (level, log) => {
    if (level !== 'info') throw new Error(log.message);
  },
});
const { output } = await bundle.write({
  dir: dist,
  format: 'esm',
  minify: 'dce-only',
  chunkFileNames: 'command-[name].js',
  comments: { legal: false, annotation: false, jsdoc: false },
});
await bundle.close();
chmodSync(`${dist}/command.js`, 0o755);
const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
writeFileSync(`${dist}/LICENSES-OF-OTHERS.txt`, licencesOf(modules));
