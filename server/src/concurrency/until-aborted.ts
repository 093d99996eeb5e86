/** Waits for work until a signal aborts; the work itself goes on. @throws its error, or the reason of the abort */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Waits for work at most this long; the work itself goes on. @throws the error of the work */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), milliseconds);
  await untilAborted(late.signal, work).catch((error: unknown) => {
    if (!late.signal.aborted) throw error;
  });
  clearTimeout(timer);
}

export function delayedAbort(signal: AbortSignal, milliseconds: number): AbortSignal {
  const later = new AbortController();
  const begin = () => setTimeout(() => later.abort(), milliseconds);
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return later.signal;
}
