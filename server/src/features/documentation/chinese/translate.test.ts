import { externalOperations } from '@classledger/contract';
import { expect, it } from 'vitest';
import { externalApiDocument } from '../external-document.ts';
import { buildOpenApi } from '../openapi.ts';
import { catalogue, translateToChinese } from './translate.ts';

const document = buildOpenApi(externalApiDocument, externalOperations, {
  version: '1.2.3',
  origin: 'https://scores.example',
  keyLengthMax: 128,
});

const missed = new Set<string>();
const used = new Set<string>();
translateToChinese(
  document,
  (sentence) => missed.add(sentence),
  (sentence) => used.add(sentence),
);

it('the Chinese reference translates every sentence of the document', () => {
  expect([...missed].map((sentence) => `${JSON.stringify(sentence)}: '',`)).toEqual([]);
});

it('the Chinese reference has no translation of a removed sentence', () => {
  expect(Object.keys(catalogue).filter((sentence) => !used.has(sentence))).toEqual([]);
});

it('the Chinese reference keeps the code in every sentence', () => {
  const code = (text: string) => (text.match(/`[^`]*`|\]\([^)]*\)|\{\}/g) ?? []).sort();
  for (const [english, chinese] of Object.entries(catalogue)) expect(code(chinese)).toEqual(code(english));
});
