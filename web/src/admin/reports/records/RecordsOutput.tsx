import type { ScoreLog } from '@classledger/contract';
import { callList } from '../../../api/call.ts';
import { type ReadingOptions, readAll } from '../../../api/read-all.ts';
import type { PrintedColumn } from '../../../components/print/PrintedTable.tsx';
import { useNamesAmong } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchoolTime } from '../../../school-time/school-time.ts';
import { dayAndTime, type SavedColumn } from '../../../spreadsheets/csv.ts';
import { useCategoryNames } from '../../categories.tsx';
import { useOnlyClassId } from '../../me.ts';
import { useAuthorText } from '../../notes/RecordParts.tsx';
import { ListOutput } from '../../page/ListOutput.tsx';
import { useSchool } from '../../school.tsx';
import { classLabelOf } from '../../students/student-cells.ts';
import { useRangeText } from '../../use-range-text.ts';
import { type RecordsSearch, recordsQuery } from './records-search.ts';
import { texts } from './texts.ts';

export const readRecords = (
  query: ReturnType<typeof recordsQuery>,
  options: ReadingOptions,
): Promise<ScoreLog[]> => {
  const { signal } = options;
  return readAll((paging) => callList('listScoreLogs', { query: { ...query, ...paging }, signal }), options);
};

interface RecordsOutputProps {
  readonly search: RecordsSearch;
  readonly total: number;
}

export function RecordsOutput({ search, total }: RecordsOutputProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { today } = useSchoolTime();
  const isRevoked = search.state === 'revoked';
  return (
    <ListOutput<ScoreLog>
      title={t('title')}
      fileName={t('fileName')}
      total={total}
      read={(options) => readRecords(recordsQuery(schoolDb, search, today()), options)}
      filters={useFilterTexts(search)}
      count={(count) => t('matching', { count })}
      landscape
      printedColumns={usePrintedColumns(isRevoked)}
      savedColumns={useSavedColumns(isRevoked)}
    />
  );
}

/** Returns the list's filters in words, except the author, whom each row names. */
function useFilterTexts(search: RecordsSearch): readonly string[] {
  const t = useTexts(texts);
  const format = useFormat();
  const range = useRangeText(search);
  const { period, from, to, kind, category, state, term, q } = search;
  const names = useCategoryNames();
  const dayOf = (day: string | undefined) => (day === undefined ? '' : format.day(`${day}T12:00:00`));
  const words = [
    ...range,
    term !== undefined && t('closedTerms'),
    period && t(`period_${period}`),
    (from ?? to) !== undefined && `${dayOf(from)} – ${dayOf(to)}`,
    kind && t(kind),
    category !== undefined && names?.[1]({ categoryId: category }),
    state && t('stateRevoked'),
    q,
  ];
  return words.filter((word) => typeof word === 'string');
}

function usePrintedColumns(
  isRevoked: boolean,
): (rows: readonly ScoreLog[]) => readonly PrintedColumn<ScoreLog>[] {
  const t = useTexts(texts);
  const format = useFormat();
  const onlyClassId = useOnlyClassId();
  const namesAmong = useNamesAmong();
  const authorText = useAuthorText();
  const when = ({ createdAt, occurredAt }: ScoreLog) =>
    createdAt === occurredAt
      ? format.dateTime(createdAt)
      : `${format.dateTime(createdAt)} (${t('occurred', { when: format.dateTime(occurredAt) })})`;
  const category = useCategoryNames();
  const noteColumn: PrintedColumn<ScoreLog> = {
    header: t('note'),
    wide: true,
    cell: ({ note }) => note ?? '',
  };
  const revokedColumns: readonly PrintedColumn<ScoreLog>[] = [
    { header: t('columnRevokedBy'), cell: ({ revokedBy }) => authorText(revokedBy) },
    {
      header: t('columnRevokedAt'),
      cell: ({ revokedAt }) => (revokedAt === null ? '' : format.dateTime(revokedAt)),
    },
  ];
  return (rows) => [
    { header: t('columnWhen'), cell: when },
    { header: t('student'), cell: namesAmong(rows) },
    ...(onlyClassId === null ? [{ header: t('class'), cell: classLabelOf }] : []),
    { header: t('columnPoints'), align: 'end', cell: ({ scoreChange }) => format.signed(scoreChange) },
    { header: t('reason'), wide: true, cell: ({ description }) => description },
    ...(category ? [{ header: category[0], cell: category[1] }] : []),
    // Prints the column for notes only if there are notes, because the reasons need the width.
    ...(rows.some(({ note }) => note !== null) ? [noteColumn] : []),
    { header: t('author'), cell: ({ author }) => authorText(author) },
    ...(isRevoked ? revokedColumns : []),
  ];
}

function useSavedColumns(isRevoked: boolean): readonly SavedColumn<ScoreLog>[] {
  const t = useTexts(texts);
  const authorText = useAuthorText();
  const { timeZone } = useSchoolTime();
  const category = useCategoryNames();
  const when = (iso: string | null) => (iso === null ? null : dayAndTime(iso, timeZone));
  const revokedColumns: readonly SavedColumn<ScoreLog>[] = [
    [t('columnRevokedBy'), ({ revokedBy }) => authorText(revokedBy)],
    [t('columnRevokedAt'), ({ revokedAt }) => when(revokedAt)],
  ];
  return [
    [t('fileWhen'), ({ createdAt }) => when(createdAt)],
    [t('fileOccurred'), ({ occurredAt }) => when(occurredAt)],
    [t('student'), ({ actualName }) => actualName],
    [t('username'), ({ username }) => username],
    [t('grade'), ({ gradeName }) => gradeName],
    [t('class'), ({ className }) => className],
    [t('columnPoints'), ({ scoreChange }) => scoreChange],
    [t('reason'), ({ description }) => description],
    ...(category ? [category] : []),
    [t('author'), ({ author }) => authorText(author)],
    ...(isRevoked ? revokedColumns : []),
    [t('note'), ({ note }) => note ?? ''],
  ];
}
