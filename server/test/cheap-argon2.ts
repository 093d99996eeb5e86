import { hash as hashAtCost, type Options } from '@node-rs/argon2';

export { verify } from '@node-rs/argon2';

/**
 * Stands in for the library where `access/passwords.ts` imports it: the same hashes at next to no cost, because tests
 * make thousands of passwords that guard nothing. What the product asks for is proven where it runs as a process of
 * its own, in `start-database.test.ts`.
 */
export const hash = (password: string, options: Options): Promise<string> => {
  hashed.count++;
  return hashAtCost(password, { ...options, memoryCost: 8, timeCost: 1 });
};

/** How many hashes were made in this worker, for tests that compare before and after. */
export const hashed = { count: 0 };
