import { open } from 'node:fs/promises';

/** Makes a rename inside the folder survive a power failure. Windows cannot and need not do that. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
