import { type ExitCode, exitCodes, printResult, type Terminal } from './terminal.ts';

export async function ping(terminal: Terminal): Promise<ExitCode> {
  const about = await terminal.client.ping({}, { signal: terminal.signal });
  const { school, token } = about;
  const place = token.scopeClassId ?? token.scopeGradeId;
  const words = [
    `School: ${school.name} (${school.id})`,
    `Credential: ${token.name} (${token.prefix}...), for ${place === null ? 'the whole school' : `${token.scopeType} ${place}`}`,
    `May: ${token.scopes.join(', ') || 'nothing'}`,
    `Ends: ${token.expiresAt ?? 'never'}`,
  ];
  printResult(terminal, about, words.join('\n'));
  return exitCodes.done;
}
