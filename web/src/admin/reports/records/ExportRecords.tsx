import { readWholeList } from '../../../api/read-all.ts';
import { SaveTableMenu } from '../../../components/list/SaveTableMenu.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchoolTime } from '../../../school-time/school-time.ts';
import { dayAndTime } from '../../../spreadsheets/day-and-time.ts';
import { useSchool } from '../../school.tsx';
import { useAuthorText } from './record-columns.tsx';
import { type RecordsSearch, recordsQuery } from './records-search.ts';
import { texts } from './texts.ts';

export function ExportRecords({ search, total }: { readonly search: RecordsSearch; readonly total: number }) {
  const t = useTexts(texts);
  const school = useSchool();
  const authorText = useAuthorText();
  const { timeZone, today } = useSchoolTime();
  const when = (iso: string) => dayAndTime(iso, timeZone);
  const revoked = search.state === 'revoked';
  const header = [
    t('fileWhen'),
    t('fileOccurred'),
    t('student'),
    t('username'),
    t('grade'),
    t('class'),
    t('columnPoints'),
    t('reason'),
    t('columnBy'),
    ...(revoked ? [t('columnRevokedBy'), t('columnRevokedAt')] : []),
    t('note'),
  ];
  return (
    <SaveTableMenu
      name={`${school.name} ${t('fileName')}`}
      rowCount={total}
      build={async (options) => {
        const records = await readWholeList(
          'listScoreLogs',
          recordsQuery(school.schoolDb, search, today()),
          options,
        );
        const rows = records.rows.map((record) => [
          when(record.createdAt),
          when(record.occurredAt),
          record.actualName,
          record.username,
          record.gradeName,
          record.className,
          record.scoreChange,
          record.description,
          authorText(record.author),
          ...(revoked
            ? [authorText(record.revokedBy), record.revokedAt === null ? null : when(record.revokedAt)]
            : []),
          record.note ?? '',
        ]);
        return { header, rows, missing: records.missing };
      }}
    />
  );
}
