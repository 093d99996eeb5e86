import { limits } from 'virtual:contract';
import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { call, callList } from '../../../api/call.ts';
import { useFailureText } from '../../../components/failure-text.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { saveTable, type Table, type TableFormat } from '../../../spreadsheets/write-table.ts';
import { useSchool } from '../../school.tsx';
import { readAllRanked } from './read-all-ranked.ts';
import type { RankedBy, StatisticsPeriod } from './statistics-search.ts';
import { texts } from './texts.ts';

interface StatisticsExportProps {
  readonly days: StatisticsPeriod;
  readonly gradeId?: number | undefined;
  readonly classId?: number | undefined;
  readonly by: RankedBy;
}

const formats = [
  ['xlsx', 'asXlsx'],
  ['csv', 'asCsv'],
] as const;

/** Saves what the page shows, whole: the days, the classes or the ranking. */
export function StatisticsExport(scope: StatisticsExportProps) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const failureText = useFailureText();
  const school = useSchool();
  const tables = useTables(scope);
  const [busy, setBusy] = useState(false);
  const save = async (name: keyof typeof tables, format: TableFormat) => {
    setBusy(true);
    try {
      const table = await tables[name]();
      await saveTable(`${school.name} ${t(name)}`, table, format);
      notifications.show({ message: t('exported', { count: table.rows.length }) });
    } catch (error) {
      notifications.show({ color: 'red', title: t('exportFailed'), message: failureText(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden size={16} />}
          loading={busy}
          aria-haspopup="menu"
        >
          {c('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['exportDays', 'exportClasses', 'exportStudents'] as const).map((name) => (
          <Fragment key={name}>
            <Menu.Label>{t(name)}</Menu.Label>
            {formats.map(([format, label]) => (
              <Menu.Item
                key={format}
                aria-label={`${t(name)}: ${t(label)}`}
                onClick={() => void save(name, format)}
              >
                {t(label)}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function useTables({ days, gradeId, classId, by }: StatisticsExportProps) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const { schoolDb } = useSchool();
  return {
    exportDays: async (): Promise<Table> => {
      const rows = await call('listDayTotals', { query: { schoolDb, days, gradeId, classId } });
      return {
        header: [c('date'), t('recordsCount'), t('columnPlus'), t('columnMinus'), t('pointsChange')],
        rows: rows.map((day) => [day.date, day.count, day.addScore, day.deductScore, day.totalScore]),
      };
    },
    exportClasses: async (): Promise<Table> => {
      const rows = await call('compareClasses', { query: { schoolDb, days, gradeId } });
      return {
        header: [
          c('grade'),
          c('class'),
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
    exportStudents: async (): Promise<Table> => {
      const limit = limits.internalPageSizeMax;
      const rows = await readAllRanked(
        (page) => callList('rankStudents', { query: { schoolDb, days, gradeId, classId, by, page, limit } }),
        limit,
      );
      return {
        header: [
          t('rank'),
          c('username'),
          c('name'),
          c('class'),
          t('columnTotal'),
          t('columnPeriod'),
          t('columnBefore'),
          t('columnChange'),
        ],
        rows: rows.map((row) => [
          row.rank,
          row.username,
          row.actualName,
          row.className,
          row.totalScore,
          row.recentScore,
          row.previousScore,
          row.recentScore - row.previousScore,
        ]),
      };
    },
  };
}
