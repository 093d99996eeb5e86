import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './ensure-built.ts';

export const ensureClientBuilt = (stop?: AbortSignal): Promise<void> =>
  ensureBuilt(
    {
      name: 'client package',
      workspace: 'client',
      file: 'classledger-client.tgz',
      sources: [
        'contract/src',
        'server/src/features/documentation',
        'client/generate',
        'client/src',
        'client/build',
        'web/src/spreadsheets',
      ],
      files: [
        'client/package.json',
        'client/tsconfig.json',
        'client/README.md',
        'client/LICENSE',
        'tsconfig.json',
      ],
      packagesOf: ['client', 'web'],
      program: 'client/build/build.ts',
      script: 'client:build',
    },
    stop,
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureClientBuilt();
