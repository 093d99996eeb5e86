import { plainXml } from './plain-xml.ts';
import { UnreadableFile } from './unreadable-file.ts';
import { unzipSync, zipSync } from './zip-without-workers.ts';

/** What of an XLSX file matters to a reader of its first sheet. */
export interface XlsxParts {
  readonly sheet: string;
  /** Empty where there are none. */
  readonly styles: string;
  /** The file again with these parts alone, in XML that every parser reads alike. */
  readonly archive: ArrayBuffer;
}

/** What a part may hold unpacked: many times what a list of 10 MB does. */
const partBytesMax = 200_000_000;

const workbookPath = 'xl/workbook.xml';
const relationsPath = 'xl/_rels/workbook.xml.rels';

/**
 * Takes an XLSX file apart.
 *
 * @throws UnreadableFile where a part is too large or its text cannot be told reliably, and other errors where it is no such file
 */
export function xlsxParts(bytes: Uint8Array): XlsxParts {
  const named = textsIn(bytes, new Set([workbookPath, relationsPath]));
  const paths = pathsIn(named.get(workbookPath) ?? '', named.get(relationsPath) ?? '');
  const parts = new Map([...named, ...textsIn(bytes, new Set(Object.values(paths)))]);
  const encoder = new TextEncoder();
  const files = Object.fromEntries([...parts].map(([path, xml]) => [path, encoder.encode(xml)]));
  return {
    sheet: parts.get(paths.sheet) ?? '',
    styles: parts.get(paths.styles) ?? '',
    archive: zipSync(files, { level: 0 }).slice().buffer,
  };
}

function textsIn(bytes: Uint8Array, paths: ReadonlySet<string>): Map<string, string> {
  const found = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (paths.has(name) && originalSize > partBytesMax) throw new UnreadableFile('tooLarge');
      return paths.has(name);
    },
  });
  return new Map(Object.entries(found).map(([path, part]) => [path, plainXml(part)]));
}

function pathsIn(workbook: string, relations: string) {
  const all = tagsIn(relations, 'Relationship');
  const pathOf = (is: (tag: string) => boolean, otherwise: string) => {
    const target = attribute(all.find(is) ?? '', 'Target') || otherwise;
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  };
  const hasType = (type: string) => (tag: string) => attribute(tag, 'Type').endsWith(`/${type}`);
  const sheetId = attribute(tagsIn(workbook, 'sheet')[0] ?? '', '\\w+:id');
  return {
    sheet: pathOf((tag) => attribute(tag, 'Id') === sheetId, ''),
    styles: pathOf(hasType('styles'), 'styles.xml'),
    strings: pathOf(hasType('sharedStrings'), 'sharedStrings.xml'),
  };
}

/** What a tag holds after its name; a value may hold its end, but never the beginning of another. */
const insideTag = `[^<>"']*(?:(?:"[^<"]*"|'[^<']*')[^<>"']*)*`;

/** The opening tags of a name. Some programs write a prefix before each. */
export const tagsIn = (xml: string, name: string): readonly string[] =>
  xml.match(new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])${insideTag}>`, 'g')) ?? [];

/** The value of a tag's attribute; empty where there is none. */
export const attribute = (tag: string, name: string): string =>
  unescaped(new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)?.slice(1).join('') ?? '');

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
