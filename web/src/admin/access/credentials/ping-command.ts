/** A line for a terminal that tries a credential; nothing in a token or an address needs quoting. */
export function pingCommand(origin: string, token: string): string {
  return `curl -H "Authorization: Bearer ${token}" ${origin}/api/v1/ping`;
}
