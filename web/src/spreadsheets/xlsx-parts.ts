import { plainXml } from './plain-xml.ts';
import { worksheetsMax } from './sheet.ts';
import { UnreadableFile } from './unreadable-file.ts';
import { unzipSync, zipSync } from './zip-without-workers.ts';

export interface XlsxParts {
  readonly sheet: string;
  readonly styles: string;
  /** Packs the file again with only these parts, in XML that all parsers read alike. */
  readonly archive: () => ArrayBuffer;
}

/** Limit after unpacking: many times what a list of 10 MB needs. */
const unpackedBytesMax = 100_000_000;

const workbookPath = 'xl/workbook.xml';
const relationsPath = 'xl/_rels/workbook.xml.rels';

export interface XlsxWorksheets {
  readonly names: readonly string[];
  readonly parts: (worksheet: number) => XlsxParts;
}

/** @throws UnreadableFile when parts are too large or the text is unreliable; Error when it is no XLSX file */
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
  // Each tag is searched for among the relations, so their number is limited.
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
        // The library reads the first sheet, so leave only this one.
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

/** Cells with only a format: programs write them far away. */
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

/** Matches the attributes of a tag. A value may contain `>`, but never `<`. */
const insideTag = `[^<>"']*(?:(?:"[^<"]*"|'[^<']*')[^<>"']*)*`;

const tagsNamed = (name: string) => new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])${insideTag}>`, 'g');

/** Returns the opening tags with this name. Some programs put a prefix before the name. */
export const tagsIn = (xml: string, name: string): readonly string[] => xml.match(tagsNamed(name)) ?? [];

export const attribute = (tag: string, name: string): string =>
  unescaped(new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)?.slice(1).join('') ?? '');

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
