/** A fenced block of a Markdown page. */
export interface GuideBlock {
  /** First word after the fence; empty if there is none. */
  readonly language: string;
  /** The lines between the fences, each ended by a line break. */
  readonly code: string;
}

/**
 * The fenced code blocks of a Markdown page, in order: what a reader would copy. The guide's `bash` and `ts`
 * blocks are run by a test against a real server; blocks in any other language are only for reading.
 *
 * Blocks are fenced by three or more backticks at the start of a line, closed by at least as many.
 *
 * @throws Error for a block that is not closed
 */
export function guideBlocks(markdown: string): GuideBlock[] {
  const blocks: GuideBlock[] = [];
  let open: { fence: string; language: string; lines: string[] } | null = null;
  for (const line of markdown.split(/\r?\n/)) {
    if (open === null) {
      const [, fence, language = ''] = /^(`{3,})\s*([^\s`]*)[^`]*$/.exec(line) ?? [];
      if (fence !== undefined) open = { fence, language, lines: [] };
    } else if (/^`{3,}\s*$/.test(line) && line.trimEnd().length >= open.fence.length) {
      blocks.push({ language: open.language, code: open.lines.map((text) => `${text}\n`).join('') });
      open = null;
    } else {
      open.lines.push(line);
    }
  }
  if (open !== null) throw new Error(`A ${open.language || 'code'} block is not closed`);
  return blocks;
}
