import type { StudentAccount } from '@classledger/contract';
import { Badge, Button, Paper, Title } from '@mantine/core';
import { IconPencil, IconUserQuestion } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { hasStatus } from '../../../api/api-failure.ts';
import { useOperation, useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useRowDialog } from '../../../components/list/use-row-dialog.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { ScoreText, TotalText } from '../../../components/ScoreText.tsx';
import { useShownName, useStudentNames } from '../../../components/student-names.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { usePageSearch } from '../../page/use-page-search.ts';
import { useSchool } from '../../school.tsx';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { StudentDialogs } from '../actions/StudentDialogs.tsx';
import { StudentMenu } from '../actions/StudentMenu.tsx';
import { type ActionKind, classLabelOf } from '../actions/student-action.ts';
import { useEnableStudent } from '../actions/use-enable-student.ts';
import { BackToStudents } from '../BackToStudents.tsx';
import { texts as studentsTexts } from '../texts.ts';
import { useGraduates } from '../use-graduates.ts';
import classes from './StudentPage.module.css';
import { StudentRecords } from './StudentRecords.tsx';
import { StudentTrend } from './StudentTrend.tsx';
import { texts } from './texts.ts';

export function StudentPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const id = Number(useParams({ from: '/shell/students/$studentId' }).studentId);
  const isId = Number.isSafeInteger(id) && id > 0;
  const account = useOperation('getUser', { params: { id }, query: { schoolDb } }, { enabled: isId });
  const gone = !isId || hasStatus(account.error, 404) || hasStatus(account.error, 403);
  return (
    <>
      <BackToStudents />
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

function Details({ student }: { readonly student: StudentAccount }) {
  const c = useTexts(commonTexts);
  const { search, change } = usePageSearch('/students/$studentId');
  const leave = useNavigate();
  const { enable, enabling } = useEnableStudent(useStudentNames());
  const dialog = useRowDialog<ActionKind>();
  const shownName = useShownName();
  const graduated = useGraduates([student])(student);
  return (
    <>
      <PageHeader
        title={shownName(student)}
        description={classLabelOf(student)}
        actions={
          <>
            <StateBadge student={student} graduated={graduated} />
            {!student.erased && !graduated && (
              <Button
                variant="default"
                leftSection={<IconPencil aria-hidden size={16} />}
                onClick={() => dialog.open('edit')}
              >
                {c('edit')}
              </Button>
            )}
            <StudentMenu
              student={student}
              graduated={graduated}
              busy={enabling !== null}
              onAction={dialog.open}
              onEnable={() => enable(student.id)}
              atTitle
            />
          </>
        }
      />
      <div className={classes.layout}>
        <Totals student={student} />
        <div className={classes.middle}>
          <StudentTrend
            userId={student.id}
            days={search.days ?? 30}
            onDays={(days) => change({ ...search, days })}
          />
          <AccountPanel student={student} />
          <StudentAbsences userId={student.id} />
        </div>
        <StudentRecords
          userId={student.id}
          erased={student.erased}
          readOnly={graduated}
          page={search.page ?? 1}
          onPage={(page) => change({ page })}
        />
      </div>
      {dialog.action && (
        <StudentDialogs
          kind={dialog.action}
          student={student}
          opened={dialog.opened}
          onClose={dialog.close}
          onDeleted={() => void leave({ to: '/students', replace: true })}
        />
      )}
    </>
  );
}

interface StateBadgeProps {
  readonly student: StudentAccount;
  readonly graduated: boolean;
}

function StateBadge({ student, graduated }: StateBadgeProps) {
  const t = useTexts(texts);
  const s = useTexts(studentsTexts);
  return student.disabled ? (
    <Badge color="gray" variant="light">
      {student.erased ? t('erased') : graduated ? s('stateGraduated') : t('disabled')}
    </Badge>
  ) : null;
}

function Totals({ student }: { readonly student: StudentAccount }) {
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <dl className={classes.totals}>
      <div>
        <dt>{t('total')}</dt>
        <dd>
          <TotalText value={student.totalScore} />
        </dd>
      </div>
      <div>
        <dt>{t('plus')}</dt>
        <dd>
          <ScoreText value={student.addScore} />
        </dd>
      </div>
      <div>
        <dt>{t('minus')}</dt>
        <dd>
          <ScoreText value={student.deductScore} />
        </dd>
      </div>
      <div>
        <dt>{t('records')}</dt>
        <dd>{format.number(student.scoreCount)}</dd>
      </div>
    </dl>
  );
}

function AccountPanel({ student }: { readonly student: StudentAccount }) {
  const t = useTexts(texts);
  const s = useTexts(studentsTexts);
  const email = student.email ?? t(student.emailBound ? 'emailHidden' : 'emailNone');
  // A long e-mail address breaks before the `@`.
  const [mailbox, ...domain] = email.split(/(?=@)/);
  return (
    <Paper className={classes.panel ?? ''}>
      <Title order={2} size="h3">
        {t('account')}
      </Title>
      <dl className={classes.facts}>
        <div>
          <dt>{t('username')}</dt>
          <dd>{student.username}</dd>
        </div>
        {student.externalId !== null && (
          <div>
            <dt>{s('externalId')}</dt>
            <dd>{student.externalId}</dd>
          </div>
        )}
        {student.cardNumber !== null && (
          <div>
            <dt>{s('cardNumber')}</dt>
            <dd>{student.cardNumber}</dd>
          </div>
        )}
        <div>
          <dt>{s('password')}</dt>
          <dd>{s(`password_${student.passwordState}`)}</dd>
        </div>
        <div>
          <dt>{t('email')}</dt>
          <dd>
            {mailbox}
            <wbr />
            {domain}
          </dd>
        </div>
        <div>
          <dt>{t('addedOn')}</dt>
          <dd>
            <DateText value={student.createdAt} as="day" />
          </dd>
        </div>
      </dl>
    </Paper>
  );
}

const shownMax = 5;

function StudentAbsences({ userId }: { readonly userId: number }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const enabled = useIsToolEnabled('attendance');
  const list = useOperationList(
    'listAbsences',
    { query: { schoolDb, userId, limit: shownMax } },
    { enabled },
  );
  if (!enabled || !list.data || list.data.total === 0) return null;
  return (
    <Paper className={classes.panel ?? ''}>
      <Title order={2} size="h3">
        {t('absences', { count: list.data.total })}
      </Title>
      <dl className={classes.facts}>
        {list.data.rows.map(({ id, day, state }) => (
          <div key={id}>
            <dt>
              <time dateTime={day}>{format.calendarDay(day)}</time>
            </dt>
            <dd>{t(`state_${state}`)}</dd>
          </div>
        ))}
      </dl>
    </Paper>
  );
}
