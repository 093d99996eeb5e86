import type { Transaction } from '../database/connect.ts';
import type { SchoolData } from './school-data.ts';

/** Runs work in a transaction and rolls it back, so that a preview cannot differ from the real run. */
export async function runAndRollBack<T>(
  data: SchoolData,
  work: (own: SchoolData, tx: Transaction) => Promise<T>,
): Promise<T> {
  let answer: T | undefined;
  const undone = new Error('Only tried out');
  try {
    await data.transaction(async (own, tx) => {
      answer = await work(own, tx);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return answer as T;
}
