import { dayIn, filtersOf, flagIn, idIn, oneOf, pageIn, readerOf, type SearchIn } from '../../address.ts';

const states = ['absent', 'late', 'excused'] as const;

/** Reads the address of the attendance page: the sheet of a day, or the list of past days. */
export const readAttendanceSearch = readerOf({
  class: idIn,
  past: flagIn,
  day: dayIn,
  student: idIn,
  state: (value) => oneOf(states, value),
  from: dayIn,
  to: dayIn,
  page: pageIn,
});

export type AttendanceSearch = SearchIn<typeof readAttendanceSearch>;

export const { isFiltered, unfiltered } = filtersOf<AttendanceSearch>('student', 'state', 'from', 'to');
