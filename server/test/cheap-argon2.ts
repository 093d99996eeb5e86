import { hash as hashAtCost, type Options, verify as verifyAtCost } from '@node-rs/argon2';

/**
 * Stands in for the library where `access/passwords.ts` imports it: the same hashes at next to no cost, because tests
 * make thousands of passwords that guard nothing. What the product asks for is proven where it runs as a process of
 * its own, in `start-database.broad.test.ts`.
 */
export const hash = async (password: string, options: Options): Promise<string> => {
  hashed.count++;
  await turnOf(password);
  return hashAtCost(password, { ...options, memoryCost: 8, timeCost: 1 });
};

export const verify = async (hashed: string, password: string): Promise<boolean> => {
  verified.count++;
  await turnOf(password);
  return verifyAtCost(hashed, password);
};

/** How many hashes were made in this worker, for tests that compare before and after. */
export const hashed = { count: 0 };
/** How many passwords were checked against one. */
export const verified = { count: 0 };

let held = { password: '', left: 0, until: Promise.resolve() };

const turnOf = (password: string) =>
  password === held.password && held.left-- <= 0 ? held.until : undefined;

/**
 * Holds hashes and checks of a password back, all but the first few, as if they took very long.
 *
 * @returns lets them go
 */
export function holdBack(password: string, allBut = 0): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = { password, left: allBut, until: promise };
  return resolve;
}
