import fc from 'fast-check';
import { testSeed } from './random.ts';

// Vitest runs this for every test file.
fc.configureGlobal({ seed: testSeed });
