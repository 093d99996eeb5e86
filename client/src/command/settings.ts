import { readFileSync } from 'node:fs';
import { UsageError } from './terminal.ts';

export interface Connection {
  readonly url: string;
  readonly token: string;
}

/** Does not take the credential from the command line, which others see and the shell stores. @throws UsageError */
export function readConnection(
  flags: { readonly url?: string | undefined; readonly 'token-file'?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Connection {
  const url = flags.url ?? env.CLASSLEDGER_URL;
  if (!url) throw new UsageError('The address of the server is missing: set CLASSLEDGER_URL, or give --url');
  if (!URL.canParse(url))
    throw new UsageError(`${url} is no address; it looks like https://points.school.example`);
  const file = flags['token-file'];
  const token = file ? readCredentialFile(file).trim() : env.CLASSLEDGER_TOKEN;
  if (!token)
    throw new UsageError(
      'The credential is missing: put it into CLASSLEDGER_TOKEN, or into a file for --token-file',
    );
  return { url, token };
}

function readCredentialFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`The credential cannot be read: ${(error as Error).message}`);
  }
}
