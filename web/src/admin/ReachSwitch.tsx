import { SegmentedControl } from '@mantine/core';
import { useTexts } from '../i18n/texts.ts';
import { useMe } from './me.ts';
import { reachTexts } from './reach-texts.ts';
import { useSchools } from './school.tsx';

interface Reach {
  /** The value to send; undefined means the caller's whole range. */
  readonly schoolDb: string | undefined;
  readonly everything: boolean;
  readonly optional: boolean;
}

export function useReach(wantsEverything: boolean): Reach {
  const { role } = useMe();
  const { school } = useSchools();
  const optional = role === 'super_admin' && school !== null;
  const everything = role === 'super_admin' && (wantsEverything || school === null);
  return { schoolDb: everything ? undefined : school?.schoolDb, everything, optional };
}

interface ReachSwitchProps {
  readonly everything: boolean;
  readonly onChange: (everything: boolean) => void;
}

export function ReachSwitch({ everything, onChange }: ReachSwitchProps) {
  const t = useTexts(reachTexts);
  return (
    <SegmentedControl
      data-filter="switch"
      aria-label={t('reach')}
      value={everything ? 'everything' : 'school'}
      onChange={(value) => onChange(value === 'everything')}
      data={[
        { value: 'school', label: t('thisSchool') },
        { value: 'everything', label: t('everything') },
      ]}
    />
  );
}
