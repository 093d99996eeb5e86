import { describe, expect, it } from 'vitest';
import { findLengths } from './lengths.ts';
import { readProse } from './read-prose.ts';
import { rules } from './rules.ts';

const read = (file: string, ...lines: string[]) =>
  readProse(file, lines.join('\n')).map(({ line, text }) => `${line}: ${text}`);

it.each(rules)(
  'the rule of check:prose $name reports only its bad example',
  ({ find, examples: [broken, plain] }) => {
    expect(find(broken)).not.toBeNull();
    expect(rules.filter((rule) => rule.find(plain) !== null)).toEqual([]);
  },
);

it('a question may begin with "what" or "who", and "neither … nor" is one negation', () => {
  const plain = ['What is a range?', 'Who may read it?', 'It has neither a name nor an id.'];
  for (const sentence of plain) expect(rules.filter(({ find }) => find(sentence) !== null)).toEqual([]);
});

describe('check:prose reads sentences with their line numbers', () => {
  it('from comments, sentence by sentence', () => {
    const code = [
      'const glob = "a/*";',
      '/**',
      ' * Locks the row. Returns',
      ' * its id.',
      ' */',
      'f(); // Ends the work.',
    ];
    expect(read('a.ts', ...code)).toEqual(['3: Locks the row.', '3: Returns its id.', '6: Ends the work.']);
  });

  it('from messages of errors and logs, but from no other string', () => {
    const code = [
      "throw new ConfigError('The port is taken');",
      "log.warn({ id }, 'The reader is slow');",
      "call('not in here');",
    ];
    expect(read('a.ts', ...code)).toEqual(['1: The port is taken', '2: The reader is slow']);
  });

  it('from English page texts', () => {
    const texts = ["saved: 'Your seats are saved.',", "saved: '座位已经保存了。',"];
    expect(read('texts.ts', ...texts)).toEqual(['1: Your seats are saved.']);
    expect(read('a.ts', ...texts)).toEqual([]);
  });

  it('from Markdown: paragraphs, lists and tables, without code and heads of tables', () => {
    const document = [
      '# Who may read',
      '',
      'One two',
      'three. Four five six.',
      '- An entry of',
      '  a list.',
      '```',
      'some code is here',
      '```',
    ];
    const table = ['| what it does | why |', '|---|---|', '| locks the row | `x` |'];
    expect(read('a.md', ...document, ...table)).toEqual([
      '3: One two three.',
      '4: Four five six.',
      '5: An entry of a list.',
      '12: locks the row',
    ]);
  });

  it('but not where a comment allows the sentence with a reason', () => {
    const sentence = '// Whoever asks is refused.';
    expect(read('a.ts', '// prose-allow: a quotation', sentence)).toEqual([]);
    expect(read('a.ts', sentence.replace('.', '. prose-allow: a quotation'))).toEqual([]);
    expect(read('a.ts', '// prose-allow:', sentence)).not.toEqual([]);
    expect(read('a.md', '<!-- prose-allow: a quotation -->', 'Whoever asks is refused.')).toEqual([]);
  });
});

it('check:prose limits the lengths of documents, decisions, the glossary, lines and all Markdown', () => {
  const words = (count: number) => 'word\n'.repeat(count);
  const texts = new Map([
    ['README.md', words(900)],
    ['ARCHITECTURE.md', words(2_001)],
    ['docs/decisions/0001-x.md', words(251)],
    ['docs/glossary.md', `| term |\n|---|\n${'| a | b |\n'.repeat(41)}`],
    ['a.md', `${'x'.repeat(121)}\n| ${'x'.repeat(121)} |\nhttps://${'x'.repeat(121)}\n${words(31_700)}`],
  ]);
  expect(findLengths(texts)).toEqual([
    'ARCHITECTURE.md  words: 2001, at most 2000',
    'docs/decisions/0001-x.md  words: 251, at most 250',
    'docs/glossary.md  terms: 41, at most 40',
    'a.md:1  characters: 121, at most 120',
    expect.stringMatching(/^All Markdown {2}words: 3\d{4}, at most 35000$/),
  ]);
});
