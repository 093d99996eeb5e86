export interface Sentence {
  readonly line: number;
  readonly text: string;
}

const allowance = /prose-allow: \S/;
const chinese = /\p{Script=Han}/u;
const quoted = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\x60(?:\\.|[^\x60\\])*\x60`;
/** Also matches strings, because a string can contain the beginning of a comment. */
const commentOrString = new RegExp(
  String.raw`(?<string>${quoted})|/\*\*?(?<block>[\s\S]*?)\*/|(?<![:\\\w])//(?<line>[^\n]*(?:\n[ \t]*//[^\n]*)*)`,
  'g',
);
const errors =
  'unavailable|conflict|malformed|invalidValue|missingField|notFound|unauthenticated|permissionDenied';
const message = new RegExp(
  String.raw`(?:\w*Error|console\.\w+|\.(?:info|warn|error)|\b(?:${errors}))\(\s*(?:\{[^{}]*\},\s*)?$`,
);

const isTitled = (file: string, line: string) => file.endsWith('texts.ts') || line.startsWith('#');
/** Returns a function that counts lines up to an index. Each index must be higher than the one before. */
function lineCounter(text: string): (index: number) => number {
  let line = 1;
  let at = 0;
  return (index) => {
    for (; at < index; at++) if (text[at] === '\n') line++;
    return line;
  };
}

const literal = (text: string) =>
  text
    .slice(1, -1)
    .replace(/\$\{[^}]*\}/g, 'X')
    .replace(/\\(.)/g, '$1');

function isArgument(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 120), index);
  return /[(,]\s*$/.test(before) && message.test(before);
}

/** Reads comments, messages of errors and logs, and in `texts.ts` the English texts of pages. */
function piecesOfCode(file: string, text: string): Sentence[] {
  const isTexts = file.endsWith('texts.ts');
  const pieces: Sentence[] = [];
  const lineOf = lineCounter(text);
  for (const match of text.matchAll(commentOrString)) {
    const { string, block, line } = match.groups as { string?: string; block?: string; line?: string };
    const isMessage = string && (isTexts || isArgument(text, match.index));
    const prose = string
      ? isMessage && literal(string)
      : (block ?? line ?? '').replace(/^[ \t]*(?:\*|\/\/)/gm, '').replace(/@(param \w+|\w+)/g, '. ');
    if (prose) pieces.push({ line: lineOf(match.index), text: prose });
  }
  return pieces;
}

/** Reads paragraphs, entries of lists and cells of tables; leaves out code and the heads of tables. */
function piecesOfMarkdown(text: string): Sentence[] {
  const pieces: Sentence[] = [];
  let isCode = false;
  let paragraph: string[] = [];
  const lines = text.split('\n');
  const end = (next: number) => {
    if (paragraph.length > 0) pieces.push({ line: next - paragraph.length + 1, text: paragraph.join('\n') });
    paragraph = [];
  };
  lines.forEach((line, i) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    const isOther = isFence || isCode || line.trim() === '' || line.startsWith('<!--');
    if (isOther || /^\s*(?:[-*#|>]|\d+\.)/.test(line)) end(i);
    if (isOther) return;
    if (!line.startsWith('|')) paragraph.push(line.replace(/^\s*(?:[-*#>]+|\d+\.)\s/, ''));
    else if (!/^\|[-:| ]+$/.test(`${lines[i + 1]}`) && !/^\|[-:| ]+$/.test(line))
      for (const cell of line.split('|')) pieces.push({ line: i + 1, text: cell });
  });
  end(lines.length);
  return pieces;
}

export function readProse(file: string, text: string): Sentence[] {
  const lines = text.split('\n');
  const pieces = file.endsWith('.md') ? piecesOfMarkdown(text) : piecesOfCode(file, text);
  return pieces.flatMap((piece) => {
    if (allowance.test(lines[piece.line - 2] ?? '') || allowance.test(piece.text)) return [];
    // The name of a page or a chapter may be a question without a question mark.
    if (isTitled(file, lines[piece.line - 1] ?? '') && /^(?:who|what) [^.!]+$/i.test(piece.text)) return [];
    const plain = piece.text
      .replace(/`[^`]*`/g, 'X')
      .replace(/https?:\S+/g, 'X')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/\{\{\w+\}\}/g, 'X');
    return [...plain.matchAll(/[^\s][\s\S]*?(?:[.!?:;](?=\s|$)|$)/g)]
      .map(({ 0: sentence, index }) => ({
        line: piece.line + plain.slice(0, index).split('\n').length - 1,
        text: sentence.replace(/\s+/g, ' ').trim(),
      }))
      .filter((sentence) => sentence.text.split(' ').length > 2 && !chinese.test(sentence.text));
  });
}
