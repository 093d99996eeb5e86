import { atEndOfFile, type TestApp } from '../../../server/test/test-app.ts';

/** Works on imports until the end of the file, as a running server does. */
export function runImportsInBackground({ app }: TestApp): void {
  const timer = setInterval(() => void app.runImports(), 300);
  atEndOfFile(async () => clearInterval(timer));
}
