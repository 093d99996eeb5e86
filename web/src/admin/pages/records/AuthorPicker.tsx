import { Select } from '@mantine/core';
import { useOperation } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

interface AuthorPickerProps {
  /** `a4` is administrator 4, `t7` credential 7; null is anybody. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

const anybody = 'all';

/** Chooses who gave points: one of the administrators, or an application with a credential. */
export function AuthorPicker({ value, onChange }: AuthorPickerProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const admins = useOperation('listAdministrators', { query: { schoolDb } });
  const credentials = useOperation('listCredentials', { query: { schoolDb } });
  const people = (admins.data ?? []).map(({ id, username }) => ({ value: `a${id}`, label: username }));
  const tokens = (credentials.data ?? []).map(({ id, name }) => ({ value: `t${id}`, label: name }));
  const known = value === null || [...people, ...tokens].some((one) => one.value === value);
  return (
    <Select
      aria-label={t('author')}
      value={value ?? anybody}
      onChange={(chosen) => onChange(chosen === null || chosen === anybody ? null : chosen)}
      data={[
        { value: anybody, label: t('authorAll') },
        // An address may name somebody who was deleted, or of whom one is not told.
        ...(known ? [] : [{ value, label: t('unknownAuthor') }]),
        ...(people.length > 0 ? [{ group: t('administrators'), items: people }] : []),
        ...(tokens.length > 0 ? [{ group: t('applications'), items: tokens }] : []),
      ]}
      searchable
      allowDeselect={false}
      loading={admins.isPending || credentials.isPending}
    />
  );
}
