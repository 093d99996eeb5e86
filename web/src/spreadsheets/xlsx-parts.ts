import { plainXml } from './plain-xml.ts';
import { worksheetsMax } from './sheet.ts';
import { UnreadableFile } from './unreadable-file.ts';
import { unzipSync, zipSync } from './zip-without-workers.ts';

/** What of an XLSX file matters to a reader of one sheet. */
export interface XlsxParts {
  readonly sheet: string;
  /** Empty where there are none. */
  readonly styles: string;
  /** The file again with these parts alone, in XML that every parser reads alike. */
  readonly archive: () => ArrayBuffer;
}

/** What the parts may hold unpacked: many times what a list of 10 MB does. */
const unpackedBytesMax = 100_000_000;

const workbookPath = 'xl/workbook.xml';
const relationsPath = 'xl/_rels/workbook.xml.rels';

/** The worksheets of an XLSX file that it shows. */
export interface XlsxWorksheets {
  readonly names: readonly string[];
  readonly parts: (worksheet: number) => XlsxParts;
}

/**
 * Takes an XLSX file apart.
 *
 * @throws UnreadableFile where the parts are too large or their text cannot be told reliably, and other errors where it is no such file
 */
export function worksheetsIn(bytes: Uint8Array): XlsxWorksheets {
  const named = textsIn(bytes, new Set([workbookPath, relationsPath]));
  const workbook = named.get(workbookPath) ?? '';
  const relations = tagsIn(named.get(relationsPath) ?? '', 'Relationship');
  const hasType = (type: string) => (tag: string) => attribute(tag, 'Type').endsWith(`/${type}`);
  const pathOf = (tag: string | undefined, otherwise: string) => {
    const target = attribute(tag ?? '', 'Target') || otherwise;
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  };
  const styles = pathOf(relations.find(hasType('styles')), 'styles.xml');
  const strings = pathOf(relations.find(hasType('sharedStrings')), 'sharedStrings.xml');
  const tags = tagsIn(workbook, 'sheet');
  // Each is looked for among the relations.
  if (tags.length > worksheetsMax) throw new UnreadableFile('tooLarge');
  const worksheets = tags.flatMap((tag) => {
    const relation = relations.find((one) => attribute(one, 'Id') === attribute(tag, '\\w+:id'));
    const isShown = relation && hasType('worksheet')(relation) && !/hidden/i.test(attribute(tag, 'state'));
    return isShown ? [{ tag, path: pathOf(relation, '') }] : [];
  });
  const shared = textsIn(bytes, new Set([styles, strings]));
  const parts = (index: number): XlsxParts => {
    const { tag: own, path = '' } = worksheets[index] ?? {};
    const texts = textsIn(bytes, new Set([path]));
    const sheet = (texts.get(path) ?? '').replace(emptyCell, '');
    return {
      sheet,
      styles: shared.get(styles) ?? '',
      archive: () => {
        // A library takes the first sheet; it is to find this one alone.
        const alone = workbook.replace(tagsNamed('sheet'), (tag) => (tag === own ? tag : ''));
        const encoder = new TextEncoder();
        const files = [...named, ...shared, [path, sheet] as const, [workbookPath, alone] as const];
        const encoded = Object.fromEntries(files.map(([name, xml]) => [name, encoder.encode(xml)]));
        return zipSync(encoded, { level: 0 }).slice().buffer;
      },
    };
  };
  return { names: worksheets.map(({ tag }) => attribute(tag, 'name')), parts };
}

/** Cells that have a format alone: programs write them far away. */
const emptyCell = /<(?:\w+:)?c(?=[\s/])[^<>]*\/>/g;

function textsIn(bytes: Uint8Array, paths: ReadonlySet<string>): Map<string, string> {
  let left = unpackedBytesMax;
  const found = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!paths.has(name)) return false;
      left -= originalSize;
      if (left < 0) throw new UnreadableFile('tooLarge');
      return true;
    },
  });
  return new Map(Object.entries(found).map(([path, part]) => [path, plainXml(part)]));
}

/** What a tag holds after its name; a value may hold its end, but never the beginning of another. */
const insideTag = `[^<>"']*(?:(?:"[^<"]*"|'[^<']*')[^<>"']*)*`;

const tagsNamed = (name: string) => new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])${insideTag}>`, 'g');

/** The opening tags of a name. Some programs write a prefix before each. */
export const tagsIn = (xml: string, name: string): readonly string[] => xml.match(tagsNamed(name)) ?? [];

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
