import { type FloodCount, type FloodName, floods } from './floods.ts';

/** A process that floods a port with the named floods until its parent sends a message or ends. */

const [port, ...names] = process.argv.slice(2);
const stop = new AbortController();
process.on('disconnect', () => process.exit());
const counts: Partial<Record<FloodName, FloodCount>> = {};
const all = Promise.all(
  (names as FloodName[]).map((name) => {
    const count = { sent: 0, cut: 0 };
    counts[name] = count;
    return floods[name]({ port: Number(port), stop: stop.signal }, count);
  }),
);
process.on('message', async () => {
  stop.abort();
  await all;
  process.send?.(counts);
});
process.send?.('ready');
