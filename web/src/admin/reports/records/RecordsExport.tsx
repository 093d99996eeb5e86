import type { ScoreLog } from '@classledger/contract';
import { readWholeList } from '../../../api/read-all.ts';
import { SaveTableMenu } from '../../../components/list/SaveTableMenu.tsx';
import { PrintButton } from '../../../components/print/PrintButton.tsx';
import { type PrintedColumn, PrintedTable } from '../../../components/print/PrintedTable.tsx';
import { useNamesAmong } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchoolTime } from '../../../school-time/school-time.ts';
import { type Cell, dayAndTime } from '../../../spreadsheets/csv.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { useRangeText } from '../../use-range-text.ts';
import { useAuthorText } from './record-columns.tsx';
import { type RecordsSearch, recordsQuery } from './records-search.ts';
import { texts } from './texts.ts';

interface AllRecordsProps {
  readonly search: RecordsSearch;
  readonly total: number;
}

export function PrintRecords({ search, total }: AllRecordsProps) {
  const t = useTexts(texts);
  const school = useSchool();
  const { today } = useSchoolTime();
  const filters = useFilterTexts(search);
  const columnsOf = useColumns(search.state === 'revoked');
  return (
    <PrintButton
      rowCount={total}
      build={async (options) => {
        const query = recordsQuery(school.schoolDb, search, today());
        const { rows, missing } = await readWholeList('listScoreLogs', query, options);
        return {
          title: t('title'),
          subject: school.name,
          filters,
          count: t('matching', { count: rows.length }),
          missing,
          landscape: true,
          content: <PrintedTable columns={columnsOf(rows)} rows={rows} />,
        };
      }}
    />
  );
}

/** Returns the list's filters in words, except the author, whom each row names. */
function useFilterTexts(search: RecordsSearch): readonly string[] {
  const t = useTexts(texts);
  const format = useFormat();
  const range = useRangeText(search);
  const { period, from, to, kind, state, term, q } = search;
  const recordPeriods = { today: t('periodToday'), week: t('periodWeek'), month: t('periodMonth') };
  const dayOf = (day: string | undefined) => (day === undefined ? '' : format.day(`${day}T12:00:00`));
  const words = [
    ...range,
    term !== undefined && t('closedTerms'),
    period && recordPeriods[period],
    (from ?? to) !== undefined && `${dayOf(from)} – ${dayOf(to)}`,
    kind && t(kind),
    state && t('stateRevoked'),
    q,
  ];
  return words.filter((word) => typeof word === 'string');
}

function useColumns(revoked: boolean): (rows: readonly ScoreLog[]) => readonly PrintedColumn<ScoreLog>[] {
  const t = useTexts(texts);
  const format = useFormat();
  const me = useMe();
  const namesAmong = useNamesAmong();
  const authorText = useAuthorText();
  return (rows) => {
    const when = ({ createdAt, occurredAt }: ScoreLog) =>
      createdAt === occurredAt
        ? format.dateTime(createdAt)
        : `${format.dateTime(createdAt)} (${t('occurred', { when: format.dateTime(occurredAt) })})`;
    return [
      { header: t('columnWhen'), cell: when },
      { header: t('student'), cell: namesAmong(rows) },
      ...(me.classId === null
        ? [
            {
              header: t('class'),
              cell: ({ gradeName, className }: ScoreLog) => `${gradeName} ${className}`,
            },
          ]
        : []),
      { header: t('columnPoints'), align: 'end', cell: ({ scoreChange }) => format.signed(scoreChange) },
      { header: t('reason'), wide: true, cell: ({ description }) => description },
      // Prints the column for notes only if there are notes, because the reasons need the width.
      ...(rows.some(({ note }) => note !== null)
        ? [{ header: t('note'), wide: true, cell: ({ note }: ScoreLog) => note ?? '' }]
        : []),
      { header: t('author'), cell: ({ author }) => authorText(author) },
      ...(revoked
        ? [
            { header: t('columnRevokedBy'), cell: ({ revokedBy }: ScoreLog) => authorText(revokedBy) },
            {
              header: t('columnRevokedAt'),
              cell: ({ revokedAt }: ScoreLog) => (revokedAt === null ? '' : format.dateTime(revokedAt)),
            },
          ]
        : []),
    ];
  };
}

export function ExportRecords({ search, total }: AllRecordsProps) {
  const t = useTexts(texts);
  const school = useSchool();
  const authorText = useAuthorText();
  const { timeZone, today } = useSchoolTime();
  const when = (iso: string | null) => (iso === null ? null : dayAndTime(iso, timeZone));
  const columns: readonly (readonly [header: string, cell: (record: ScoreLog) => Cell])[] = [
    [t('fileWhen'), ({ createdAt }) => when(createdAt)],
    [t('fileOccurred'), ({ occurredAt }) => when(occurredAt)],
    [t('student'), ({ actualName }) => actualName],
    [t('username'), ({ username }) => username],
    [t('grade'), ({ gradeName }) => gradeName],
    [t('class'), ({ className }) => className],
    [t('columnPoints'), ({ scoreChange }) => scoreChange],
    [t('reason'), ({ description }) => description],
    [t('author'), ({ author }) => authorText(author)],
    ...(search.state === 'revoked'
      ? ([
          [t('columnRevokedBy'), ({ revokedBy }) => authorText(revokedBy)],
          [t('columnRevokedAt'), ({ revokedAt }) => when(revokedAt)],
        ] satisfies typeof columns)
      : []),
    [t('note'), ({ note }) => note ?? ''],
  ];
  return (
    <SaveTableMenu
      name={`${school.name} ${t('fileName')}`}
      rowCount={total}
      build={async (options) => {
        const query = recordsQuery(school.schoolDb, search, today());
        const { rows, missing } = await readWholeList('listScoreLogs', query, options);
        return {
          header: columns.map(([header]) => header),
          rows: rows.map((record) => columns.map(([, cell]) => cell(record))),
          missing,
        };
      }}
    />
  );
}
