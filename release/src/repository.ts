import { resolve } from 'node:path';

/** The folder of all workspaces. */
export const repository = resolve(import.meta.dirname, '../..');
