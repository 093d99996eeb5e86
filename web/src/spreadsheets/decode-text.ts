import { UnreadableFile } from './unreadable-file.ts';

/** What the bytes of a text file say. */
export interface DecodedText {
  readonly text: string;
  /** Whether the file does not say what it is written in, so that no one but a reader can tell that it was read right. */
  readonly isGuess: boolean;
}

/**
 * Reads a text file as it was written: UTF-8 or UTF-16, with or without a mark, or GB 18030, which Chinese offices'
 * spreadsheet programs write. No character is replaced: what is none of these is refused.
 *
 * @throws UnreadableFile where it is none of these
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const marked = markedEncoding(bytes);
  if (marked !== null) return { text: textIn(bytes, marked) ?? refuse(), isGuess: false };
  // No text holds the character NUL, but half of each Latin letter, comma and line end in UTF-16 is that byte.
  if (bytes.includes(0)) return { text: unmarkedUtf16(bytes) ?? refuse(), isGuess: true };
  const utf8 = textIn(bytes, 'utf-8');
  if (utf8 !== null) return { text: utf8, isGuess: mayBeGb18030(utf8) };
  if (isDamagedUtf8(bytes)) refuse();
  return { text: textIn(bytes, 'gb18030') ?? refuse(), isGuess: true };
}

/** The two bytes of é, ё or ى are those of a Chinese character too; in a list of few names there may be no others. */
const mayBeGb18030 = (utf8: string) => /[\u0080-\u07FF]/.test(utf8) && !/[\u0800-\u{10FFFF}]/u.test(utf8);

/**
 * UTF-8 but for a few bytes, as where a file was cut off: GB 18030 would make other characters of all its names. There,
 * hardly three bytes in a row are a character of UTF-8, and most of the others are none.
 */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const longer = new TextDecoder().decode(bytes).match(/[\u0800-\u{10FFFF}]/gu) ?? [];
  const lost = longer.filter((character) => character === '\uFFFD').length;
  return longer.length - lost > lost;
}

/** XML is UTF-8 or, with a mark, UTF-16; text in XML says nothing else. */
export function decodeXml(bytes: Uint8Array): string {
  return textIn(bytes, markedEncoding(bytes) ?? 'utf-8') ?? refuse();
}

function refuse(): never {
  throw new UnreadableFile('text');
}

function markedEncoding([first, second, third]: Uint8Array) {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null;
}

/** Null where the bytes are no text of this encoding. */
function textIn(bytes: Uint8Array, encoding: string): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** A list has at least so many line ends, separators, digits or Latin letters among its characters. */
const plainShareMin = 1 / 20;

/** In the wrong byte order the Latin characters of a list become strange ones, and others stay strange. */
function unmarkedUtf16(bytes: Uint8Array): string | null {
  const [likelier] = (['utf-16le', 'utf-16be'] as const)
    .map((encoding) => {
      const text = textIn(bytes, encoding) ?? '';
      return { text, plain: text.match(/[\t\n\r -~]/g)?.length ?? 0 };
    })
    .sort((one, other) => other.plain - one.plain);
  return likelier && likelier.plain > likelier.text.length * plainShareMin ? likelier.text : null;
}
