/**
 * Lets at most so many pieces of work run at once; the rest wait their turn in the order in which they came.
 *
 * @returns what runs a piece of work when its turn has come
 */
export function atMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // Whoever ends hands the place over, so that nobody who comes at that moment overtakes.
    if (running < count) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
