import { UnreadableFile, type UnreadableReason } from './sheet.ts';
import { strFromU8, unzipSync } from './zip-without-workers.ts';

type FileKind = 'xlsx' | 'ods' | 'xls' | 'text';

const startsWith = (bytes: Uint8Array, signature: string, at = 0): boolean =>
  [...signature].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

const signatures: readonly (readonly [UnreadableReason, string, at?: number])[] = [
  ['picture', '\x89PNG'],
  ['picture', '\xFF\xD8\xFF'],
  ['picture', 'GIF8'],
  ['picture', 'WEBP', 8],
  ['picture', 'ftyp', 4],
  ['picture', 'II*\0'],
  ['picture', 'MM\0*'],
  ['archive', 'Rar!'],
  ['archive', '7z\xBC\xAF'],
  ['archive', '\x1F\x8B'],
  ['document', '{\\rtf'],
];

/** Detects a file's kind by its content, because schools rename files. @throws if it is no list */
export function detectFileKind(bytes: Uint8Array): FileKind {
  const head = strFromU8(bytes.subarray(0, 1024), true);
  if (head.includes('%PDF-')) throw new UnreadableFile('pdf');
  for (const [reason, signature, at] of signatures) {
    if (startsWith(bytes, signature, at)) throw new UnreadableFile(reason);
  }
  if (startsWith(bytes, '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1')) return 'xls';
  if (startsWith(bytes, 'PK')) return kindOfArchive(bytes);
  if (/^[\s\xEF\xBB\xBF]*<(?:\?xml|!doctype|html|head|meta|table|style)/i.test(head))
    throw new UnreadableFile('webPage');
  return 'text';
}

const partReasons: readonly (readonly [RegExp, UnreadableReason])[] = [
  [/^xl\/workbook\.bin$/, 'otherExcel'],
  [/^(?:word|ppt|visio)\//, 'document'],
  // Files of Apple's Numbers, Pages and Keynote.
  [/^Index(?:\/|\.zip$)/, 'kind'],
];

function kindOfArchive(bytes: Uint8Array): FileKind {
  const names: string[] = [];
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      names.push(name);
      return name === 'mimetype' && originalSize < 200;
    },
  });
  const type = strFromU8(parts.mimetype ?? new Uint8Array());
  if (type.startsWith('application/vnd.oasis.opendocument.spreadsheet')) return 'ods';
  if (type.startsWith('application/vnd.oasis')) throw new UnreadableFile('document');
  if (names.includes('xl/workbook.xml')) return 'xlsx';
  const known = partReasons.find(([part]) => names.some((name) => part.test(name)));
  throw new UnreadableFile(known?.[1] ?? 'archive');
}
