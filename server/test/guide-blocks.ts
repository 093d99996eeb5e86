import { lexer } from 'marked';

export interface GuideBlock {
  readonly language: string;
  readonly code: string;
}

/** Returns the code blocks of a guide, in order. */
export function splitGuideBlocks(markdown: string): GuideBlock[] {
  return lexer(markdown).flatMap((token) => {
    if (token.type !== 'code') return [];
    const { lang = '', text } = token;
    return [{ language: String(lang).split(' ', 1)[0] ?? '', code: `${text}\n` }];
  });
}
