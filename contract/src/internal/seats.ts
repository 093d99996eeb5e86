import Type from 'typebox';
import { ClassFilter, ClassId, Input, is, Nullable, UserId } from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { Seat } from './records.ts';

const tag = 'Seats';
const manageSeats = { tag, access: 'admin', duty: 'manageSeats', school: 'required' } as const;
const Extent = Type.Integer({ minimum: 1, maximum: limits.seatExtentMax });

export const listSeats = internal({
  id: 'listSeats',
  method: 'GET',
  path: '/seats/data',
  ...manageSeats,
  summary: 'List the seats of a class, or of all classes in your range',
  description: 'Sorted by class, group, row and column.',
  shows: ['seat', 'student'],
  query: Type.Object({ ...internalPaging, classId: Type.Optional(ClassFilter) }),
  data: Type.Array(Seat),
});

export const generateSeats = internal({
  id: 'generateSeats',
  method: 'POST',
  path: '/seats/data/generate',
  ...manageSeats,
  summary: 'Replace the layout of a class and seat its students in order of username',
  description: 'Disabled students get no seat. `unseated` is the number of students without a seat.',
  target: { class: 'body.classId' },
  affects: ['seat'],
  activity: { verb: 'added', subject: 'class' },
  body: Input({
    classId: ClassId,
    groupCount: is(Extent, 'Number of groups of seats.'),
    rowsPerGroup: is(Extent, 'Rows in a group.'),
    colsPerGroup: is(Extent, 'Seats in a row.'),
  }),
  data: Type.Object({
    seats: is(Type.Array(Seat), 'The new layout.'),
    unseated: is(Type.Integer({ minimum: 0 }), 'Number of students without a seat.'),
  }),
});

export const updateSeat = internal({
  id: 'updateSeat',
  method: 'PATCH',
  path: '/seats/data/:id',
  ...manageSeats,
  summary: 'Seat a student, or empty the seat',
  description:
    'The student leaves the old seat. A student who was on this seat moves to that old seat, or loses the seat if there was none. Null empties the seat.',
  target: { seat: 'path.id', student: 'body.userId' },
  affects: ['seat'],
  // Logged under the student, because an erasure finds activity lines by the student's id.
  activity: { verb: 'changed', subject: 'student' },
  body: Input({ userId: Nullable(UserId) }),
  data: Seat,
});
