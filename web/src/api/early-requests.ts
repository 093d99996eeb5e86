interface EarlyRequest {
  readonly token: string | null;
  readonly answer: Promise<Response | null>;
}

declare global {
  interface Window {
    /** Requests that public/first-paint.js sent before the page's scripts loaded, by URL. */
    classledgerAhead?: Record<string, EarlyRequest>;
  }
}

/** Drops the early requests, which were sent for the person who was signed in before. */
export function dropEarlyRequests(): void {
  delete window.classledgerAhead;
}

/** Returns and removes the early answer; null if the caller must send the request itself. */
export async function takeEarlyAnswer(address: string, token: string | null): Promise<Response | null> {
  const ahead = window.classledgerAhead?.[address];
  if (!ahead) return null;
  delete window.classledgerAhead?.[address];
  return ahead.token === token ? ahead.answer : null;
}
