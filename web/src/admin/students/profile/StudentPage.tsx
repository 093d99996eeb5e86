import type { StudentAccount } from '@classledger/contract';
import { Badge, DataList, Grid, Paper, SegmentedControl, Stack } from '@mantine/core';
import { IconPencil, IconUserQuestion } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { PropsWithChildren } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useOperation, useOperationList } from '../../../api/queries.ts';
import { CategoryRadar } from '../../../components/charts/CategoryRadar.tsx';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { useGraduatedAmong } from '../../../components/graduated-class.ts';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { ScoreText, TotalText } from '../../../components/ScoreText.tsx';
import { useShownName } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { BackLink } from '../../BackLink.tsx';
import { Fact } from '../../Fact.tsx';
import { useManages } from '../../me.ts';
import { DialogButton } from '../../page/dialogs.tsx';
import { Heading, Page } from '../../page/Page.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { PointsByDay, Tiles } from '../../reports/figures/Overview.tsx';
import { useSchool } from '../../school.tsx';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { StudentActions } from '../actions/StudentActions.tsx';
import { EditStudentForm } from '../actions/StudentForm.tsx';
import { classLabelOf } from '../student-cells.ts';
import { trendPeriods } from '../students-search.ts';
import { StudentRecords } from './StudentRecords.tsx';
import { texts } from './texts.ts';

export default function StudentPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const id = Number(useParams({ from: '/shell/students/$studentId' }).studentId);
  const isId = Number.isSafeInteger(id) && id > 0;
  const account = useOperation('getUser', { params: { id }, query: { schoolDb } }, { enabled: isId });
  const gone = !isId || hasStatus(account.error, 403, 404);
  return (
    <>
      <BackLink to="/students">{t('title')}</BackLink>
      {gone ? (
        <EmptyState icon={IconUserQuestion} title={t('missingTitle')} hint={t('missingHint')} />
      ) : account.data ? (
        <Details key={id} student={account.data} />
      ) : (
        <LoadingOrError of={[account]} />
      )}
    </>
  );
}

interface StudentProps {
  readonly student: StudentAccount;
}

function Details({ student }: StudentProps) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const shownName = useShownName();
  const { schoolDb } = useSchool();
  const { id, classId, gradeId, disabled, erased } = student;
  const isManaged = useManages()({ id: classId, gradeId });
  const graduated = useGraduatedAmong(schoolDb, [classId])(classId);
  const state = erased ? 'stateErased' : graduated ? 'stateGraduated' : 'disabled';
  return (
    <Page
      title={shownName(student)}
      description={classLabelOf(student)}
      headActions={
        <>
          {disabled && (
            <Badge color="gray" variant="light">
              {t(state)}
            </Badge>
          )}
          {isManaged && !erased && !graduated && (
            <DialogButton
              variant="default"
              leftSection={<IconPencil aria-hidden size={16} />}
              dialog={(dialog) => <EditStudentForm {...dialog} student={student} />}
            >
              {t('edit')}
            </DialogButton>
          )}
          <StudentActions
            student={student}
            graduated={graduated}
            atTitle
            onDeleted={() => void navigate({ to: '/students', replace: true })}
          />
        </>
      }
    >
      <Stack gap={20}>
        <Totals student={student} />
        <Grid gap={20}>
          <Grid.Col span={wide}>
            <Trend userId={id} />
          </Grid.Col>
          <Grid.Col span={narrow}>
            <Account student={student} />
          </Grid.Col>
          <Categories userId={id} />
          <Absences userId={id} />
        </Grid>
        <StudentRecords student={student} readOnly={graduated} />
      </Stack>
    </Page>
  );
}

const wide = { base: 12, md: 8 };
const narrow = { base: 12, md: 4 };

function Totals({ student }: StudentProps) {
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <Tiles
      of={[
        { label: t('total'), value: <TotalText value={student.totalScore} /> },
        { label: t('plus'), value: <ScoreText value={student.addScore} /> },
        { label: t('minus'), value: <ScoreText value={student.deductScore} /> },
        { label: t('columnRecords'), value: format.number(student.scoreCount) },
      ]}
    />
  );
}

function Trend({ userId }: { readonly userId: number }) {
  const t = useTexts(texts);
  const { search, change } = usePageSearch('/students/$studentId');
  const { days = trendPeriods[0] } = search;
  return (
    <PointsByDay
      title={t('trend')}
      days={days}
      userId={userId}
      control={
        <SegmentedControl
          aria-label={t('period')}
          value={days}
          onChange={(value) => change({ ...search, days: value })}
          data={trendPeriods.map((value) => ({ value, label: t('lastDays', { count: value }) }))}
        />
      }
    />
  );
}

function Facts({ title, children }: PropsWithChildren<{ readonly title: string }>) {
  return (
    <Paper h="100%" px={20} py="md" withBorder>
      <Heading>{title}</Heading>
      <DataList orientation="vertical" size="md" mt={8} styles={{ itemLabel: { fontSize: labelSize } }}>
        {children}
      </DataList>
    </Paper>
  );
}

const labelSize = 'var(--mantine-font-size-sm)';

function Account({ student }: StudentProps) {
  const t = useTexts(texts);
  const { externalId, cardNumber, emailBound } = student;
  const email = student.email ?? t(emailBound ? 'emailHidden' : 'emailNone');
  // A long e-mail address breaks before the `@`.
  const [mailbox, ...domain] = email.split(/(?=@)/);
  return (
    <Facts title={t('account')}>
      <Fact name={t('username')}>{student.username}</Fact>
      {externalId !== null && <Fact name={t('externalId')}>{externalId}</Fact>}
      {cardNumber !== null && <Fact name={t('cardNumber')}>{cardNumber}</Fact>}
      <Fact name={t('password')}>{t(`password_${student.passwordState}`)}</Fact>
      <Fact name={t('email')}>
        {mailbox}
        <wbr />
        {domain}
      </Fact>
      <Fact name={t('columnCreated')}>
        <DateText value={student.createdAt} as="day" />
      </Fact>
    </Facts>
  );
}

function Categories({ userId }: { readonly userId: number }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { data } = useOperationList('listCategoryTotals', { query: { schoolDb, userId } });
  if (!data || data.total === 0) return null;
  return (
    <Grid.Col span={wide}>
      <Paper component="section" h="100%" px={20} py="md" withBorder aria-label={t('pointsByCategory')}>
        <Heading mb="sm">{t('pointsByCategory')}</Heading>
        <CategoryRadar totals={data.rows} />
      </Paper>
    </Grid.Col>
  );
}

const absencesMax = 5;

function Absences({ userId }: { readonly userId: number }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const enabled = useIsToolEnabled('attendance');
  const query = { schoolDb, userId, limit: absencesMax };
  const { data } = useOperationList('listAbsences', { query }, { enabled });
  if (!enabled || !data || data.total === 0) return null;
  return (
    <Grid.Col span={wide}>
      <Facts title={t('absences', { count: data.total })}>
        {data.rows.map(({ id, day, state }) => (
          <Fact key={id} name={<time dateTime={day}>{format.calendarDay(day)}</time>}>
            {t(state)}
          </Fact>
        ))}
      </Facts>
    </Grid.Col>
  );
}
