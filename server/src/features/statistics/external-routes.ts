import type { Overview } from '@classledger/contract';
import type { ExternalHandlers } from '../../http/external-door.ts';
import { readOverview } from './overview.ts';
import { SharedReads } from './shared-reads.ts';

/** Statistics at the external door. */
export function statisticsRoutes(): Pick<ExternalHandlers, 'getOverview'> {
  const shared = new SharedReads<Overview>();
  return {
    getOverview: ({ data, query, at }) => {
      const { schoolId, gradeId, classId } = data.range;
      const today = at.toISOString().slice(0, 10);
      const question = [schoolId, gradeId, classId, query.startDate, query.endDate, today].join(' ');
      return shared.read(question, () => readOverview(data, query, at));
    },
  };
}
