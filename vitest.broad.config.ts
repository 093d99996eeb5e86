import { defineConfig } from 'vitest/config';
import { broadTests } from './vitest.config.ts';

/** `npm run test:broad` */
export default defineConfig({ test: broadTests });
