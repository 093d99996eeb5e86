import { limits } from '@classledger/contract';
import { Listed } from '../../database/page.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { listScores } from '../scores/list-scores.ts';
import { ownDays } from '../statistics/own-days.ts';
import { listMates } from './classmates.ts';

/** What students read about themselves and their class. */
export function studentDataRoutes(): Pick<
  InternalHandlers,
  'listClassmates' | 'listOwnScores' | 'listOwnDayTotals'
> {
  return {
    listClassmates: async ({ data, student, query }) => {
      return listMates(data, student.id, sliceOf(query));
    },

    listOwnScores: async ({ data, student, query }) => {
      const { offset, limit } = sliceOf(query, limits.scoreLogsDefault);
      const type = query.type && ({ plus: 'add', minus: 'deduct' } as const)[query.type];
      const { list, total } = await listScores(
        data,
        { studentId: student.id, type },
        { by: 'createdAt', direction: 'desc' },
        { offset, limit: limit ?? limits.scoreLogsDefault },
      );
      return new Listed(list, total);
    },

    listOwnDayTotals: async ({ data, student, query, at }) => {
      const days = await ownDays(data, student.id, query.days ?? limits.statisticsDaysDefault, at);
      const { offset, limit } = sliceOf(query);
      return new Listed(days.slice(offset, limit === null ? undefined : offset + limit), days.length);
    },
  };
}
