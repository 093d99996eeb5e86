import type { ListedStudent } from '@classledger/contract';
import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { DateText } from '../../../components/DateText.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { ScoreText, TotalText } from '../../../components/ScoreText.tsx';
import { useShownName } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { classLabelOf } from '../actions/student-action.ts';
import { texts } from '../texts.ts';
import classes from './StudentsPage.module.css';

export function useStudentColumns(
  isGraduate: (student: ListedStudent) => boolean,
): readonly Column<ListedStudent>[] {
  const t = useTexts(texts);
  const format = useFormat();
  const me = useMe();
  const shownName = useShownName();
  return useMemo(() => {
    const classColumn: Column<ListedStudent> = {
      key: 'className',
      header: t('class'),
      phone: 'hidden',
      cell: (student) => (
        <Text span inherit truncate="end" display="block" maw={180}>
          {classLabelOf(student)}
        </Text>
      ),
    };
    return [
      {
        key: 'actualName',
        header: t('columnName'),
        sortable: true,
        phone: 'title',
        cell: (student) => (
          <span className={classes.name}>
            <Anchor
              renderRoot={(props) => (
                <Link to="/students/$studentId" params={{ studentId: String(student.id) }} {...props} />
              )}
              c="inherit"
              fz="inherit"
              fw={600}
            >
              {shownName(student)}
            </Anchor>
            {/* On a phone's card, these have no labels, so that many cards fit on the screen. */}
            <span className={classes.onCard}>{student.username}</span>
            {me.classId === null && <span className={classes.onCard}>{classLabelOf(student)}</span>}
            {student.disabled && (
              <Badge color="gray" variant="light" size="sm">
                {t(student.erased ? 'stateErased' : isGraduate(student) ? 'stateGraduated' : 'stateDisabled')}
              </Badge>
            )}
            {!student.disabled && student.passwordState !== 'own' && (
              <Badge
                color={student.passwordState === 'shared' ? 'minus' : 'gray'}
                variant="light"
                size="sm"
                tt="none"
              >
                {t(`password_${student.passwordState}`)}
              </Badge>
            )}
          </span>
        ),
      },
      {
        key: 'username',
        header: t('username'),
        sortable: true,
        phone: 'hidden',
        cell: (student) => (
          <>
            {student.username}
            <Numbers student={student} />
          </>
        ),
      },
      ...(me.classId === null ? [classColumn] : []),
      {
        key: 'totalScore',
        header: t('columnTotal'),
        align: 'end',
        sortable: true,
        phone: 'aside',
        cell: (student) => <TotalText value={student.totalScore} />,
      },
      {
        key: 'addScore',
        header: t('columnPlus'),
        align: 'end',
        phone: 'hidden',
        cell: (student) => <ScoreText value={student.addScore} />,
      },
      {
        key: 'deductScore',
        header: t('columnMinus'),
        align: 'end',
        phone: 'hidden',
        cell: (student) => <ScoreText value={student.deductScore} />,
      },
      {
        key: 'scoreCount',
        header: t('columnRecords'),
        align: 'end',
        sortable: true,
        phone: 'hidden',
        cell: (student) => format.number(student.scoreCount),
      },
      {
        key: 'createdAt',
        header: t('columnCreated'),
        align: 'end',
        sortable: true,
        phone: 'hidden',
        cell: (student) => <DateText value={student.createdAt} as="day" />,
      },
    ];
  }, [t, format, me.classId, shownName, isGraduate]);
}

/** Shows external id and card number below the username, because columns for them would make names too narrow. */
function Numbers({ student: { externalId, cardNumber } }: { readonly student: ListedStudent }) {
  const t = useTexts(texts);
  const numbers = [
    { label: t('externalId'), value: externalId },
    { label: t('cardNumber'), value: cardNumber },
  ].filter(({ value }) => value !== null);
  if (numbers.length === 0) return null;
  return (
    <Group gap="0 8px" wrap="nowrap" fz="xs" c="dimmed">
      {numbers.map(({ label, value }) => (
        <span title={label} key={label}>
          {value}
        </span>
      ))}
    </Group>
  );
}
