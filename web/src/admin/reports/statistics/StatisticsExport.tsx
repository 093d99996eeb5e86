import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Fragment } from 'react';
import { call } from '../../../api/call.ts';
import { readWholeList } from '../../../api/read-all.ts';
import { texts as listTexts } from '../../../components/list/texts.ts';
import { type BuildTable, useSaveTable } from '../../../components/list/use-save-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { Table } from '../../../spreadsheets/write-table.ts';
import { useSchool } from '../../school.tsx';
import type { RankingKind, StatisticsPeriod } from './statistics-search.ts';
import { texts } from './texts.ts';

interface StatisticsExportProps {
  readonly days: StatisticsPeriod;
  readonly gradeId?: number | undefined;
  readonly classId?: number | undefined;
  readonly by: RankingKind;
}

const formats = [
  ['xlsx', 'saveXlsx'],
  ['csv', 'saveCsv'],
] as const;

export function StatisticsExport(scope: StatisticsExportProps) {
  const t = useTexts(texts);
  const l = useTexts(listTexts);
  const school = useSchool();
  const tables = useTables(scope);
  const { busy, save } = useSaveTable();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden size={16} />}
          loading={busy}
          aria-haspopup="menu"
        >
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['exportDays', 'exportClasses', 'exportStudents'] as const).map((name) => (
          <Fragment key={name}>
            <Menu.Label>{t(name)}</Menu.Label>
            {formats.map(([format, label]) => (
              <Menu.Item
                key={format}
                aria-label={`${t(name)}: ${l(label)}`}
                onClick={() => void save(`${school.name} ${t(name)}`, tables[name], format)}
              >
                {l(label)}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function useTables({
  days,
  gradeId,
  classId,
  by,
}: StatisticsExportProps): Record<'exportDays' | 'exportClasses' | 'exportStudents', BuildTable> {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return {
    exportDays: async (): Promise<Table> => {
      const rows = await call('listDayTotals', { query: { schoolDb, days, gradeId, classId } });
      return {
        header: [t('date'), t('recordsCount'), t('columnPlus'), t('columnMinus'), t('pointsChange')],
        rows: rows.map((day) => [day.date, day.count, day.addScore, day.deductScore, day.totalScore]),
      };
    },
    exportClasses: async (): Promise<Table> => {
      const rows = await call('compareClasses', { query: { schoolDb, days, gradeId } });
      return {
        header: [
          t('grade'),
          t('class'),
          t('columnStudents'),
          t('columnTotal'),
          t('columnAverage'),
          t('columnRecords'),
          t('columnPlus'),
          t('columnMinus'),
          t('columnPeriod'),
        ],
        rows: rows
          .filter((row) => classId === undefined || row.classId === classId)
          .map((row) => [
            row.gradeName,
            row.className,
            row.studentCount,
            row.totalScore,
            row.avgScore,
            row.recent.count,
            row.recent.addScore,
            row.recent.deductScore,
            row.recent.totalScore,
          ]),
      };
    },
    exportStudents: async (options) => {
      const [ranked, known] = await Promise.all([
        readWholeList('rankStudents', { schoolDb, days, gradeId, classId, by }, options),
        call('listSchoolClasses', { query: { schoolDb } }),
      ]);
      const gradeNames = new Map(known.map(({ id, gradeName }) => [id, gradeName]));
      return {
        header: [
          t('rank'),
          t('username'),
          t('columnName'),
          t('grade'),
          t('class'),
          t('columnTotal'),
          t('columnPeriod'),
          t('columnBefore'),
          t('columnChange'),
        ],
        rows: ranked.rows.map((row) => [
          row.rank,
          row.username,
          row.actualName,
          gradeNames.get(row.classId) ?? null,
          row.className,
          row.totalScore,
          row.recentScore,
          row.previousScore,
          row.recentScore - row.previousScore,
        ]),
        missing: ranked.missing,
      };
    },
  };
}
