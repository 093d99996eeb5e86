import { type Zippable, zipSync } from 'fflate/browser';

/** Replaces fflate (vite.config.ts), whose blob: workers our Content-Security-Policy blocks, so they never answer. */
/** @public `write-excel-file` imports these. */
export { strFromU8, strToU8, unzipSync, zipSync } from 'fflate/browser';

export function zip(files: Zippable, done: (error: unknown, packed: Uint8Array | null) => void): void {
  let packed: Uint8Array;
  try {
    packed = zipSync(files);
  } catch (error) {
    done(error, null);
    return;
  }
  done(null, packed);
}
