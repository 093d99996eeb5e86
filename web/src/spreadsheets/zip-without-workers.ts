import { type UnzipOptions, type Unzipped, unzipSync, type Zippable, zipSync } from 'fflate/browser';

/**
 * Stands in for fflate in our pages (see vite.config.ts). Its own `zip` and `unzip` start workers from blob: addresses
 * for what is larger than half a megabyte, which our Content-Security-Policy forbids: they would wait forever. A
 * school's list takes a fraction of a second without.
 */
/** @public The packages of the spreadsheets import these. */
export { strFromU8, strToU8, unzipSync, zipSync } from 'fflate/browser';

type Done<T> = (error: unknown, result: T | null) => void;

/** As fflate's, at once. */
export function zip(files: Zippable, done: Done<Uint8Array>): void {
  settle(() => zipSync(files), done);
}

/** As fflate's, at once; its options may be left out. */
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
