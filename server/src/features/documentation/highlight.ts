/** What is coloured in a language: the alternatives are tried in this order at each place. */
const grammars: Readonly<Record<string, RegExp>> = {
  bash: /(?<comment>(?<=^|\s)#[^\n]*)|(?<string>"(?:\\.|[^"\\])*"|'[^']*')|(?<keyword>\b(?:curl|node|echo|export|for|do|done|if|then|fi)\b)|(?<name>\$\w+|\$\{[^}]*\})/gm,
  ts: /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|(?<keyword>\b(?:async|await|break|catch|class|const|constructor|continue|else|export|extends|for|from|function|if|import|interface|let|new|of|readonly|return|throw|try|type|while|yield)\b)|(?<name>\b\d[\d_]*\b)/gm,
  json: /(?<comment>"(?:\\.|[^"\\])*"(?=\s*:))|(?<string>"(?:\\.|[^"\\])*")|(?<name>-?\b\d[\d.]*\b|\b(?:true|false|null)\b)/gm,
};

/** Languages that read like another. */
const aliases: Readonly<Record<string, string>> = { sh: 'bash' };

/** The code as HTML, with comments, strings, keywords and names in elements of their own. */
export function highlighted(code: string, language: string): string {
  const grammar = grammars[aliases[language] ?? language];
  if (grammar === undefined) return escapeHtml(code);
  let html = '';
  let end = 0;
  for (const match of code.matchAll(grammar)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ['name'];
    html += `${escapeHtml(code.slice(end, match.index))}<span class="t-${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it is, safe inside HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}
