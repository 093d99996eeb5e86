export interface GuideBlock {
  readonly language: string;
  readonly code: string;
}

/** @throws Error for an unclosed block */
export function splitGuideBlocks(markdown: string): GuideBlock[] {
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
