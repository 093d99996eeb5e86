import type { PlaceRules } from './fair-places.ts';

const waiting = { waitingPerSchoolMax: 1_000, waitMs: 10_000 };

/**
 * How many connections a process opens for what. For whoever asks is enough to keep two cores of a database busy; more
 * only queue inside PostgreSQL.
 *
 * @param sharedBy how many processes of one server share them
 */
export function placesOf(sharedBy: number) {
  const main = Math.max(4, Math.ceil(10 / sharedBy));
  const slow = Math.max(2, Math.ceil(3 / sharedBy));
  const reserved = sharedBy === 1 ? 2 : 1;
  return {
    // One school leaves places for the others.
    main: { count: main, reserved, perSchoolMax: main - 2 * reserved, ...waiting } satisfies PlaceRules,
    // Others are left for those who need no such row.
    blockedWritesMax: Math.max(1, Math.min(3, main - 3)),
    // Each for many reads at once.
    shared: sharedBy === 1 ? 2 : 1,
    // The share of reads that take long.
    slow: { count: slow, reserved: 0, perSchoolMax: slow - 1, ...waiting } satisfies PlaceRules,
    // The audit log and the counts of uses each write one batch at a time.
    behind: sharedBy === 1 ? 2 : 1,
    beats: 1,
  };
}

/** How many connections a process may open, with the one that listens. */
export function connectionsOf(sharedBy: number): number {
  const { main, shared, slow, behind, beats } = placesOf(sharedBy);
  return main.count + shared + slow.count + behind + beats + 1;
}
