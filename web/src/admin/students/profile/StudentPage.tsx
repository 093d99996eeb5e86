import type { StudentAccount } from '@classledger/contract';
import {
  Badge,
  Grid,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import { IconPencil, IconUserQuestion } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useOperation, useOperationList } from '../../../api/queries.ts';
import { trendBars } from '../../../components/charts/chart-values.ts';
import { TrendChart } from '../../../components/charts/TrendChart.tsx';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { SchoolTimeNote } from '../../../components/SchoolTimeNote.tsx';
import { ScoreText, TotalText } from '../../../components/ScoreText.tsx';
import { useShownName } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { BackLink } from '../../BackLink.tsx';
import { useGraduatedAmong } from '../../graduated-class.ts';
import { DialogButton } from '../../page/dialogs.tsx';
import { Heading, Page } from '../../page/Page.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { useSchool } from '../../school.tsx';
import { parseOneOf } from '../../search-parameters.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { StudentActions } from '../actions/StudentActions.tsx';
import { EditStudentForm } from '../actions/StudentForm.tsx';
import { classLabelOf } from '../student-cells.ts';
import { trendPeriods } from '../students-search.ts';
import { texts as studentsTexts } from '../texts.ts';
import { StudentRecords } from './StudentRecords.tsx';
import { texts } from './texts.ts';

export default function StudentPage() {
  const t = useTexts(texts);
  const s = useTexts(studentsTexts);
  const { schoolDb } = useSchool();
  const id = Number(useParams({ from: '/shell/students/$studentId' }).studentId);
  const isId = Number.isSafeInteger(id) && id > 0;
  const account = useOperation('getUser', { params: { id }, query: { schoolDb } }, { enabled: isId });
  const gone = !isId || hasStatus(account.error, 403, 404);
  return (
    <>
      <BackLink to="/students">{s('title')}</BackLink>
      {gone ? (
        <EmptyState icon={IconUserQuestion} title={t('missingTitle')} hint={t('missingHint')} />
      ) : account.isPending ? (
        <LoadingRows />
      ) : account.data ? (
        <Details key={id} student={account.data} />
      ) : (
        <ErrorState error={account.error} onRetry={() => void account.refetch()} />
      )}
    </>
  );
}

interface StudentProps {
  readonly student: StudentAccount;
}

function Details({ student }: StudentProps) {
  const s = useTexts(studentsTexts);
  const navigate = useNavigate();
  const shownName = useShownName();
  const { schoolDb } = useSchool();
  const { id, classId, disabled, erased } = student;
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
              {s(state)}
            </Badge>
          )}
          {!erased && !graduated && (
            <DialogButton
              variant="default"
              leftSection={<IconPencil aria-hidden size={16} />}
              dialog={(dialog) => <EditStudentForm {...dialog} student={student} />}
            >
              {s('edit')}
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
          <Trend userId={id} />
          <Account student={student} />
          <Absences userId={id} />
        </Grid>
        <StudentRecords student={student} readOnly={graduated} />
      </Stack>
    </Page>
  );
}

const frame = { bd: '1px solid var(--app-line)', px: 20, py: 'md' } as const;

