import { describe, expect, it } from 'vitest';
import { splitGuideBlocks } from './guide-blocks.ts';

describe('splitGuideBlocks', () => {
  it('returns the fenced blocks in order, with their languages', () => {
    const markdown =
      'Text\n\n```bash\necho one\n\necho two\n```\n\nMore `code`\n\n```ts title=x.ts\n1;\n```\n```\nplain\n```\n';
    expect(splitGuideBlocks(markdown)).toEqual([
      { language: 'bash', code: 'echo one\n\necho two\n' },
      { language: 'ts', code: '1;\n' },
      { language: '', code: 'plain\n' },
    ]);
  });

  it('keeps indentation and shorter fences inside a longer fence', () => {
    expect(splitGuideBlocks('````md\n```bash\n  x\n```\n````')).toEqual([
      { language: 'md', code: '```bash\n  x\n```\n' },
    ]);
  });

  it('accepts Windows line ends', () => {
    expect(splitGuideBlocks('```bash\r\nls\r\n```\r\n')).toEqual([{ language: 'bash', code: 'ls\n' }]);
  });

  it('returns nothing for a page without code', () => {
    expect(splitGuideBlocks('# Title\n\nWords and `inline` code.\n')).toEqual([]);
  });

  it('throws on an unclosed block', () => {
    expect(() => splitGuideBlocks('```bash\nls\n')).toThrow('bash');
  });
});
