import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces a file atomically: after a kill or a power failure it has the old content or the new one. */
export function replaceFile(path: string, content: string): void {
  const next = `${path}.new`;
  const file = openSync(next, 'w');
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
  // Synchronises the folder too, to make the new name durable. Windows cannot open folders.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
