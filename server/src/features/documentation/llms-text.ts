import { addLanguage } from './language.ts';
import type { DocumentReader } from './reference/document-reader.ts';

/** Follows the form of llmstxt.org: title, summary, lists of links. */
export function renderLlmsText(reader: DocumentReader, origin: string): string {
  const { info, chapters, prefix } = reader;
  const link = (name: string, path: string, about: string) => `- [${name}](${origin}${path}): ${about}`;
  const operations = chapters.flatMap(({ title, operations }) => [
    '',
    `## ${title}`,
    '',
    ...operations.map(({ id, method, path, title: name, description }) =>
      link(name, addLanguage(`/docs#${id}`, 'en'), `\`${method} ${prefix}${path}\`. ${plain(description)}`),
    ),
  ]);
  return `${[
    '# Classledger',
    '',
    `> ${info.summary} This server is an installation of Classledger, where a school keeps the points of its students class by class.`,
    '',
    ...info.description.split('\n').filter((line) => /^(?:- | {2})/.test(line)),
    '',
    '## Documents',
    '',
    link(
      "The integrator's guide",
      addLanguage('/docs/guide.md', 'en'),
      'from the first call to every error, as Markdown',
    ),
    link('对接指南', addLanguage('/docs/guide.md', 'zh'), 'the same in Chinese'),
    link(
      'OpenAPI 3.1',
      '/api/v1/openapi.json',
      'every operation with its fields, responses, errors and examples',
    ),
    link('Reference', addLanguage('/docs', 'en'), 'the same as a page for people'),
    link(
      'Client',
      '/docs/classledger-client.tgz',
      `for TypeScript, the command line and MCP: \`npm install --allow-remote=root ${origin}/docs/classledger-client.tgz\`. It is in no registry: never install \`@classledger/client\` by name alone`,
    ),
    ...operations,
  ].join('\n')}\n`;
}

function plain(description: string): string {
  return description.replaceAll('**', '').replace(/\s+/g, ' ');
}
