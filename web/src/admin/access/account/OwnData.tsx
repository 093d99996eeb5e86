import { Text } from '@mantine/core';
import { useOperation } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchools } from '../../school.tsx';
import { texts as shellTexts } from '../../shell/texts.ts';
import classes from './AccountPage.module.css';
import { texts } from './texts.ts';

export function OwnData() {
  const t = useTexts(texts);
  const s = useTexts(shellTexts);
  const me = useMe();
  const { schools } = useSchools();
  const school = schools.find(({ id }) => id === me.schoolId);
  const query = { schoolDb: school?.schoolDb ?? '' };
  const grades = useOperation(
    'listSchoolGrades',
    { query },
    { enabled: school !== undefined && me.gradeId !== null },
  );
  const known = useOperation(
    'listSchoolClasses',
    { query },
    { enabled: school !== undefined && me.classId !== null },
  );
  const grade = grades.data?.find(({ id }) => id === me.gradeId);
  const own = known.data?.find(({ id }) => id === me.classId);
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t('username')}</dt>
        <dd>{me.username}</dd>
        <dt>{t('role')}</dt>
        <dd>{s(me.role)}</dd>
        <dt>{t('school')}</dt>
        <dd>{me.schoolId === null ? t('everySchool') : (school?.name ?? '–')}</dd>
        {school && (
          <>
            <dt>{t('schoolCode')}</dt>
            <dd>{school.schoolDb}</dd>
          </>
        )}
        {me.gradeId !== null && (
          <>
            <dt>{t('grade')}</dt>
            <dd>{grade?.name ?? '–'}</dd>
          </>
        )}
        {me.classId !== null && (
          <>
            <dt>{t('class')}</dt>
            <dd>{own?.name ?? '–'}</dd>
          </>
        )}
      </dl>
      {me.role !== 'super_admin' && (
        <Text size="sm" c="dimmed" mt="md">
          {t('aboutHint')}
        </Text>
      )}
    </>
  );
}
