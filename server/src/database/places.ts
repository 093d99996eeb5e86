import type { PlaceRules } from './fair-places.ts';

const waiting = { waitingPerSchoolMax: 1_000, waitMs: 10_000 };

/** Returns pool sizes that keep two cores of a database busy; more connections would queue inside PostgreSQL. */
export function placesOf(sharedBy: number) {
  const main = Math.max(4, Math.ceil(10 / sharedBy));
  const slow = Math.max(2, Math.ceil(3 / sharedBy));
  const reserved = sharedBy === 1 ? 2 : 1;
  return {
    main: { count: main, reserved, perSchoolMax: main - 2 * reserved, ...waiting } satisfies PlaceRules,
    // The other connections serve requests that do not need a locked row.
    blockedWritesMax: Math.max(1, Math.min(3, main - 3)),
    // Each connection serves many reads at the same time.
    shared: sharedBy === 1 ? 2 : 1,
    slow: { count: slow, reserved: 0, perSchoolMax: slow - 1, ...waiting } satisfies PlaceRules,
    // The audit log and the use counts each write one batch at a time.
    behind: sharedBy === 1 ? 2 : 1,
    beats: 1,
  };
}

/** Returns how many connections a process may open, including its LISTEN connection. */
export function connectionsOf(sharedBy: number): number {
  const { main, shared, slow, behind, beats } = placesOf(sharedBy);
  return main.count + shared + slow.count + behind + beats + 1;
}
