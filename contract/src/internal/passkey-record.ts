import Type, { type Static } from 'typebox';
import { CreatedAt, Id, is, Nullable, Text, Timestamp } from '../fields.ts';

export const Passkey = Type.Object(
  {
    id: Id,
    name: is(Text, 'How its owner calls it.'),
    host: is(Text, 'The host for which it was made; it works there alone.'),
    createdAt: CreatedAt,
    lastUsedAt: is(Nullable(Timestamp), 'When it was last used; null: never.'),
  },
  { title: 'Passkey' },
);
export type Passkey = Static<typeof Passkey>;
