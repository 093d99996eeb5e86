import { type ErrorCode, errorCodes, externalOperations, httpStatusOf } from '@classledger/contract';
import { expect, it } from 'vitest';
import { createApiError } from '../src/errors.ts';
import { Classledger } from '../src/index.ts';

it('the generated client has a method for every operation of the contract', () => {
  for (const id of Object.keys(externalOperations)) expect(Classledger.prototype).toHaveProperty(id);
});

it('the generated client has an error class for every error code of the contract', () => {
  const facts = {
    requestId: '',
    originalRequestId: null,
    retryAfterSeconds: null,
    acceptedPermission: null,
  };
  const names = Object.keys(errorCodes).map((code) => {
    const status = httpStatusOf(Number(code) as ErrorCode);
    const error = createApiError('ping', Number(code), 'no', { ...facts, status });
    expect(error).toMatchObject({ code: Number(code), status, remedy: expect.stringMatching(/./) });
    return error.name;
  });
  expect(names, 'client/src/errors.ts has no class for a status').not.toContain('ApiError');
});
