import { firstLoads, scriptBytes } from './script-sizes.ts';

for (const [name, entries] of Object.entries(firstLoads)) {
  console.log(`${name.padEnd(16)} ${(scriptBytes(entries) / 1_000).toFixed(1)} kB of script, gzip`);
}
