import { Select } from '@mantine/core';
import { useOperation } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useDistinctClassName } from '../../distinct-class-name.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

interface TermPickerProps {
  readonly classId: number | null;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

const current = 'current';

export function TermPicker({ classId, value, onChange }: TermPickerProps) {
  const t = useTexts(texts);
  const me = useMe();
  const distinctName = useDistinctClassName();
  const { schoolDb } = useSchool();
  const terms = useOperation('listTerms', { query: { schoolDb } });
  const shown = (terms.data ?? []).filter(
    (term) => classId === null || term.classId === classId || term.id === value,
  );
  const closed = shown.map((term) => ({
    value: String(term.id),
    label: me.classId === null ? t('termOption', { name: term.name, class: distinctName(term) }) : term.name,
  }));
  return (
    <Select
      aria-label={t('term')}
      value={value === null ? current : String(value)}
      onChange={(chosen) => onChange(chosen === null || chosen === current ? null : Number(chosen))}
      data={[
        { value: current, label: t('termCurrent') },
        ...(closed.length > 0 ? [{ group: t('closedTerms'), items: closed }] : []),
      ]}
      searchable
      allowDeselect={false}
      loading={terms.isPending}
    />
  );
}
