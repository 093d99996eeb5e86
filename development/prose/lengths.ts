const wordsMax: Readonly<Record<string, number>> = {
  'README.md': 900,
  'ARCHITECTURE.md': 2_000,
  'CONTRIBUTING.md': 1_500,
  'docs/contract.md': 4_000,
  'docs/operations.md': 5_000,
  'docs/security.md': 3_000,
  'docs/integrators-guide.md': 4_300,
};
const decisionWordsMax = 250;
const allWordsMax = 35_000;
const termsMax = 40;
const lineMax = 120;

const countWords = (text: string) => text.split(/\s+/).filter(Boolean).length;

export function findLengths(texts: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  const check = (what: string, count: number, max: number) => {
    if (count > max) found.push(`${what}: ${count}, at most ${max}`);
  };
  let all = 0;
  for (const [file, text] of texts) {
    if (!file.endsWith('.md')) continue;
    const words = countWords(text);
    all += words;
    const isDecision = /^docs\/decisions\/\d/.test(file);
    check(`${file}  words`, words, isDecision ? decisionWordsMax : (wordsMax[file] ?? allWordsMax));
    if (file === 'docs/glossary.md')
      check(`${file}  terms`, (text.match(/^\| /gm)?.length ?? 1) - 1, termsMax);
    let isCode = false;
    text.split('\n').forEach((line, i) => {
      if (line.startsWith('```')) isCode = !isCode;
      const isFree = isCode || line.startsWith('|') || /https?:|\]\(/.test(line);
      if (!isFree) check(`${file}:${i + 1}  characters`, line.length, lineMax);
    });
  }
  check('All Markdown  words', all, allWordsMax);
  return found;
}
