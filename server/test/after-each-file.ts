import { afterAll } from 'vitest';
import { cleanUp } from './test-app.ts';

// Vitest runs this file for each test file. Also cleans up at the start, in case the file before had no test to run.
await cleanUp();
afterAll(cleanUp);
