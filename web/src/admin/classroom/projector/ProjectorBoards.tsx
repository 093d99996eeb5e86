import { useViewportSize } from '@mantine/hooks';
import { type CSSProperties, useMemo } from 'react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useTeams } from '../class-teams.ts';
import classes from './Projector.module.css';
import { bestColumnCount, type RankedStudent, rankingLayout, textWidthEm } from './rank-students.ts';
import { texts } from './texts.ts';
import { type Gain, useGains } from './use-gains.ts';

interface BoardProps {
  readonly students: readonly RankedStudent[];
  readonly gains: ReadonlyMap<number, Gain>;
}

const longName = 8;

interface LeaderBoardProps extends BoardProps {
  readonly rows: number;
  readonly label?: string;
}

export function LeaderBoard({ students, gains, rows, label: ranked }: LeaderBoardProps) {
  const t = useTexts(texts);
  const leaders = students.slice(0, rows);
  const best = Math.max(1, leaders[0]?.points ?? 1);
  const { width, height } = useViewportSize();
  const { columns, rows: inColumn } = rankingLayout(Math.min(rows, students.length), width > height);
  return (
    <ol
      className={classes.board}
      aria-label={ranked ?? t('ranking')}
      style={{ '--rows': inColumn, '--columns': columns } as CSSProperties}
    >
      {leaders
        .map((student, place) => ({ ...student, place }))
        // Ordered by id, so that a new rank moves an element instead of recreating it.
        .sort((a, b) => a.id - b.id)
        .map(({ id, label, number, points, rank, colour, place }) => (
          <li
            key={id}
            className={classes.leader}
            data-rank={rank}
            data-colour={colour}
            style={
              {
                '--place': place % inColumn,
                '--column': Math.floor(place / inColumn),
                '--share': `${Math.max(0, (points / best) * 100)}%`,
              } as CSSProperties
            }
          >
            <span className={classes.rank}>{rank}</span>
            <span
              className={classes.label}
              style={{ '--breadth': textWidthEm(`${label} ${number ?? ''}`) } as CSSProperties}
            >
              {label}
              {number !== null && <span className={classes.number}> {number}</span>}
            </span>
            <GainTag gain={gains.get(id)} />
            <Points value={points} />
          </li>
        ))}
    </ol>
  );
}

export function AllStudentsGrid({
  students,
  gains,
  away,
}: BoardProps & { readonly away: ReadonlySet<number> }) {
  const t = useTexts(texts);
  const { width, height } = useViewportSize();
  const columns = bestColumnCount(students.length, width || 1_280, (height || 800) - 130);
  return (
    <ul className={classes.grid} aria-label={t('ranking')} style={{ '--columns': columns } as CSSProperties}>
      {students.map(({ id, label, number, points }) => (
        <li
          key={id}
          className={classes.cell}
          data-away={away.has(id) || undefined}
          data-long={label.length > longName || undefined}
          data-numbered={number !== null || undefined}
        >
          <span className={classes.label}>{label}</span>
          {number !== null && <span className={classes.number}>{number}</span>}
          <Points value={points} />
          <GainTag gain={gains.get(id)} />
        </li>
      ))}
    </ul>
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

interface TeamsBoardProps {
  readonly schoolDb: string;
  readonly classId: number;
  readonly refreshMs: number;
}

export function TeamsBoard({ schoolDb, classId, refreshMs }: TeamsBoardProps) {
  const t = useTexts(texts);
  const { data, error, refetch } = useTeams(schoolDb, classId, { refreshMs });
  const teams = useMemo(
    () =>
      (data?.teams ?? [])
        .map(({ id, name, colour, points, rank }) => ({
          id,
          label: name,
          number: null,
          points,
          rank,
          colour,
        }))
        .sort((a, b) => a.rank - b.rank),
    [data],
  );
  const gains = useGains(teams, 'teams');
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <LoadingRows rows={8} height={64} />;
  }
  if (teams.length === 0) return <EmptyState title={t('noTeamsTitle')} hint={t('noTeamsHint')} />;
  return <LeaderBoard label={t('teamRanking')} students={teams} gains={gains} rows={teams.length} />;
}
