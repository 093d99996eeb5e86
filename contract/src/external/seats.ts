import Type, { type Static } from 'typebox';
import { exampleSeat } from '../examples.ts';
import {
  type Entry,
  GivenCardNumber,
  GivenExternalId,
  Input,
  is,
  Nullable,
  UserId,
  Username,
} from '../fields.ts';
import { Seat } from '../internal/records.ts';
import { limits } from '../limits.ts';
import { external } from '../operation.ts';
import { scopeTypes } from '../permissions.ts';

const tag = 'Seats';
const Extent = (description: string) =>
  Type.Integer({ minimum: 1, maximum: limits.seatExtentMax, description });

/** A seat of a layout and its student. An invalid entry fails the whole request. */
export const SeatEntry = Input(
  {
    groupIndex: Extent('The group of seats, from 1.'),
    row: Extent('The row in the group, from 1.'),
    col: Extent('The place in the row, from 1.'),
    userId: Type.Optional(is(Nullable(UserId), 'Id of the student who sits there.')),
    username: Type.Optional(is(Nullable(Username), 'Login name of the student who sits there.')),
    externalId: Type.Optional(is(Nullable(GivenExternalId), 'External id of the student who sits there.')),
    cardNumber: Type.Optional(is(Nullable(GivenCardNumber), 'Card number of the student who sits there.')),
  },
  { title: 'SeatEntry' },
);

const Layout = Type.Object({
  seats: is(Type.Array(Seat), 'By group, row and column.'),
  unseated: is(Type.Integer({ minimum: 0 }), 'How many students who are not disabled have no seat.'),
});
const example = {
  seats: [
    exampleSeat,
    {
      id: 502,
      classId: 12,
      groupIndex: 1,
      row: 1,
      col: 2,
      userId: null,
      username: null,
      actualName: null,
    },
  ],
  unseated: 43,
};

export const getSeats = external({
  id: 'getSeats',
  method: 'GET',
  path: '/classes/:id/seats',
  tag,
  summary: 'Read who sits where in a class',
  description:
    'All seats by group, row and column. A seat where no one sits has null instead of a student. Who sits there is told without `students:read`.',
  permission: 'structure:read',
  scopeTypes,
  target: { class: 'path.id' },
  data: Layout,
  examples: { data: example },
});

export const replaceSeats = external({
  id: 'replaceSeats',
  method: 'PUT',
  path: '/classes/:id/seats',
  tag,
  summary: 'Replace the seats of a class and who sits there',
  description:
    'Takes the whole layout; what is not in it is gone, and all seats get new ids. A student is named by `userId`, `username`, `externalId` or `cardNumber`; several of them must mean the same student. None, or null, leaves the seat empty. Each seat stands there once, each student too, and all are students of the class. One wrong seat fails the request, and nothing changes. The pages show the same seats.',
  permission: 'structure:write',
  scopeTypes,
  target: { class: 'path.id' },
  body: Input({
    seats: Type.Unsafe<readonly Entry<Static<typeof SeatEntry>>[]>({
      type: 'array',
      maxItems: limits.seatsPerRequestMax,
      'x-entry': SeatEntry,
      description: 'Every seat of the class. An empty list takes all seats away.',
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
});
