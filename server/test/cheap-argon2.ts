import { hash as hashAtCost, type Options, verify as verifyAtCost } from '@node-rs/argon2';

/** Makes the same hashes almost for free; `start-database.broad.test.ts` checks the real cost. */
export const hash = async (password: string, options: Options): Promise<string> => {
  hashCalls.count++;
  await turnOf(password);
  return hashAtCost(password, { ...options, memoryCost: 8, timeCost: 1 });
};

export const verify = async (hashed: string, password: string): Promise<boolean> => {
  verifyCalls.count++;
  await turnOf(password);
  return verifyAtCost(hashed, password);
};

export const hashCalls = { count: 0 };
export const verifyCalls = { count: 0 };

let held = { password: '', left: 0, until: Promise.resolve() };

const turnOf = (password: string) =>
  password === held.password && held.left-- <= 0 ? held.until : undefined;

/** Delays hashes and checks of a password, except the first `allBut`, until the returned function is called. */
export function delayPassword(password: string, allBut = 0): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = { password, left: allBut, until: promise };
  return resolve;
}
