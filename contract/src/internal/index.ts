import * as credentials from './api-tokens.ts';
import * as authentication from './authentication.ts';
import * as schools from './schools.ts';
import * as structure from './structure.ts';

/** Every operation of the internal API by its id. */
export const internalOperations = {
  ...authentication,
  ...schools,
  ...structure,
  ...credentials,
} as const;

export type InternalOperations = typeof internalOperations;
export type InternalOperationId = keyof InternalOperations;
