import { decodeXml } from './decode-text.ts';
import { UnreadableFile } from './unreadable-file.ts';

/**
 * What else than tags and text XML may hold, and what stands for characters. A lone & is a fault, and so is what has no
 * end: it reaches to the end of the text, so that nothing after it is looked at again.
 */
const markup =
  /<!--[\s\S]*?(?:-->|($))|<\?[\s\S]*?(?:\?>|($))|<!\[CDATA\[([\s\S]*?)(?:\]\]>|($))|<!DOCTYPE|&(?:#(\d+)|#x([\dA-Fa-f]+)|(?:amp|lt|gt|quot|apos));|&/g;

/**
 * XML that says the same in tags and plain text alone, for a parser which leaves out CDATA, splits text at comments
 * and cuts numbers of characters to 16 bits, so that 𠮷 became another letter.
 *
 * @throws UnreadableFile where it is not well-formed, as where it names characters that do not exist; half a character
 * alone is none
 */
export function plainXml(bytes: Uint8Array): string {
  const xml = decodeXml(bytes).replace(
    markup,
    (
      all: string,
      openComment?: string,
      openInstruction?: string,
      cdata?: string,
      openCdata?: string,
      decimal?: string,
      hexadecimal?: string,
    ) => {
      if ((openComment ?? openInstruction ?? openCdata) !== undefined) throw new UnreadableFile('text');
      if (cdata !== undefined) return escaped(cdata);
      if (decimal !== undefined) return escaped(characterOf(Number(decimal)));
      if (hexadecimal !== undefined) return escaped(characterOf(Number.parseInt(hexadecimal, 16)));
      if (all === '&' || all === '<!DOCTYPE') throw new UnreadableFile('text');
      return all.startsWith('&') ? all : '';
    },
  );
  if (isBroken(xml)) throw new UnreadableFile('text');
  return xml;
}

/** Whether a text holds half a character alone. */
export const isBroken = (text: string): boolean => /\p{Cs}/u.test(text);

/** Some programs write the two halves of a character as two numbers: they come together here. */
function characterOf(code: number): string {
  if (code > 0x10ffff || !isXmlCharacter(code)) throw new UnreadableFile('text');
  return String.fromCodePoint(code);
}

/** XML knows no other control characters, not even as numbers. */
const isXmlCharacter = (code: number) =>
  code === 0x9 || code === 0xa || code === 0xd || (code >= 0x20 && code !== 0xfffe && code !== 0xffff);

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? letter);
