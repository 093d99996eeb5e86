import { median } from '../../../bench/src/measure.ts';
import { withProduct, withTemporaryFolder } from '../../../bench/src/processes/product.ts';
import { describeMachine } from '../../../bench/src/report.ts';
import { prepareData } from '../../../bench/src/seed/prepare-data.ts';
import { sharedBrowser } from '../harness/browser.ts';
import { measurementParts, measurePages } from './measure-pages.ts';

/**
 * Measures how fast pages respond: `npm run bench:pages`, or one part: `-- slow`.
 * Exit code 1 means that even the fastest round was too slow; other load only lengthens rounds.
 */

const wanted = process.argv[2];
const chosen = measurementParts.filter((part) => wanted === undefined || part === wanted);
if (chosen.length === 0) throw new Error(`The measurementParts are ${measurementParts.join(', ')}`);

await withTemporaryFolder('pages', async (folder) => {
  await prepareData(folder, 30_000, () => {});
  await withProduct(folder, async ({ port }) => {
    const browser = await sharedBrowser();
    try {
      console.log(`${describeMachine()}\n\n${''.padEnd(40)}  median  quickest   bound`);
      for await (const [what, { times, bound }] of measurePages(port, chosen)) {
        const quickest = Math.min(...times);
        const figures = [median(times), quickest, bound].map((ms) => `${ms.toFixed(0)} ms`.padStart(8));
        console.log(`${what.padEnd(40)}${figures.join('  ')}${quickest <= bound ? '' : '  TOO SLOW'}`);
        if (!(quickest <= bound)) process.exitCode = 1;
      }
    } finally {
      await browser.close();
    }
  });
});
