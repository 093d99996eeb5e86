import { SegmentedControl } from '@mantine/core';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import { useMe } from './me.ts';
import { useSchools } from './school.tsx';

const texts = defineTexts({
  scope: ['Scope', '显示范围'],
  thisSchool: ['This school', '本校'],
  everything: ['All schools', '全部学校'],
});

interface SchoolScope {
  /** The school to send; undefined for everything that the caller may see. */
  readonly schoolDb: string | undefined;
  readonly everything: boolean;
}

/** @param all the parameter of the URL */
export function useSchoolScope(all: boolean | undefined): SchoolScope {
  const { role } = useMe();
  const { school } = useSchools();
  const everything = role === 'super_admin' && (all === true || school === null);
  return { schoolDb: everything ? undefined : school?.schoolDb, everything };
}

interface SchoolScopeSwitchProps {
  readonly all: boolean | undefined;
  readonly onChange: (all: true | undefined) => void;
}

/** Shown only to those who can see all schools and one of them. */
export function SchoolScopeSwitch({ all, onChange }: SchoolScopeSwitchProps) {
  const t = useTexts(texts);
  const { role } = useMe();
  const { school } = useSchools();
  if (role !== 'super_admin' || school === null) return null;
  return (
    <SegmentedControl
      data-filter="switch"
      aria-label={t('scope')}
      value={all ? 'everything' : 'school'}
      onChange={(value) => onChange(value === 'everything' || undefined)}
      data={[
        { value: 'school', label: t('thisSchool') },
        { value: 'everything', label: t('everything') },
      ]}
    />
  );
}
