import type { Static } from 'typebox';
import { CreatedAt, Id, is, Nullable, Text, Timestamp, Titled } from '../fields.ts';

export const Passkey = Titled('Passkey', {
  id: Id,
  name: is(Text, 'Name of the passkey, chosen by its owner.'),
  host: is(Text, 'The only host where the passkey works.'),
  createdAt: CreatedAt,
  lastUsedAt: is(Nullable(Timestamp), 'When it was last used, or null if never.'),
});
export type Passkey = Static<typeof Passkey>;
