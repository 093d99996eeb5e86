import { type Sheet, UnreadableFile, type UnreadableReason } from './sheet.ts';

/** Ten times as long as 20,000 rows take in .ods, the slowest kind of file. */
const timeoutMs = 60_000;

type Answer = { readonly sheet: Sheet } | { readonly reason: UnreadableReason };

/** Reads in a worker: the page stays responsive, and a slow file can be aborted. @throws UnreadableFile */
export async function readInWorker(file: File, worksheet: number | null = null): Promise<Sheet> {
  const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const timer = setTimeout(() => reject(new UnreadableFile('tooLarge')), timeoutMs);
  worker.onmessage = ({ data }) => resolve(data);
  // The worker's script could not be loaded, or the worker ran out of memory.
  worker.onerror = (event) => reject(new Error(event.message));
  worker.postMessage({ file, worksheet });
  try {
    const answer = await promise;
    if ('reason' in answer) throw new UnreadableFile(answer.reason);
    return answer.sheet;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
