import { type UnzipOptions, type Unzipped, unzipSync, type Zippable, zipSync } from 'fflate/browser';

/** Replaces fflate (vite.config.ts): its blob: workers would wait forever under our Content-Security-Policy. */
/** @public The packages of the spreadsheets import these. */
export { strFromU8, strToU8, unzipSync, zipSync } from 'fflate/browser';

type Done<T> = (error: unknown, result: T | null) => void;

export function zip(files: Zippable, done: Done<Uint8Array>): void {
  settle(() => zipSync(files), done);
}

/** Like fflate's `unzip`, but synchronous; the options are optional. */
export function unzip(data: Uint8Array, ...given: [UnzipOptions, Done<Unzipped>] | [Done<Unzipped>]): void {
  const [options, done] = given.length === 1 ? [{}, given[0]] : given;
  settle(() => unzipSync(data, options), done);
}

function settle<T>(work: () => T, done: Done<T>): void {
  let result: T;
  try {
    result = work();
  } catch (error) {
    done(error, null);
    return;
  }
  done(null, result);
}
