import { requireClass } from '../../access/targets.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { changeSeat, generateSeats, listSeats } from './seats.ts';

/** Seats at the internal door. */
export function seatRoutes(
  db: Database,
): Pick<InternalHandlers, 'listSeats' | 'generateSeats' | 'updateSeat'> {
  return {
    listSeats: async ({ data, query }) => {
      if (query.classId !== undefined) await requireClass(data, query.classId);
      return listSeats(data, query, sliceOf(query));
    },
    generateSeats: ({ data, body }) => inTransaction(db, (tx) => generateSeats(data.through(tx), body)),
    updateSeat: ({ data, params, body }) =>
      inTransaction(db, (tx) => changeSeat(data.through(tx), params.id, body.userId)),
  };
}
