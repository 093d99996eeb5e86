import { afterAll } from 'vitest';
import { checkStatements } from './check.ts';
import { recordStatements } from './recorded.ts';

// Runs before the databases are dropped, because hooks run in reverse order of the setup files.
recordStatements();
afterAll(checkStatements);
