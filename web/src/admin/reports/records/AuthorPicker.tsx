import type { Author } from '@classledger/contract';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

interface AuthorPickerProps {
  /** `a4` for administrator 4, `t7` for credential 7; null for everybody. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly shown: readonly Author[];
}

const anybody = 'all';

export function AuthorPicker({ value, onChange, shown }: AuthorPickerProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const admins = useOperation('listAdministrators', { query: { schoolDb } });
  // Super administrators belong to no school, so a school's list does not contain them.
  const supers = useOperation(
    'listAdministrators',
    { query: { role: 'super_admin' } },
    { enabled: me.role === 'super_admin' },
  );
  const credentials = useOperation('listCredentials', { query: { schoolDb } });
  const people = named('a', [...(admins.data ?? []), ...(supers.data ?? [])], ({ username }) => username);
  const tokens = named('t', credentials.data ?? [], ({ name }) => name);
  // Adds authors of shown records whom the lists lack, because the user may not see their accounts.
  for (const { type, id, name } of shown) {
    const [mark, names] = type === 'admin' ? (['a', people] as const) : (['t', tokens] as const);
    if (name !== null && !names.has(`${mark}${id}`)) names.set(`${mark}${id}`, name);
  }
  // Remembers the chosen author's name, because the list may then show other records.
  const [chosen, setChosen] = useState({ author: '', name: '' });
  const known = value === null || people.has(value) || tokens.has(value);
  const items = (names: ReadonlyMap<string, string>) =>
    [...names].map(([author, label]) => ({ value: author, label }));
  return (
    <Select
      aria-label={t('author')}
      value={value ?? anybody}
      onChange={(author, option) => {
        if (option) setChosen({ author: option.value, name: option.label });
        onChange(author === null || author === anybody ? null : author);
      }}
      data={[
        { value: anybody, label: t('authorAll') },
        // Adds an author from the URL who was deleted, or whose account the user may not see.
        ...(known ? [] : [{ value, label: chosen.author === value ? chosen.name : t('unknownAuthor') }]),
        ...(people.size > 0 ? [{ group: t('administrators'), items: items(people) }] : []),
        ...(tokens.size > 0 ? [{ group: t('applications'), items: items(tokens) }] : []),
      ]}
      searchable
      allowDeselect={false}
      loading={admins.isPending || credentials.isPending}
    />
  );
}

function named<Row extends { readonly id: number }>(
  mark: 'a' | 't',
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): Map<string, string> {
  return new Map(rows.map((row) => [`${mark}${row.id}`, nameOf(row)]));
}
