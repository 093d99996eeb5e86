import fc from 'fast-check';
import { afterAll } from 'vitest';
import { testSeed } from './random.ts';
import { checkStatements } from './statements/check.ts';
import { recordStatements } from './statements/recorded.ts';

// Runs before the databases are dropped, because hooks run in reverse order of the setup files.
recordStatements();
afterAll(checkStatements);

fc.configureGlobal({ seed: testSeed });
