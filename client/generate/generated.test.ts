import { readFileSync } from 'node:fs';
import { errorCodes, externalOperations } from '@classledger/contract';
import { expect, it } from 'vitest';
import { refusal } from '../src/errors.ts';
import { Classledger } from '../src/index.ts';
import { generatedFiles } from './generated-files.ts';

it('the generated client code matches the contract, and every operation has a method', () => {
  const read = (name: string) => readFileSync(new URL(`../src/generated/${name}`, import.meta.url), 'utf8');
  const stale = [...generatedFiles()].filter(([name, text]) => read(name) !== text).map(([name]) => name);
  expect(
    stale,
    'The contract has changed: run `npm run client:generate` and commit client/src/generated',
  ).toEqual([]);
  for (const id of Object.keys(externalOperations)) expect(Classledger.prototype).toHaveProperty(id);
});

it('every error code of the contract has an error class in the client', () => {
  const facts = {
    requestId: '',
    originalRequestId: null,
    retryAfterSeconds: null,
    acceptedPermission: null,
  };
  const names = Object.entries(errorCodes).map(([code, { status }]) => {
    const error = refusal('ping', Number(code), 'no', { ...facts, status });
    expect(error).toMatchObject({ code: Number(code), status, remedy: expect.stringMatching(/./) });
    return error.name;
  });
  expect(names, 'client/src/errors.ts has no class for a status').not.toContain('ApiError');
});