function Totals({ student }: StudentProps) {
  const t = useTexts(texts);
  const s = useTexts(studentsTexts);
  const format = useFormat();
  const totals = [
    [t('total'), <TotalText key="total" value={student.totalScore} />],
    [s('columnPlus'), <ScoreText key="plus" value={student.addScore} />],
    [s('columnMinus'), <ScoreText key="minus" value={student.deductScore} />],
    [s('columnRecords'), format.number(student.scoreCount)],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing={12}>
      {totals.map(([label, value]) => (
        <Paper key={label} component="dl" m={0} {...frame}>
          <Hint component="dt">{label}</Hint>
          <Text component="dd" fz="1.75rem" fw={650} lh={1.3}>
            {value}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

interface PanelProps {
  /** Of the three columns on a wide screen. */
  readonly columns: 1 | 2;
  readonly children: ReactNode;
}

function Panel({ columns, children }: PanelProps) {
  return (
    <Grid.Col span={{ base: 12, md: 4 * columns }}>
      <Paper h="100%" {...frame}>
        {children}
      </Paper>
    </Grid.Col>
  );
}

function Trend({ userId }: { readonly userId: number }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const { search, change } = usePageSearch('/students/$studentId');
  const { days = trendPeriods[0] } = search;
  const totals = useOperation('listDayTotals', { query: { schoolDb, userId, days } });
  const weekly = days > 31;
  const bars = trendBars(totals.data ?? [], weekly ? 7 : 1);
  const plus = bars.reduce((sum, bar) => sum + bar.plus, 0);
  const minus = bars.reduce((sum, bar) => sum + bar.minus, 0);
  const summary =
    plus === 0 && minus === 0
      ? t('trendEmpty')
      : t('trendSummary', { plus: format.signed(plus), minus: format.signed(minus), count: days });
  return (
    <Panel columns={2}>
      <Group justify="space-between" mb="xs">
        <div>
          <Heading>{t('trend')}</Heading>
          <Hint aria-live="polite">{totals.data ? summary : '\u00a0'}</Hint>
        </div>
        <SegmentedControl
          aria-label={t('period')}
          value={String(days)}
          onChange={(value) => change({ ...search, days: parseOneOf(trendPeriods, Number(value)) })}
          data={trendPeriods.map((one) => ({ value: String(one), label: t('lastDays', { count: one }) }))}
        />
      </Group>
      {totals.isError ? (
        <ErrorState error={totals.error} onRetry={() => void totals.refetch()} />
      ) : (
        <>
          <div aria-hidden>
            {totals.data ? <TrendChart bars={bars} weekly={weekly} /> : <Skeleton height={220} />}
          </div>
          <SchoolTimeNote />
        </>
      )}
    </Panel>
  );
}

interface FactsProps {
  readonly title: string;
  readonly facts: readonly {
    readonly key: string | number;
    readonly label: ReactNode;
    readonly value: ReactNode;
  }[];
}

function Facts({ title, facts }: FactsProps) {
  return (
    <>
      <Heading>{title}</Heading>
      <Stack component="dl" gap={12} m="8px 0 0" style={{ overflowWrap: 'anywhere' }}>
        {facts.map(({ key, label, value }) => (
          <div key={key}>
            <Hint component="dt">{label}</Hint>
            <Text component="dd">{value}</Text>
          </div>
        ))}
      </Stack>
    </>
  );
}

function Account({ student }: StudentProps) {
  const t = useTexts(texts);
  const s = useTexts(studentsTexts);
  const { externalId, cardNumber, emailBound } = student;
  const email = student.email ?? t(emailBound ? 'emailHidden' : 'emailNone');
  // A long e-mail address breaks before the `@`.
  const [mailbox, ...domain] = email.split(/(?=@)/);
  const facts = [
    { key: 'username', label: s('username'), value: student.username },
    ...(externalId === null ? [] : [{ key: 'external', label: s('externalId'), value: externalId }]),
    ...(cardNumber === null ? [] : [{ key: 'card', label: s('cardNumber'), value: cardNumber }]),
    { key: 'password', label: s('password'), value: s(`password_${student.passwordState}`) },
    {
      key: 'email',
      label: t('email'),
      value: (
        <>
          {mailbox}
          <wbr />
          {domain}
        </>
      ),
    },
    { key: 'added', label: s('columnCreated'), value: <DateText value={student.createdAt} as="day" /> },
  ];
  return (
    <Panel columns={1}>
      <Facts title={t('account')} facts={facts} />
    </Panel>
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
  const facts = data.rows.map(({ id, day, state }) => ({
    key: id,
    label: <time dateTime={day}>{format.calendarDay(day)}</time>,
    value: t(`state_${state}`),
  }));
  return (
    <Panel columns={2}>
      <Facts title={t('absences', { count: data.total })} facts={facts} />
    </Panel>
  );
}
