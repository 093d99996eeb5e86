import { readRows } from './read-rows.ts';
import { UnreadableFile } from './sheet.ts';

// The script of the worker that read-in-worker.ts starts.
addEventListener('message', ({ data: { file, worksheet } }: MessageEvent) => {
  readRows(file, worksheet).then(
    (sheet) => postMessage({ sheet }),
    (error: unknown) => postMessage({ reason: error instanceof UnreadableFile ? error.reason : 'broken' }),
  );
});
