import { defineConfig, mergeConfig } from 'vitest/config';
import tests from '../vitest.config.ts';
import { withMutants } from './targets.ts';

export default mergeConfig(
  defineConfig({ plugins: [withMutants], test: { setupFiles: ['mutants/setup.ts'] } }),
  tests,
);
