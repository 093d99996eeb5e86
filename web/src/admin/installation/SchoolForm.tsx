import { limits } from 'virtual:contract';
import type { School } from '@classledger/contract';
import { canonicalTimeZone } from '@classledger/contract/school-day';
import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useMutationOf, useOperation } from '../../api/queries.ts';
import type { DialogProps } from '../../components/ConfirmDialog.tsx';
import { NameDialog } from '../../components/NameDialog.tsx';
import { useMutationWithNotice } from '../../components/use-mutation-with-notice.ts';
import { cutTo } from '../../i18n/letters.ts';
import { useTexts } from '../../i18n/texts.ts';
import { TimeZoneSelect } from '../TimeZoneSelect.tsx';
import { texts } from './school-texts.ts';
import { openSchoolNoticeId, useOpenSchool } from './use-open-school.ts';

/** Most schools are created from their own place. */
const deviceTimeZone = () => canonicalTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? null;

interface CreateSchoolDialogProps extends DialogProps {
  readonly initialName?: string;
  readonly withNotice?: boolean;
}

export function CreateSchoolDialog({
  opened,
  onClose,
  initialName = '',
  withNotice = true,
}: CreateSchoolDialogProps) {
  const t = useTexts(texts);
  const showOpenSchoolNotice = useOpenSchoolNotice();
  const [timeZone, setTimeZone] = useState<string | null>(deviceTimeZone);
  const { data: defaults } = useOperation('getSchoolDefaults', {}, { enabled: opened });
  const create = useMutationOf('createSchool', {
    onSuccess: (school) => {
      if (withNotice) showOpenSchoolNotice(school);
      setTimeZone(deviceTimeZone);
      onClose();
    },
  });
  return (
    <NameDialog
      opened={opened}
      onClose={onClose}
      title={t('createSchool')}
      label={t('nameLabel')}
      hint={t('nameHint')}
      name={cutTo(limits.nameLengthMax, initialName)}
      submitLabel={t('create')}
      onSubmit={(name) => create.mutate({ body: { name, ...(timeZone && { timeZone }) } })}
      mutation={create}
    >
      <TimeZoneSelect
        label={t('timeZone')}
        description={t('timeZoneHint')}
        placeholder={defaults && t('timeZoneUsual', { zone: defaults.timeZone })}
        value={timeZone}
        onChange={setTimeZone}
        clearable
      />
    </NameDialog>
  );
}

function useOpenSchoolNotice(): (school: Pick<School, 'name' | 'schoolDb'>) => void {
  const t = useTexts(texts);
  const open = useOpenSchool();
  return ({ name, schoolDb }) => {
    notifications.show({
      id: openSchoolNoticeId(schoolDb),
      autoClose: 12_000,
      title: t('created', { name }),
      message: (
        <>
          {t('createdNext')}{' '}
          <Anchor component="button" type="button" inherit onClick={() => open(schoolDb)}>
            {t('open')}
          </Anchor>
        </>
      ),
    });
  };
}

interface RenameSchoolDialogProps extends DialogProps {
  readonly school: School;
}

export function RenameSchoolDialog({ school, opened, onClose }: RenameSchoolDialogProps) {
  const t = useTexts(texts);
  const rename = useMutationWithNotice('updateSchool', () => t('saved'), onClose);
  return (
    <NameDialog
      opened={opened}
      onClose={onClose}
      title={t('renameTitle', { name: school.name })}
      label={t('nameLabel')}
      hint={t('nameHint')}
      name={school.name}
      submitLabel={t('save')}
      onSubmit={(name) => rename.mutate({ params: { id: school.id }, body: { name } })}
      mutation={rename}
    />
  );
}
