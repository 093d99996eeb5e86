import { Box, SimpleGrid, Text } from '@mantine/core';
import { useViewportSize } from '@mantine/hooks';
import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { teamColour, useTeams } from '../class-teams.ts';
import classes from './Projector.module.css';
import { bestColumnCount, type RankedStudent, rankingLayout, textWidthEm } from './rank-students.ts';
import { texts } from './texts.ts';

export const projectorRefreshMs = 2_500;

interface Gain {
  readonly key: string;
  readonly change: number;
}

type Gains = ReadonlyMap<number, Gain>;

const gainShownMs = 4_000;

/** Returns each student's recent change of points for a few seconds. A new `kind` of points counts as no change. */
export function useGains(students: readonly RankedStudent[], kind: string): Gains {
  const [gains, setGains] = useState<Gains>(new Map());
  const before = useRef<{ kind: string; points: ReadonlyMap<number, number> } | null>(null);
  useEffect(() => {
    const points = new Map(students.map((student) => [student.id, student.points]));
    const last = before.current;
    before.current = { kind, points };
    if (last?.kind !== kind) return;
    const fresh = students.flatMap(({ id, points: now }) => {
      const change = now - (last.points.get(id) ?? now);
      return change === 0 ? [] : [[id, { key: `${id} ${now}`, change }] as const];
    });
    if (fresh.length === 0) return;
    setGains((shown) => new Map([...shown, ...fresh]));
    setTimeout(() => {
      setGains((shown) => new Map([...shown].filter(([, gain]) => !fresh.some(([, old]) => old === gain))));
    }, gainShownMs);
  }, [students, kind]);
  return gains;
}

interface LeaderBoardProps {
  readonly label: string;
  readonly students: readonly RankedStudent[];
  readonly gains: Gains;
  readonly rows: number;
}

export function LeaderBoard({ label: ranking, students, gains, rows }: LeaderBoardProps) {
  const leaders = students.slice(0, rows);
  const best = Math.max(1, leaders[0]?.points ?? 1);
  const { width, height } = useViewportSize();
  const { columns, rows: inColumn } = rankingLayout(leaders.length, width > height);
  return (
    <Box
      component="ol"
      m={0}
      p={0}
      className={classes.board ?? ''}
      aria-label={ranking}
      style={{ '--rows': inColumn, '--columns': columns } as CSSProperties}
    >
      {leaders
        .map((student, place) => ({ ...student, place }))
        // Ordered by id, so that a new rank moves an element instead of recreating it.
        .sort((a, b) => a.id - b.id)
        .map(({ id, label, number, points, rank, colour, place }) => {
          const position = {
            ...(colour !== undefined && teamColour(colour)),
            '--place': place % inColumn,
            '--column': Math.floor(place / inColumn),
            '--share': `${Math.max(0, (points / best) * 100)}%`,
            '--breadth': textWidthEm(`${label} ${number ?? ''}`),
          } as CSSProperties;
          return (
            <li
              key={id}
              className={classes.leader}
              data-team={colour !== undefined || undefined}
              style={position}
            >
              <Text
                span
                inherit
                fw={700}
                miw="1.6em"
                ta="center"
                c={rank <= 3 ? 'var(--app-accent)' : 'dimmed'}
              >
                {rank}
              </Text>
              <Text
                span
                className={classes.label ?? ''}
                flex={1}
                fw={650}
                // Keeps letters like g whole; with padding instead, a third line would show at the bottom.
                lh={1.25}
                lineClamp={2}
                style={{ overflowWrap: 'anywhere' }}
              >
                {label}
                {number !== null && (
                  <Text span inherit fz="0.55em" fw={400} c="dimmed">
                    {` ${number}`}
                  </Text>
                )}
              </Text>
              <GainTag gain={gains.get(id)} />
              <Points value={points} />
            </li>
          );
        })}
    </Box>
  );
}

const oneLineMax = 8;

interface AllStudentsGridProps extends Pick<LeaderBoardProps, 'students' | 'gains'> {
  readonly away: ReadonlySet<number>;
}

export function AllStudentsGrid({ students, gains, away }: AllStudentsGridProps) {
  const t = useTexts(texts);
  const { width, height } = useViewportSize();
  const columns = bestColumnCount(students.length, width || 1_280, (height || 800) - 130);
  return (
    <SimpleGrid
      renderRoot={(props) => <ul {...props} />}
      className="plain-list"
      cols={columns}
      autoRows="minmax(0, 1fr)"
      spacing="clamp(4px, 1vmin, 12px)"
      flex={1}
      mih={0}
      aria-label={t('ranking')}
    >
      {students.map(({ id, label, number, points }) => (
        <li
          key={id}
          className={classes.cell}
          data-away={away.has(id) || undefined}
          data-long={label.length > oneLineMax || undefined}
          data-numbered={number !== null || undefined}
        >
          <span className={classes.label}>{label}</span>
          {number !== null && <span className={classes.number}>{number}</span>}
          <Points value={points} />
          <GainTag gain={gains.get(id)} />
        </li>
      ))}
    </SimpleGrid>
  );
}

function Points({ value }: { readonly value: number }) {
  const format = useFormat();
  return (
    <span className={classes.points} data-sign={Math.sign(value)}>
      {format.number(value)}
    </span>
  );
}

function GainTag({ gain }: { readonly gain: Gain | undefined }) {
  const format = useFormat();
  if (!gain) return null;
  return (
    <span key={gain.key} className={classes.gain} data-sign={Math.sign(gain.change)}>
      {format.signed(gain.change)}
    </span>
  );
}

export function TeamsBoard({ schoolDb, classId }: { readonly schoolDb: string; readonly classId: number }) {
  const t = useTexts(texts);
  const query = useTeams(schoolDb, classId, { refreshMs: projectorRefreshMs });
  const teams = useMemo(
    () =>
      (query.data?.teams ?? [])
        .map((team) => ({ ...team, label: team.name, number: null }))
        .sort((a, b) => a.rank - b.rank),
    [query.data],
  );
  const gains = useGains(teams, 'teams');
  if (!query.data) return <LoadingOrError of={[query]} rows={8} height={64} />;
  if (teams.length === 0) return <EmptyState title={t('noTeamsTitle')} hint={t('noTeamsHint')} />;
  return <LeaderBoard label={t('teamRanking')} students={teams} gains={gains} rows={teams.length} />;
}
