interface AskedAhead {
  readonly token: string | null;
  readonly answer: Promise<Response | null>;
}

declare global {
  interface Window {
    /** What public/first-paint.js has asked for before the scripts of the page were there, by address. */
    classledgerAhead?: Record<string, AskedAhead>;
  }
}

/** Drops what was asked for ahead: it was asked as whoever was signed in then. */
export function dropAhead(): void {
  delete window.classledgerAhead;
}

/**
 * The answer to what was asked for ahead of the scripts of the page, once, and only to who it was asked for; null where
 * it has to be asked for now.
 */
export async function takeAhead(address: string, token: string | null): Promise<Response | null> {
  const ahead = window.classledgerAhead?.[address];
  if (!ahead) return null;
  delete window.classledgerAhead?.[address];
  return ahead.token === token ? ahead.answer : null;
}
