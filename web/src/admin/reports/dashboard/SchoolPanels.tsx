import type { RankedStudent } from '@classledger/contract';
import { Anchor, Box, Group, Text } from '@mantine/core';
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
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useDistinctClassName } from '../../distinct-class-name.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { orderClasses } from '../figures/figures.ts';
import { Panel, PanelRow, refreshOptions, rowHeightsPx } from './Panel.tsx';
import { texts } from './texts.ts';

const shownMax = 8;

/** In pixels. */
const barHeight = 47;

/** Draws plain bars, so that the first load needs no code for charts. */
export function ClassBars() {
  const t = useTexts(texts);
  const format = useFormat();
  const language = useLanguage();
  const { schoolDb } = useSchool();
  const compared = useOperationList('compareClasses', { query: { schoolDb, days: 7 } }, refreshOptions);
  if (compared.data && compared.data.rows.length < 2) return null;
  return (
    <Panel
      title={t('classes')}
      hint={t('classesHint')}
      more={{ to: '/statistics', search: { days: 7 } }}
      query={compared}
      rows={shownMax}
      rowHeight={barHeight}
    >
      {({ rows }) => {
        const best = Math.max(1, ...rows.map(({ avgScore }) => avgScore));
        const hidden = rows.length - shownMax;
        // Shows grades only if class names are ambiguous, because many schools' class names contain the grade.
        const withGrade = new Set(rows.map(({ className }) => className)).size < rows.length;
        return (
          <>
            <ul className="plain-list ruled">
              {orderClasses(rows, { key: 'average', descending: true }, language)
                .slice(0, shownMax)
                .map((row) => (
                  <PanelRow key={row.classId}>
                    <Box flex={1} miw={0}>
                      <Group justify="space-between" align="baseline" gap="sm" wrap="nowrap">
                        <Anchor
                          c="inherit"
                          fw={500}
                          renderRoot={(props) => (
                            <Link to="/statistics" search={{ class: row.classId, days: 7 }} {...props} />
                          )}
                        >
                          {withGrade ? `${row.gradeName} ${row.className}` : row.className}
                        </Anchor>
                        <Text span fw={600}>
                          {format.average(row.avgScore)}
                        </Text>
                      </Group>
                      <Bar percent={Math.max(0, (row.avgScore / best) * 100)} />
                    </Box>
                    <Box miw="4.5em" ta="end">
                      <ScoreText value={row.recent.totalScore} />
                    </Box>
                  </PanelRow>
                ))}
            </ul>
            {hidden > 0 && (
              <Text size="sm" c="dimmed" mt={4}>
                {t('moreClasses', { count: hidden })}
              </Text>
            )}
          </>
        );
      }}
    </Panel>
  );
}

function Bar({ percent }: { readonly percent: number }) {
  return (
    <Box mt={4} bdrs={99} bg="var(--app-line)" style={{ printColorAdjust: 'exact' }} aria-hidden>
      <Box h={6} w={`${percent}%`} bdrs={99} bg="var(--app-accent)" />
    </Box>
  );
}

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
      <ol className="plain-list ruled">
        {rows.map((row) => (
          <PanelRow key={row.id}>
            <Text span w={22} ta="center" fw={600} c={row.rank <= 3 ? 'var(--app-accent)' : 'dimmed'}>
              {row.rank}
            </Text>
            <Box flex={1} miw={0}>
              <StudentLink id={row.id} of={row} />
              {me.classId === null && (
                <Text size="sm" c="dimmed">
                  {distinctName(row)}
                </Text>
              )}
            </Box>
            <Text span fw={600}>
              {value(row)}
            </Text>
          </PanelRow>
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
            <ul className="plain-list ruled">
              {rows.map((log) => (
                <PanelRow key={log.id}>
                  <ScoreText value={log.scoreChange} pill />
                  <Box flex={1} miw={0}>
                    <StudentLink id={log.userId} of={log} />
                    <Text size="sm" c="dimmed">
                      {[log.description || t('noReason'), me.classId === null ? distinctName(log) : '']
                        .filter(Boolean)
                        .join(' · ')}
                    </Text>
                  </Box>
                  <Text span size="sm" c="dimmed">
                    <DateText value={log.createdAt} as="ago" />
                  </Text>
                </PanelRow>
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
