import { UnreadableFile } from './unreadable-file.ts';

export interface DecodedText {
  readonly text: string;
  /** True when the file does not state its encoding, so that only a person can tell whether the text is right. */
  readonly isGuess: boolean;
}

/** Decodes UTF-8, UTF-16 and GB 18030 (programs in China) without replacements. @throws UnreadableFile otherwise */
export function decodeText(bytes: Uint8Array): DecodedText {
  const marked = markedEncoding(bytes);
  if (marked !== null) return { text: textIn(bytes, marked) ?? throwNoText(), isGuess: false };
  // Text contains no NUL, but in UTF-16 half of each Latin letter, comma and line end is that byte.
  if (bytes.includes(0)) return { text: unmarkedUtf16(bytes) ?? throwNoText(), isGuess: true };
  const utf8 = textIn(bytes, 'utf-8');
  if (utf8 !== null) return { text: utf8, isGuess: mayBeGb18030(utf8) };
  if (isDamagedUtf8(bytes)) throwNoText();
  return { text: textIn(bytes, 'gb18030') ?? throwNoText(), isGuess: true };
}

/** The two bytes of é, ё or ى are also those of a Chinese character; a short list may contain no others. */
const mayBeGb18030 = (utf8: string) => /[\u0080-\u07FF]/.test(utf8) && !/[\u0800-\u{10FFFF}]/u.test(utf8);

/** Finds UTF-8 with a few bad bytes, whose names GB 18030 would garble: real GB 18030 rarely has three such bytes. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const longer = new TextDecoder().decode(bytes).match(/[\u0800-\u{10FFFF}]/gu) ?? [];
  const lost = longer.filter((character) => character === '\uFFFD').length;
  return longer.length - lost > lost;
}

/** Decodes XML, which is UTF-8 or, with a byte order mark, UTF-16. An encoding named in the XML is ignored. */
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

/** At least this share of a list's characters are line ends, separators, digits or Latin letters. */
const plainShareMin = 1 / 20;

/** Picks the byte order that gives more Latin characters. */
function unmarkedUtf16(bytes: Uint8Array): string | null {
  const [likelier] = (['utf-16le', 'utf-16be'] as const)
    .map((encoding) => {
      const text = textIn(bytes, encoding) ?? '';
      return { text, plain: text.match(/[\t\n\r -~]/g)?.length ?? 0 };
    })
    .sort((one, other) => other.plain - one.plain);
  return likelier && likelier.plain > likelier.text.length * plainShareMin ? likelier.text : null;
}
