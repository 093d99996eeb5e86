import { afterAll } from 'vitest';
import { cleanUp } from './test-app.ts';

// Vitest runs this for every test file, whose modules are loaded once for many files.
// What a file has opened is closed here where none of its tests ran, too.
await cleanUp();
afterAll(cleanUp);
