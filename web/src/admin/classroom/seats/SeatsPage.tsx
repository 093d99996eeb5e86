import type { ClassSummary, Seat, Student } from '@classledger/contract';
import { Button, SegmentedControl, Text } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { IconArmchair, IconLayoutGrid, IconPrinter } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { byName } from '../../../i18n/name-order.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { ClassPageGate } from '../ClassPageGate.tsx';
import { useRoster } from '../roster.ts';
import { GenerateDialog } from './GenerateDialog.tsx';
import { PrintedPlan } from './PrintedPlan.tsx';
import { Room } from './Room.tsx';
import { arrangeRoom, type RoomSide } from './room.ts';
import { type Person, studentOnSeat } from './seat-moves.ts';
import { texts } from './texts.ts';
import { useSeatMoves } from './use-seat-moves.ts';

export function SeatsPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return (
    <ClassPageGate title={t('title')} chooseHint={t('chooseClassHint')} noneHint={t('noClassesHint')}>
      {(shown, picker) => <ClassSeats key={shown.id} schoolDb={schoolDb} of={shown} picker={picker} />}
    </ClassPageGate>
  );
}

interface ClassSeatsProps {
  readonly schoolDb: string;
  readonly of: ClassSummary;
  readonly picker: ReactNode;
}

const noSeats: readonly Seat[] = [];
const noStudents: readonly Student[] = [];

function ClassSeats({ schoolDb, of, picker }: ClassSeatsProps) {
  const t = useTexts(texts);
  const seats = useOperation('listSeats', { query: { schoolDb, classId: of.id } });
  const roster = useRoster(schoolDb, of.id);
  const [side, setSide] = useLocalStorage<RoomSide>({ key: 'classledger.seats.side', defaultValue: 'class' });
  const [generating, generate] = useDisclosure();
  const settled = seats.data ?? noSeats;
  const students = roster.data ?? noStudents;
  const people = useMemo(() => allStudentsOf(settled, students), [settled, students]);
  const names = useDistinctStudentNames(people);
  const { shown, move } = useSeatMoves(schoolDb, of.id, settled, people);
  const room = useMemo(() => arrangeRoom(shown, side), [shown, side]);
  const unseated = useMemo(() => {
    const seated = new Set(shown.map(({ userId }) => userId));
    return people.filter(({ id }) => !seated.has(id)).toSorted(byName);
  }, [shown, people]);
  const ready = seats.data !== undefined && roster.data !== undefined;
  const laidOut = ready && settled.length > 0;
  const content = () => {
    if (!ready) {
      const error = seats.error ?? roster.error;
      const retry = () => void Promise.all([seats.refetch(), roster.refetch()]);
      return error ? <ErrorState error={error} onRetry={retry} /> : <LoadingRows rows={5} height={72} />;
    }
    if (!laidOut) {
      return (
        <EmptyState
          icon={IconArmchair}
          title={t('noLayoutTitle')}
          hint={t('noLayoutHint')}
          action={
            <Button mt="xs" onClick={generate.open}>
              {t('makeLayout')}
            </Button>
          }
        />
      );
    }
    return <Room key={side} room={room} seats={shown} side={side} unseated={unseated} onMove={move} />;
  };
  return (
    <StudentNamesContext value={names}>
      <PageHeader
        title={t('title')}
        choice={picker}
        actions={
          laidOut && (
            <>
              <SegmentedControl
                aria-label={t('seenBy')}
                value={side}
                onChange={(value) => setSide(value as RoomSide)}
                data={[
                  { value: 'class', label: t('seenByClass') },
                  { value: 'teacher', label: t('seenByTeacher') },
                ]}
              />
              <Button
                variant="default"
                leftSection={<IconLayoutGrid aria-hidden size={18} />}
                onClick={generate.open}
              >
                <span className="words-on-wide">{t('newLayout')}</span>
              </Button>
              <Button leftSection={<IconPrinter aria-hidden size={18} />} onClick={() => window.print()}>
                <span className="words-on-wide">{t('print')}</span>
              </Button>
            </>
          )
        }
      />
      {laidOut && (
        <Text c="dimmed" size="sm" mb={4}>
          {t('taken', {
            taken: shown.filter(({ userId }) => userId !== null).length,
            count: shown.length,
          })}
        </Text>
      )}
      {content()}
      {laidOut && <PrintedPlan of={of} room={room} side={side} />}
      {ready && (
        <GenerateDialog
          schoolDb={schoolDb}
          of={of}
          seats={settled}
          students={students.length}
          opened={generating}
          onClose={generate.close}
        />
      )}
    </StudentNamesContext>
  );
}

/** Returns the roster plus seated students that it lacks, such as disabled ones. */
function allStudentsOf(seats: readonly Seat[], students: readonly Student[]): readonly Person[] {
  const known = new Set(students.map(({ id }) => id));
  const others = seats.flatMap((seat) => studentOnSeat(seat) ?? []).filter(({ id }) => !known.has(id));
  return [...students, ...others];
}
