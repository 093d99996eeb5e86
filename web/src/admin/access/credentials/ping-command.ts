/** Returns a terminal command that tests a credential. Tokens and origins have no characters that need quotes. */
export function pingCommand(origin: string, token: string): string {
  return `curl -H "Authorization: Bearer ${token}" ${origin}/api/v1/ping`;
}
