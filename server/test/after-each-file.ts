import { afterAll } from 'vitest';
import { cleanUp } from './test-app.ts';

// Vitest runs this for every test file but loads modules once, so it cleans up even if no test ran.
await cleanUp();
afterAll(cleanUp);
