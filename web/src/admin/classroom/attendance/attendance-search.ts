import {
  describeFilters,
  type ParsedSearch,
  parseDay,
  parseFlag,
  parseId,
  parseOneOf,
  parsePage,
  searchReader,
} from '../../search-parameters.ts';

const states = ['absent', 'late', 'excused'] as const;

export const readAttendanceSearch = searchReader({
  class: parseId,
  past: parseFlag,
  day: parseDay,
  student: parseId,
  state: (value) => parseOneOf(states, value),
  from: parseDay,
  to: parseDay,
  page: parsePage,
});

export type AttendanceSearch = ParsedSearch<typeof readAttendanceSearch>;

export const { isFiltered, unfiltered } = describeFilters<AttendanceSearch>('student', 'state', 'from', 'to');
