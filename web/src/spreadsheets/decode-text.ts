import { UnreadableFile } from './sheet.ts';

interface DecodedText {
  readonly text: string;
  /** True when the file does not state its encoding, so a person should check the text. */
  readonly isGuess: boolean;
}

/** Decodes UTF-8, UTF-16 and GB 18030 (used in China). @throws UnreadableFile if a character cannot be decoded */
export function decodeText(bytes: Uint8Array): DecodedText {
  const marked = markedEncoding(bytes);
  if (marked !== null) return { text: textIn(bytes, marked) ?? throwNoText(), isGuess: false };
  // Zero bytes occur only in UTF-16, where each Latin letter, comma and line end contains one.
  if (bytes.includes(0)) return { text: unmarkedUtf16(bytes) ?? throwNoText(), isGuess: true };
  const utf8 = textIn(bytes, 'utf-8');
  if (utf8 !== null) return { text: utf8, isGuess: mayBeGb18030(utf8) };
  if (isDamagedUtf8(bytes)) throwNoText();
  return { text: textIn(bytes, 'gb18030') ?? throwNoText(), isGuess: true };
}

/** Returns whether the text may be GB 18030: the two bytes of é or ё are also those of a Chinese character. */
const mayBeGb18030 = (utf8: string) => /[\u0080-\u07FF]/.test(utf8) && !/[\u0800-\u{10FFFF}]/u.test(utf8);

/** Returns whether the bytes are UTF-8 with a few errors: GB 18030 rarely looks like three-byte UTF-8 characters. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const longer = new TextDecoder().decode(bytes).match(/[\u0800-\u{10FFFF}]/gu) ?? [];
  const lost = longer.filter((character) => character === '\uFFFD').length;
  return longer.length - lost > lost;
}

/** Decodes XML as UTF-8 or, with a byte order mark, as UTF-16. Ignores an encoding named in the XML. */
export function decodeXml(bytes: Uint8Array): string {
  return textIn(bytes, markedEncoding(bytes) ?? 'utf-8') ?? throwNoText();
}

function throwNoText(): never {
  throw new UnreadableFile('text');
}

function markedEncoding([first, second, third]: Uint8Array) {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null;
}

function textIn(bytes: Uint8Array, encoding: string): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Fewer Latin letters, digits and separators than this share mean that the text is no list. */
const plainShareMin = 1 / 20;

/** Decodes UTF-16 in the byte order that gives more Latin characters; null when they are too few. */
function unmarkedUtf16(bytes: Uint8Array): string | null {
  const [likelier] = (['utf-16le', 'utf-16be'] as const)
    .map((encoding) => {
      const text = textIn(bytes, encoding) ?? '';
      return { text, plain: text.match(/[\t\n\r -~]/g)?.length ?? 0 };
    })
    .sort((one, other) => other.plain - one.plain);
  return likelier && likelier.plain > likelier.text.length * plainShareMin ? likelier.text : null;
}
