/** Returns a terminal command that tests a credential; tokens and addresses need no quoting. */
export function pingCommand(origin: string, token: string): string {
  return `curl -H "Authorization: Bearer ${token}" ${origin}/api/v1/ping`;
}
