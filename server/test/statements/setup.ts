import { afterAll } from 'vitest';
import { checkStatements } from './check.ts';
import { recordStatements } from './recorded.ts';

// Before the databases of the file are dropped: hooks run in the reverse order of the setup files.
recordStatements();
afterAll(checkStatements);
