import Type, { type Static } from 'typebox';
import { exampleSeat } from './examples.ts';
import {
  ClassFilter,
  ClassId,
  type Entry,
  GivenCardNumber,
  GivenExternalId,
  Input,
  is,
  Nullable,
  Optional,
  UserId,
  Username,
} from './fields.ts';
import { internalPaging } from './internal/lists.ts';
import { Seat } from './internal/records.ts';
import { limits } from './limits.ts';
import { dutyInSchool, external } from './operation.ts';

const Extent = (description: string) =>
  Type.Integer({ minimum: 1, maximum: limits.seatExtentMax, description });

/** A seat of a layout and its student. An invalid entry fails the whole request. */
export const SeatEntry = Input(
  {
    groupIndex: Extent('Number of the seat group, starting at 1.'),
    row: Extent('Number of the row in the group, starting at 1.'),
    col: Extent('Number of the seat in the row, starting at 1.'),
    userId: Optional(Nullable(UserId), 'Id of the student on this seat.'),
    username: Optional(Nullable(Username), 'Username of the student on this seat.'),
    externalId: Optional(Nullable(GivenExternalId), 'External id of the student on this seat.'),
    cardNumber: Optional(Nullable(GivenCardNumber), 'Card number of the student on this seat.'),
  },
  { title: 'SeatEntry' },
);

const Layout = Type.Object({
  seats: is(Type.Array(Seat), 'Sorted by group, row and column.'),
  unseated: is(Type.Integer({ minimum: 0 }), 'Number of enabled students without a seat.'),
});
const example = {
  seats: [exampleSeat, { ...exampleSeat, id: 502, col: 2, userId: null, username: null, actualName: null }],
  unseated: 43,
};

export const externalSeatOperations = external('Seats', {
  getSeats: {
    route: 'GET /classes/:id/seats',
    summary: 'Read the seats of a class and their students',
    description:
      'Returns all seats, sorted by group, row and column. An empty seat has null instead of a student. Reading the names of seated students does not require `students:read`.',
    permission: 'structure:read',
    target: { class: 'path.id' },
    data: Layout,
    examples: { data: example },
  },

  replaceSeats: {
    route: 'PUT /classes/:id/seats',
    summary: 'Replace the seats of a class and their students',
    description:
      'Send the whole layout. Omitted seats are deleted, and all seats get new ids. Identify a student by `userId`, `username`, `externalId` or `cardNumber`. If you send several of them, they must match the same student. If you omit them all or send null, the seat is empty. Each seat and each student must appear only once, and all students must belong to the class. One invalid seat fails the whole request, and nothing changes. The pages show the same seats.',
    permission: 'structure:write',
    target: { class: 'path.id' },
    body: Input({
      seats: Type.Unsafe<readonly Entry<Static<typeof SeatEntry>>[]>({
        type: 'array',
        maxItems: limits.seatsPerRequestMax,
        'x-entry': SeatEntry,
        description: 'Every seat of the class. An empty list removes all seats.',
      }),
    }),
    data: Layout,
    errors: [40003, 40901],
    examples: {
      body: {
        layout: {
          seats: [
            { groupIndex: 1, row: 1, col: 1, userId: 1201 },
            { groupIndex: 1, row: 1, col: 2, userId: null },
          ],
        },
      },
      data: example,
    },
  },
});

const Size = Type.Integer({ minimum: 1, maximum: limits.seatExtentMax });

const readOperations = dutyInSchool('Seats', 'readSeats', {
  listSeats: {
    route: 'GET /seats/data',
    summary: 'List the seats of a class, or of all classes in your range',
    description: 'Sorted by class, group, row and column.',
    shows: ['seat', 'student'],
    query: Type.Object({ ...internalPaging, classId: Type.Optional(ClassFilter) }),
    data: Type.Array(Seat),
  },
});

const manageOperations = dutyInSchool('Seats', 'manageSeats', {
  generateSeats: {
    route: 'POST /seats/data/generate',
    summary: 'Replace the layout of a class and seat its students in order of username',
    description: 'Disabled students get no seat. `unseated` is the number of students without a seat.',
    target: { class: 'body.classId' },
    affects: ['seat'],
    activity: { verb: 'added', subject: 'class' },
    body: Input({
      classId: ClassId,
      groupCount: is(Size, 'Number of groups of seats.'),
      rowsPerGroup: is(Size, 'Rows in a group.'),
      colsPerGroup: is(Size, 'Seats in a row.'),
    }),
    data: Type.Object({
      seats: is(Type.Array(Seat), 'The new layout.'),
      unseated: is(Type.Integer({ minimum: 0 }), 'Number of students without a seat.'),
    }),
  },

  updateSeat: {
    route: 'PATCH /seats/data/:id',
    summary: 'Seat a student, or empty the seat',
    description:
      'The student leaves the old seat. A student who was on this seat moves to that old seat, or loses the seat if there was none. Null empties the seat.',
    target: { seat: 'path.id', student: 'body.userId' },
    affects: ['seat'],
    // Logged under the student, because an erasure finds activity lines by the student's id.
    activity: { verb: 'changed', subject: 'student' },
    body: Input({ userId: Nullable(UserId) }),
    data: Seat,
  },
});

export const internalSeatOperations = { ...readOperations, ...manageOperations };
