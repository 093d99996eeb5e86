import type { RankedStudent } from '@classledger/contract';
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { StudentName } from '../../../components/StudentName.tsx';
import {
  type NamedStudent,
  StudentNamesContext,
  useDistinctStudentNames,
} from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useDistinctClassName } from '../../distinct-class-name.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import classes from './Dashboard.module.css';
import { Panel, refreshOptions, rowHeightsPx } from './Panel.tsx';
import { texts } from './texts.ts';

export function TopStudents() {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const ranked = useOperationList('rankStudents', { query: { schoolDb, days: 7, limit: 5 } }, refreshOptions);
  return (
    <Panel title={t('leaders')} more={{ to: '/statistics' }} query={ranked} rowHeight={useRankedRowHeight()}>
      {({ rows }) => (
        <RankedRows
          rows={rows.filter(({ totalScore }) => totalScore > 0)}
          empty={t('leadersEmpty')}
          value={({ totalScore }) => format.number(totalScore)}
        />
      )}
    </Panel>
  );
}

export function MostImproved() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const by = 'improvement';
  const ranked = useOperationList(
    'rankStudents',
    { query: { schoolDb, days: 7, by, limit: 5 } },
    refreshOptions,
  );
  const gain = (row: RankedStudent) => row.recentScore - row.previousScore;
  return (
    <Panel
      title={t('improved')}
      hint={t('improvedHint')}
      more={{ to: '/statistics', search: { by, days: 7 } }}
      query={ranked}
      rowHeight={useRankedRowHeight()}
    >
      {({ rows }) => (
        <RankedRows
          rows={rows.filter((row) => gain(row) > 0)}
          empty={t('improvedEmpty')}
          value={(row) => <ScoreText value={gain(row)} />}
        />
      )}
    </Panel>
  );
}

/** Returns a lower row for an administrator of one class, who does not see the class below each student. */
function useRankedRowHeight(): number {
  return useMe().classId === null ? rowHeightsPx.two : rowHeightsPx.one;
}

interface RankedRowsProps {
  readonly rows: readonly RankedStudent[];
  readonly empty: string;
  readonly value: (row: RankedStudent) => ReactNode;
}

function RankedRows({ rows, empty, value }: RankedRowsProps) {
  const me = useMe();
  const distinctName = useDistinctClassName();
  const names = useDistinctStudentNames(rows);
  if (rows.length === 0) return <EmptyPanel text={empty} />;
  return (
    <StudentNamesContext value={names}>
      <ol className={classes.list}>
        {rows.map((row) => (
          <li key={row.id} className={classes.row}>
            <span className={classes.rank} data-top={row.rank <= 3 || undefined}>
              {row.rank}
            </span>
            <div className={classes.grow}>
              <StudentLink id={row.id} of={row} />
              {me.classId === null && <div className={classes.quiet}>{distinctName(row)}</div>}
            </div>
            <span className={classes.value}>{value(row)}</span>
          </li>
        ))}
      </ol>
    </StudentNamesContext>
  );
}

export function LatestRecords() {
  const t = useTexts(texts);
  const me = useMe();
  const distinctName = useDistinctClassName();
  const { schoolDb } = useSchool();
  const logs = useOperationList('listScoreLogs', { query: { schoolDb, limit: 8 } }, refreshOptions);
  const names = useDistinctStudentNames(logs.data?.rows ?? []);
  return (
    <Panel title={t('latest')} more={{ to: '/records' }} query={logs} rows={8} rowHeight={rowHeightsPx.two}>
      {({ rows }) =>
        rows.length === 0 ? (
          <EmptyPanel text={t('latestEmpty')} />
        ) : (
          <StudentNamesContext value={names}>
            <ul className={classes.list}>
              {rows.map((log) => (
                <li key={log.id} className={classes.row}>
                  <ScoreText value={log.scoreChange} pill />
                  <div className={classes.grow}>
                    <StudentLink id={log.userId} of={log} />
                    <div className={classes.quiet}>
                      {[log.description || t('noReason'), me.classId === null ? distinctName(log) : '']
                        .filter(Boolean)
                        .join(' · ')}
                    </div>
                  </div>
                  <span className={classes.quiet}>
                    <DateText value={log.createdAt} as="ago" />
                  </span>
                </li>
              ))}
            </ul>
          </StudentNamesContext>
        )
      }
    </Panel>
  );
}

function StudentLink({ id, of }: { readonly id: number; readonly of: NamedStudent }) {
  return (
    <Anchor
      c="inherit"
      fw={500}
      renderRoot={(props) => <Link to="/students/$studentId" params={{ studentId: String(id) }} {...props} />}
    >
      <StudentName of={of} />
    </Anchor>
  );
}

function EmptyPanel({ text }: { readonly text: string }) {
  return (
    <Text c="dimmed" size="sm" py="sm">
      {text}
    </Text>
  );
}
