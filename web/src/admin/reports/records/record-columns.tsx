import type { ScoreLog } from '@classledger/contract';
import { Group, Text } from '@mantine/core';
import { DateText, RecordTime } from '../../../components/DateText.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { StudentName } from '../../../components/StudentName.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { CategoryOf, useCategoryColumns } from '../../categories.tsx';
import { useDistinctClassName } from '../../distinct-class-name.ts';
import { useOnlyClassId } from '../../me.ts';
import { RecordReason, useAuthorText } from '../../notes/RecordParts.tsx';
import { StudentLink } from '../../PageLink.tsx';
import { classLabelOf } from '../../students/student-cells.ts';
import { texts } from './texts.ts';

export function useRecordColumns(revoked: boolean): readonly Column<ScoreLog>[] {
  const t = useTexts(texts);
  const onlyClassId = useOnlyClassId();
  const distinctName = useDistinctClassName();
  const authorText = useAuthorText();
  const categoryColumns = useCategoryColumns<ScoreLog>('hidden');
  const classColumn: Column<ScoreLog> = { header: t('class'), phone: 'hidden', cell: classLabelOf };
  const revokedColumns: readonly Column<ScoreLog>[] = [
    { header: t('columnRevokedBy'), cell: ({ revokedBy }) => authorText(revokedBy) },
    {
      header: t('columnRevokedAt'),
      align: 'end',
      cell: ({ revokedAt }) => revokedAt !== null && <DateText value={revokedAt} />,
    },
  ];
  return [
    {
      header: t('student'),
      phone: 'title',
      cell: (record) => (
        <Group component="span" display="inline-flex" align="baseline" gap="2px 10px">
          <StudentLink id={record.userId} fw={600}>
            <StudentName of={record} />
          </StudentLink>
          <span className="mantine-hidden-from-sm">
            <ScoreText value={record.scoreChange} pill />
          </span>
          {/* On a phone, a record has three lines without labels, so that many fit on the screen. */}
          <Text span inherit hiddenFrom="sm" flex="0 0 100%" fw={400}>
            <RecordReason record={record} />
          </Text>
          <Group component="span" hiddenFrom="sm" flex="0 0 100%" gap="0 10px" fz="sm" fw={400} c="dimmed">
            {onlyClassId === null && <span>{distinctName(record)}</span>}
            <CategoryOf categoryId={record.categoryId} />
            <span>{authorText(record.author)}</span>
            <RecordTime record={record} />
          </Group>
        </Group>
      ),
    },
    {
      header: t('columnPoints'),
      phone: 'hidden',
      width: 88,
      cell: ({ scoreChange }) => <ScoreText value={scoreChange} pill />,
    },
    { header: t('reason'), phone: 'hidden', cell: (record) => <RecordReason record={record} /> },
    ...categoryColumns,
    ...(onlyClassId === null ? [classColumn] : []),
    { header: t('author'), phone: 'hidden', cell: ({ author }) => authorText(author) },
    {
      header: t('columnWhen'),
      phone: 'hidden',
      align: 'end',
      cell: (record) => <RecordTime record={record} />,
    },
    ...(revoked ? revokedColumns : []),
  ];
}
