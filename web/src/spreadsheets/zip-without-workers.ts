import { type UnzipOptions, type Unzipped, unzipSync, type Zippable, zipSync } from 'fflate/browser';

/**
 * Replaces fflate in our pages (see vite.config.ts). For more than half a megabyte, its own `zip` and `unzip` start
 * workers from blob: addresses. Our Content-Security-Policy forbids those, so they would wait forever. A school's list
 * needs a fraction of a second without workers.
 */
/** @public The packages of the spreadsheets import these. */
export { strFromU8, strToU8, unzipSync, zipSync } from 'fflate/browser';

type Done<T> = (error: unknown, result: T | null) => void;

/** Like fflate's `zip`, but synchronous. */
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
