import { administratorEvents, internalOperations } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { groupOfAction } from '../actions/action-groups.ts';
import { activityQuery, isFiltered, readActivitySearch } from './activity-search.ts';

describe('Address of the activity page', () => {
  it('keeps valid values and drops invalid values', () => {
    const search = {
      all: true,
      admin: 4,
      action: 'updateUser',
      from: '2026-09-01',
      to: '2026-09-30',
      page: 2,
    };
    expect(readActivitySearch(search)).toEqual(search);
    const typed = { all: 1, admin: 'x', action: 'addScore', from: '2026-13-01', to: 'now', page: 1 };
    expect(readActivitySearch(typed)).toEqual({});
    expect(isFiltered({ all: true, page: 2 })).toBe(false);
  });

  it('becomes a query for whole days in the school’s time zone', () => {
    const query = activityQuery('school_7', 'America/Santiago', { from: '2026-09-06', to: '2026-09-06' });
    expect(query).toMatchObject({
      startDate: '2026-09-06T04:00:00.000Z',
      endDate: '2026-09-07T02:59:59.999Z',
    });
  });
});

describe('groupOfAction', () => {
  it('has a group for every logged change and account event', () => {
    const logged: string[] = Object.values(internalOperations)
      .filter((one) => 'activity' in one && one.activity)
      .map(({ id }) => id);
    expect(Object.keys(groupOfAction).sort()).toEqual([...logged, ...administratorEvents].sort());
  });
});
