import type { RankedStudent } from '@classledger/contract';
import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { StudentName } from '../../../components/StudentName.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useDistinctClassName } from '../../distinct-class-name.ts';
import { useOnlyClassId } from '../../me.ts';
import { PageLink, StudentLink } from '../../PageLink.tsx';
import { useSchool } from '../../school.tsx';
import { orderClasses } from '../figures/figures.ts';
import { Panel, PanelList, type PanelProps, PanelRow, refreshOptions, rowHeightsPx } from './Panel.tsx';
import { texts } from './texts.ts';

const shownMax = 8;

/** In pixels. */
const barHeight = 47;

/** Draws plain bars, so that the first load needs no code for charts. */
export function ClassBars() {
  const t = useTexts(texts);
  const format = useFormat();
  const language = useLanguage();
  const distinctName = useDistinctClassName();
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
        const shareOf = (points: number) => Math.max(0, (points / best) * 100);
        const hidden = rows.length - shownMax;
        return (
          <>
            <PanelList>
              {orderClasses(rows, { key: 'average', descending: true }, language)
                .slice(0, shownMax)
                .map((row) => (
                  <PanelRow
                    key={row.classId}
                    end={
                      <Box miw="4.5em" ta="end">
                        <ScoreText value={row.recent.totalScore} />
                      </Box>
                    }
                  >
                    <Group justify="space-between" align="baseline" gap="sm" wrap="nowrap">
                      <PageLink
                        to="/statistics"
                        search={{ class: row.classId, days: 7 }}
                        c="inherit"
                        fw={500}
                      >
                        {distinctName(row)}
                      </PageLink>
                      <Text span fw={600}>
                        {format.average(row.avgScore)}
                      </Text>
                    </Group>
                    <Box
                      mt={4}
                      bdrs={99}
                      bg="var(--app-line)"
                      style={{ printColorAdjust: 'exact' }}
                      aria-hidden
                    >
                      <Box h={6} w={`${shareOf(row.avgScore)}%`} bdrs={99} bg="var(--app-accent)" />
                    </Box>
                  </PanelRow>
                ))}
            </PanelList>
            {hidden > 0 && <Hint mt={4}>{t('moreClasses', { count: hidden })}</Hint>}
          </>
        );
      }}
    </Panel>
  );
}

export function TopStudents() {
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <RankedPanel
      title={t('leaders')}
      more={{ to: '/statistics' }}
      empty={t('leadersEmpty')}
      pointsOf={({ totalScore }) => totalScore}
      shown={format.number}
    />
  );
}

export function MostImproved() {
  const t = useTexts(texts);
  return (
    <RankedPanel
      by="improvement"
      title={t('improved')}
      hint={t('improvedHint')}
      more={{ to: '/statistics', search: { by: 'improvement', days: 7 } }}
      empty={t('improvedEmpty')}
      pointsOf={({ recentScore, previousScore }) => recentScore - previousScore}
      shown={(points) => <ScoreText value={points} />}
    />
  );
}

interface RankedPanelProps extends Pick<PanelProps<unknown>, 'title' | 'hint' | 'more'> {
  readonly by?: 'improvement';
  readonly empty: string;
  /** Only students for whom it returns more than 0 are shown. */
  readonly pointsOf: (row: RankedStudent) => number;
  readonly shown: (points: number) => ReactNode;
}

function RankedPanel({ by, empty, pointsOf, shown, ...panel }: RankedPanelProps) {
  const onlyClassId = useOnlyClassId();
  const distinctName = useDistinctClassName();
  const { schoolDb } = useSchool();
  const query = { schoolDb, days: 7, by, limit: 5 };
  const ranked = useOperationList('rankStudents', { query }, refreshOptions);
  const rows = (ranked.data?.rows ?? []).filter((row) => pointsOf(row) > 0);
  const names = useDistinctStudentNames(rows);
  // Somebody with one class does not see the class below each student, so the rows are lower.
  const rowHeight = onlyClassId === null ? rowHeightsPx.two : rowHeightsPx.one;
  return (
    <StudentNamesContext value={names}>
      <Panel {...panel} query={ranked} rowHeight={rowHeight}>
        {() => (
          <PanelList ordered empty={empty}>
            {rows.map((row) => (
              <PanelRow
                key={row.id}
                start={
                  <Text span w={22} ta="center" fw={600} c={row.rank <= 3 ? 'var(--app-accent)' : 'dimmed'}>
                    {row.rank}
                  </Text>
                }
                under={onlyClassId === null ? distinctName(row) : undefined}
                end={
                  <Text span fw={600}>
                    {shown(pointsOf(row))}
                  </Text>
                }
              >
                <StudentLink id={row.id} fw={500}>
                  <StudentName of={row} />
                </StudentLink>
              </PanelRow>
            ))}
          </PanelList>
        )}
      </Panel>
    </StudentNamesContext>
  );
}

export function LatestRecords() {
  const t = useTexts(texts);
  const onlyClassId = useOnlyClassId();
  const distinctName = useDistinctClassName();
  const { schoolDb } = useSchool();
  const logs = useOperationList('listScoreLogs', { query: { schoolDb, limit: 8 } }, refreshOptions);
  const names = useDistinctStudentNames(logs.data?.rows);
  return (
    <StudentNamesContext value={names}>
      <Panel title={t('latest')} more={{ to: '/records' }} query={logs} rows={8} rowHeight={rowHeightsPx.two}>
        {({ rows }) => (
          <PanelList empty={t('latestEmpty')}>
            {rows.map((log) => (
              <PanelRow
                key={log.id}
                start={<ScoreText value={log.scoreChange} pill />}
                under={[log.description || t('noReason'), onlyClassId === null ? distinctName(log) : '']
                  .filter(Boolean)
                  .join(' · ')}
                end={
                  <Hint span>
                    <DateText value={log.createdAt} as="ago" />
                  </Hint>
                }
              >
                <StudentLink id={log.userId} fw={500}>
                  <StudentName of={log} />
                </StudentLink>
              </PanelRow>
            ))}
          </PanelList>
        )}
      </Panel>
    </StudentNamesContext>
  );
}
