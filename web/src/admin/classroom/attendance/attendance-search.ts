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

export const absenceStates = ['absent', 'late', 'excused'] as const;

export const readAttendanceSearch = searchReader({
  class: parseId,
  past: parseFlag,
  day: parseDay,
  student: parseId,
  state: (value) => parseOneOf(absenceStates, value),
  from: parseDay,
  to: parseDay,
  page: parsePage,
});

type AttendanceSearch = ParsedSearch<typeof readAttendanceSearch>;

export const { isFiltered, unfiltered } = describeFilters<AttendanceSearch>('student', 'state', 'from', 'to');
