import { strToU8, zipSync } from 'fflate';
import type { DocumentReader } from '../reference/document-reader.ts';
import { type CollectedRequest, requestsOf } from './requests.ts';

const folder = 'classledger';

/** The external API as a folder for Bruno, zipped: one file for each request, an environment with the address. */
export function brunoCollection(reader: DocumentReader, origin: string): Buffer {
  const files = Object.entries(brunoFiles(reader, origin)).map(([path, text]) => [
    `${folder}/${path}`,
    strToU8(text),
  ]);
  // Zip knows no time before 1980; the same content makes the same file.
  return Buffer.from(zipSync(Object.fromEntries(files), { level: 9, mtime: new Date(1980, 0, 1) }));
}

/** The files of the folder by their paths in it. */
export function brunoFiles(reader: DocumentReader, origin: string): Record<string, string> {
  const { info, chapters, prefix } = reader;
  const files: Record<string, string> = {
    'bruno.json': `${JSON.stringify({ version: '1', name: info.title, type: 'collection', ignore: [] }, null, 2)}\n`,
    'collection.bru': bru([
      block('auth', ['mode: bearer']),
      block('auth:bearer', ['token: {{token}}']),
      block('docs', info.description.replaceAll('](/', `](${origin}/`).split('\n')),
    ]),
    'environments/This installation.bru': bru([
      block('vars', [`baseUrl: ${origin}${prefix}`]),
      'vars:secret [\n  token\n]',
    ]),
  };
  for (const [place, { title, operations }] of chapters.entries()) {
    files[`${title}/folder.bru`] = bru([block('meta', [`name: ${title}`, `seq: ${place + 1}`])]);
    for (const [index, request] of operations.flatMap(requestsOf).entries()) {
      files[`${title}/${fileName(request.name)}.bru`] = requestFile(request, index + 1);
    }
  }
  return files;
}

function requestFile({ name, operation, path, query, headers, body }: CollectedRequest, seq: number): string {
  const given = query.filter(({ disabled }) => !disabled).map((part) => `${part.name}=${part.value}`);
  const address = `{{baseUrl}}${operation.path.replace(/\{(\w+)\}/g, ':$1')}`;
  const entries = (parts: typeof query) =>
    parts.map((part) => `${part.disabled ? '~' : ''}${part.name}: ${part.value}`);
  return bru([
    block('meta', [`name: ${name}`, 'type: http', `seq: ${seq}`]),
    block(operation.method.toLowerCase(), [
      `url: ${address}${given.length > 0 ? `?${given.join('&')}` : ''}`,
      `body: ${body === null ? 'none' : 'json'}`,
      'auth: inherit',
    ]),
    ...(query.length > 0 ? [block('params:query', entries(query))] : []),
    ...(path.length > 0
      ? [
          block(
            'params:path',
            path.map((one) => `${one.name}: `),
          ),
        ]
      : []),
    ...(headers.length > 0 ? [block('headers', entries(headers))] : []),
    ...(body === null ? [] : [block('body:json', body.split('\n'))]),
    block('docs', operation.description.split('\n')),
  ]);
}

/** Lines of a block are indented, so that a brace at the start of one does not end it. */
function block(name: string, lines: readonly string[]): string {
  return `${name} {\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n}`;
}

const bru = (blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;

/** Names of requests may hold what names of files may not. */
const fileName = (name: string) => name.replace(/[\\/:*?"<>|]/g, '-');
