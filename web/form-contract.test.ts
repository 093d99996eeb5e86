import { expect, it } from 'vitest';
import { contractTables } from './vite/contract-tables.ts';

it('forms know the required fields and lengths of the contract', async () => {
  const { load } = contractTables() as { readonly load: (id: string) => string };
  const source = load('\0virtual:form-contract');
  const { formBounds } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  expect(formBounds.createScoreTemplate).toEqual({
    name: { required: true, maxLength: 100, trim: true },
    scoreChange: { required: true },
    description: { maxLength: 500 },
  });
  expect(formBounds.createAdministrator.password, 'white space is part of a password').toEqual({
    maxLength: 128,
  });
});
