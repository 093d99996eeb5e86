import { addressGroup } from '../../access/address-group.ts';
import { RecentEvents } from '../../access/recent-events.ts';
import { AppError } from '../../app-error.ts';
import type { Monotonic } from '../../clock.ts';
import type { Database } from '../../database/connect.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { listApplications, reviewApplication, submitApplication } from './applications.ts';

/** Applications of one address within the window; each is forgotten after that time. */
const perAddressMax = 5;
const windowMs = 3_600_000;
/** Applying from ever new addresses must not fill the memory. */
const addressesMax = 10_000;

/**
 * Applications at the internal door: anybody may apply, super admins review.
 *
 * @param now what the hour of an address is measured by
 */
export function applicationRoutes(
  db: Database,
  now: Monotonic,
): Pick<InternalHandlers, 'submitApplication' | 'listApplications' | 'reviewApplication'> {
  const submissions = new RecentEvents(windowMs, addressesMax);
  return {
    submitApplication: async ({ body, ip, at }) => {
      const address = addressGroup(ip);
      const waitMs = submissions.waitMs(address, perAddressMax, now());
      if (waitMs > 0) {
        const seconds = Math.ceil(waitMs / 1000);
        throw new AppError('rate_limited', `Too many applications; try again in ${seconds} s`, seconds);
      }
      // Counted before it is stored, so that a burst gets no further than a series does.
      submissions.add(address, now());
      return submitApplication(db, body, at);
    },
    listApplications: async ({ query }) => {
      return listApplications(db, query.status, sliceOf(query));
    },
    reviewApplication: ({ admin, params, body, at }) => reviewApplication(db, admin, params.id, body, at),
  };
}
