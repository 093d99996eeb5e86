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
  readonly optional: boolean;
}

export function useSchoolScope(wantsEverything: boolean): SchoolScope {
  const { role } = useMe();
  const { school } = useSchools();
  const optional = role === 'super_admin' && school !== null;
  const everything = role === 'super_admin' && (wantsEverything || school === null);
  return { schoolDb: everything ? undefined : school?.schoolDb, everything, optional };
}

interface SchoolScopeSwitchProps {
  readonly everything: boolean;
  readonly onChange: (everything: boolean) => void;
}

export function SchoolScopeSwitch({ everything, onChange }: SchoolScopeSwitchProps) {
  const t = useTexts(texts);
  return (
    <SegmentedControl
      data-filter="switch"
      aria-label={t('scope')}
      value={everything ? 'everything' : 'school'}
      onChange={(value) => onChange(value === 'everything')}
      data={[
        { value: 'school', label: t('thisSchool') },
        { value: 'everything', label: t('everything') },
      ]}
    />
  );
}
