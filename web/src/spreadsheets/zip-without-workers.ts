import { type Zippable, zipSync } from 'fflate/browser';

/** Replaces fflate (vite.config.ts), whose blob: workers our Content-Security-Policy blocks, so they never answer. */
/** @public `write-excel-file` imports these. */
export { strFromU8, strToU8, unzipSync, zipSync } from 'fflate/browser';

export const zip = (files: Zippable, done: (error: null, packed: Uint8Array) => void): void =>
  done(null, zipSync(files));
