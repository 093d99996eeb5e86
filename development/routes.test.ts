import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { externalOperations, internalOperations } from '@classledger/contract';
import { expect, it } from 'vitest';
import { listRoutes } from './routes.ts';

it('npm run routes lists every operation with the functions of its rule and their files', () => {
  const routes = listRoutes();
  expect(routes.map(({ operation }) => operation)).toEqual(
    [externalOperations, internalOperations].flatMap((operations) => Object.keys(operations)),
  );
  const files = new Set(routes.flatMap((route) => route.files));
  expect([...files].filter((file) => !existsSync(join(import.meta.dirname, '..', file)))).toEqual([]);
  expect(routes).toContainEqual({
    method: 'POST',
    path: '/api/v1/scores',
    operation: 'writeScores',
    rules: ['writeScores'],
    files: ['server/src/features/scores/write-scores.ts'],
  });
  expect(routes).toContainEqual({
    method: 'GET',
    path: '/api/stats/leaders',
    operation: 'rankStudents',
    rules: ['statistics.ranking'],
    files: ['server/src/features/statistics/school-statistics.ts'],
  });
});
