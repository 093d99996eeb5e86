import { readRows } from './read-rows.ts';
import { UnreadableFile } from './unreadable-file.ts';

// Runs in its own worker; see read-in-worker.ts.
addEventListener('message', ({ data: { file, worksheet } }: MessageEvent) => {
  readRows(file, worksheet).then(
    (sheet) => postMessage({ sheet }),
    (error: unknown) => postMessage({ reason: error instanceof UnreadableFile ? error.reason : 'broken' }),
  );
});
