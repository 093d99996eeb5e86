import { limits } from 'virtual:contract';
import type { School } from '@classledger/contract';
import { canonicalTimeZone } from '@classledger/contract/school-day';
import { Anchor, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useOperation } from '../../api/queries.ts';
import type { DialogProps } from '../../components/ConfirmDialog.tsx';
import { truncateText } from '../../i18n/letters.ts';
import { useTexts } from '../../i18n/texts.ts';
import { FormDialog } from '../page/FormDialog.tsx';
import { defineWrite } from '../page/write.ts';
import { useSchools } from '../school.tsx';
import { TimeZoneSelect } from '../TimeZoneSelect.tsx';
import { texts } from './school-texts.ts';

/** Proposes the device's time zone, because most people who create a school are near it. */
const deviceTimeZone = () => canonicalTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? null;

interface SchoolFormProps extends DialogProps {
  /** The school to rename; undefined to create one. */
  readonly school?: School;
  readonly initialName?: string;
  readonly withNotice?: boolean;
}

export function SchoolForm({ school, initialName = '', withNotice = true, ...dialog }: SchoolFormProps) {
  const t = useTexts(texts);
  const showOpenSchoolNotice = useOpenSchoolNotice();
  const { data: defaults } = useOperation('getSchoolDefaults', {}, { enabled: !school });
  return (
    <FormDialog
      {...dialog}
      title={school ? t('renameTitle', { name: school.name }) : t('createSchool')}
      submitLabel={t(school ? 'save' : 'create')}
      bodyOf="createSchool"
      values={{
        name: school?.name ?? truncateText(limits.nameLengthMax, initialName),
        timeZone: deviceTimeZone(),
      }}
      save={({ name, timeZone }) =>
        school
          ? defineWrite('updateSchool', { params: { id: school.id }, body: { name } }, () => t('saved'))
          : defineWrite('createSchool', { body: { name, ...(timeZone && { timeZone }) } }, (created) => {
              if (withNotice) showOpenSchoolNotice(created);
              return null;
            })
      }
    >
      {({ field }) => (
        <>
          <TextInput
            {...field('name')}
            label={t('nameLabel')}
            description={t('nameHint')}
            onFocus={(event) => event.currentTarget.select()}
            autoComplete="off"
          />
          {!school && (
            <TimeZoneSelect
              {...field('timeZone')}
              label={t('timeZone')}
              description={t('timeZoneHint')}
              placeholder={defaults && t('timeZoneUsual', { zone: defaults.timeZone })}
              clearable
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

const noticeId = (schoolDb: string) => `school-${schoolDb}`;

export function useOpenSchool(): (schoolDb: string) => void {
  const { choose } = useSchools();
  const navigate = useNavigate();
  return (schoolDb) => {
    notifications.hide(noticeId(schoolDb));
    choose(schoolDb);
    void navigate({ to: '/', search: { school: schoolDb } });
  };
}

function useOpenSchoolNotice(): (school: Pick<School, 'name' | 'schoolDb'>) => void {
  const t = useTexts(texts);
  const open = useOpenSchool();
  return ({ name, schoolDb }) => {
    notifications.show({
      id: noticeId(schoolDb),
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
