import { requireClass } from '../../access/targets.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { changeSeat, generateSeats, listSeats } from './seats.ts';

/** Seats at the internal door. */
export function seatRoutes(): Pick<InternalHandlers, 'listSeats' | 'generateSeats' | 'updateSeat'> {
  return {
    listSeats: async ({ data, query }) => {
      if (query.classId !== undefined) await requireClass(data, query.classId);
      return listSeats(data, query, sliceOf(query));
    },
    generateSeats: ({ data, body }) => data.transaction((own) => generateSeats(own, body)),
    updateSeat: ({ data, params, body }) =>
      data.transaction((own) => changeSeat(own, params.id, body.userId)),
  };
}
