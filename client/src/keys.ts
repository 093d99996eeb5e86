/** Returns a new idempotency key. Avoids `crypto.randomUUID`, which pages without https lack. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
