import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './ensure-built.ts';

export const ensureWebBuilt = (stop?: AbortSignal): Promise<void> =>
  ensureBuilt(
    {
      name: 'web pages',
      workspace: 'web',
      file: 'index.html',
      sources: ['web/src', 'web/public', 'web/vite', 'contract/src'],
      files: [
        'web/index.html',
        'web/admin.html',
        'web/student.html',
        'web/vite.config.ts',
        'web/package.json',
      ],
      packagesOf: ['web'],
      program: 'web/vite/build-pages.ts',
      script: 'web:build',
    },
    stop,
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureWebBuilt();
