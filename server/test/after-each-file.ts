import { afterAll } from 'vitest';
import { cleanUp } from './test-app.ts';

// Vitest runs this for every test file, whose modules are loaded once for many files.
afterAll(cleanUp);
