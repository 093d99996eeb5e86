import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import typescript from 'highlight.js/lib/languages/typescript';

// These grammars also register the aliases sh and ts.
for (const [name, grammar] of Object.entries({ bash, json, typescript })) {
  highlighter.registerLanguage(name, grammar);
}

export function highlightCode(code: string, language: string): string {
  if (!highlighter.getLanguage(language)) return escapeHtml(code);
  return highlighter.highlight(code, { language }).value;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}
