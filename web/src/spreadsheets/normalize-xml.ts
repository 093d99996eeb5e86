import { decodeXml } from './decode-text.ts';
import { UnreadableFile } from './sheet.ts';

/** Matches comments, CDATA and references; one without an end matches to the end, so nothing is scanned twice. */
const markup =
  /<!--[\s\S]*?(?:-->|($))|<\?[\s\S]*?(?:\?>|($))|<!\[CDATA\[([\s\S]*?)(?:\]\]>|($))|<!DOCTYPE|&(?:#(\d+)|#x([\dA-Fa-f]+)|(?:amp|lt|gt|quot|apos));|&/g;

/** Decodes XML; replaces CDATA, comments and character numbers, which the library misreads. @throws UnreadableFile */
export function normalizeXml(bytes: Uint8Array): string {
  const xml = decodeXml(bytes).replace(markup, (all: string, ...groups: (string | undefined)[]) => {
    const [openComment, openInstruction, cdata, openCdata, decimal, hexadecimal] = groups;
    if ((openComment ?? openInstruction ?? openCdata) !== undefined) throw new UnreadableFile('text');
    if (cdata !== undefined) return escaped(cdata);
    if (decimal !== undefined) return escaped(characterOf(Number(decimal)));
    if (hexadecimal !== undefined) return escaped(characterOf(Number.parseInt(hexadecimal, 16)));
    if (all === '&' || all === '<!DOCTYPE') throw new UnreadableFile('text');
    return all.startsWith('&') ? all : '';
  });
  if (hasLoneSurrogate(xml)) throw new UnreadableFile('text');
  return xml;
}

/** Returns whether a text contains an unpaired surrogate, which is half of a character. */
export const hasLoneSurrogate = (text: string): boolean => /\p{Cs}/u.test(text);

/** Decodes a character number. Programs may write a character as two surrogates, whose results join again. */
function characterOf(code: number): string {
  if (code > 0x10ffff || !isXmlCharacter(code)) throw new UnreadableFile('text');
  return String.fromCodePoint(code);
}

/** XML 1.0 forbids all other control characters, even as character numbers. */
const isXmlCharacter = (code: number) =>
  code === 0x9 || code === 0xa || code === 0xd || (code >= 0x20 && code !== 0xfffe && code !== 0xffff);

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const characters = Object.fromEntries(
  Object.entries(escapes).map(([character, entity]) => [entity, character]),
);

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? letter);

/** Matches the attributes of a tag. A value may contain `>`, but never `<`. */
const insideTag = `[^<>"']*(?:(?:"[^<"]*"|'[^<']*')[^<>"']*)*`;

/** Matches opening tags, with or without a namespace prefix. @param name a regular expression for the name */
export const openingTagPattern = (name: string): RegExp =>
  new RegExp(`<(?:\\w+:)?(?:${name})(?=[\\s/>])${insideTag}>`, 'g');

export const findTags = (xml: string, name: string): readonly string[] =>
  xml.match(openingTagPattern(name)) ?? [];

/** Returns the value of an attribute; an empty text if the tag does not have it. */
export const attributeOf = (tag: string, name: string): string =>
  unescaped(
    new RegExp(`\\s(?:\\w+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)?.slice(1).join('') ?? '',
  );

const unescaped = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => characters[entity] ?? entity);
