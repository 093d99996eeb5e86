import type { StudentAccount } from '@classledger/contract';
import { ActionIcon, Badge, Button, Menu, Paper, Title } from '@mantine/core';
import { IconDots, IconPencil, IconUserQuestion } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useOperation } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { StudentDialogs } from '../students/actions/StudentDialogs.tsx';
import { type ActionKind, classLabelOf } from '../students/actions/student-action.ts';
import { useEnable } from '../students/actions/use-enable.ts';
import { BackToStudents } from '../students/BackToStudents.tsx';
import { StudentMenuItems } from '../students/RowMenu.tsx';
import { studentRoute } from './route.ts';
import classes from './StudentPage.module.css';
import { StudentRecords } from './StudentRecords.tsx';
import { StudentTrend } from './StudentTrend.tsx';
import { readStudentSearch } from './student-search.ts';
import { texts } from './texts.ts';

/** Everything about one student. */
export function StudentPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const id = Number(studentRoute.useParams().studentId);
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
  const search = studentRoute.useSearch();
  const navigate = studentRoute.useNavigate();
  const leave = useNavigate();
  const enable = useEnable();
  const [action, setAction] = useState<ActionKind | null>(null);
  const change = (changed: { page?: number; days?: number }) =>
    void navigate({
      search: (before) => readStudentSearch({ ...before, ...changed }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <PageHeader
        title={student.actualName}
        description={classLabelOf(student)}
        actions={
          <>
            <StateBadge student={student} />
            <Button
              variant="default"
              leftSection={<IconPencil aria-hidden size={16} />}
              onClick={() => setAction('edit')}
            >
              {c('edit')}
            </Button>
            <ActionsMenu student={student} onAction={setAction} onEnable={() => enable(student)} />
          </>
        }
      />
      <div className={classes.layout}>
        <Totals student={student} />
        <div className={classes.middle}>
          <StudentTrend userId={student.id} days={search.days ?? 30} onDays={(days) => change({ days })} />
          <AccountPanel student={student} />
        </div>
        <StudentRecords userId={student.id} page={search.page ?? 1} onPage={(page) => change({ page })} />
      </div>
      <StudentDialogs
        action={action && { kind: action, student }}
        onClose={() => setAction(null)}
        onDeleted={() => void leave({ to: '/students', replace: true })}
      />
    </>
  );
}

function StateBadge({ student }: { readonly student: StudentAccount }) {
  const t = useTexts(texts);
  return student.disabled ? (
    <Badge color="gray" variant="light">
      {t('disabled')}
    </Badge>
  ) : null;
}

interface ActionsMenuProps {
  readonly student: StudentAccount;
  readonly onAction: (kind: ActionKind) => void;
  readonly onEnable: () => void;
}

function ActionsMenu(props: ActionsMenuProps) {
  const t = useTexts(texts);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon
          ref={button}
          variant="default"
          size={36}
          aria-label={t('actionsFor', { name: props.student.actualName })}
        >
          <IconDots aria-hidden size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <StudentMenuItems {...props} button={button} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Totals({ student }: { readonly student: StudentAccount }) {
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <dl className={classes.totals}>
      <div>
        <dt>{t('total')}</dt>
        <dd>
          <ScoreText value={student.totalScore} />
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
  const email = student.email ?? t(student.emailBound ? 'emailHidden' : 'emailNone');
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
        <div>
          <dt>{t('email')}</dt>
          <dd>{email}</dd>
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
