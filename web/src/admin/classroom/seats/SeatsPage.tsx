import type { Seat, Student } from '@classledger/contract';
import { Button, SegmentedControl } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconArmchair, IconLayoutGrid, IconPrinter } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { byName } from '../../../i18n/name-order.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useManages } from '../../me.ts';
import { useOpenDialog } from '../../page/dialogs.tsx';
import { type ClassContentProps, ClassPageGate } from '../ClassPageGate.tsx';
import { optionsOf, ToolButton } from '../parts.tsx';
import { useRoster } from '../roster.ts';
import { GenerateDialog } from './GenerateDialog.tsx';
import { PrintedPlan } from './PrintedPlan.tsx';
import { Room } from './Room.tsx';
import { ReadOnlyRoom } from './RoomFrame.tsx';
import { arrangeRoom, type Person, type RoomSide, studentOnSeat } from './room.ts';
import { texts } from './texts.ts';
import { useSeatMoves } from './use-seat-moves.ts';

export default function SeatsPage() {
  const t = useTexts(texts);
  return (
    <ClassPageGate title={t('title')} chooseHint={t('chooseClassHint')} noneHint={t('noClassesHint')}>
      {(content) => <SeatsOfClass key={content.of.id} {...content} />}
    </ClassPageGate>
  );
}

const noSeats: readonly Seat[] = [];
const noStudents: readonly Student[] = [];

function SeatsOfClass({ schoolDb, of, picker }: ClassContentProps) {
  const t = useTexts(texts);
  const seats = useOperation('listSeats', { query: { schoolDb, classId: of.id } });
  const roster = useRoster(schoolDb, of.id);
  const [side, setSide] = useLocalStorage<RoomSide>({ key: 'classledger.seats.side', defaultValue: 'class' });
  const open = useOpenDialog();
  const isManaged = useManages()(of);
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
  const generate = () =>
    open((dialog) => (
      <GenerateDialog {...dialog} schoolDb={schoolDb} of={of} seats={settled} students={students.length} />
    ));
  const content = () => {
    if (!ready) return <LoadingOrError of={[seats, roster]} rows={5} height={72} />;
    if (!laidOut) {
      return (
        <EmptyState
          icon={IconArmchair}
          title={t('noLayoutTitle')}
          hint={t(isManaged ? 'noLayoutHint' : 'noLayoutHintReader')}
          action={
            isManaged && (
              <Button mt="xs" onClick={generate}>
                {t('makeLayout')}
              </Button>
            )
          }
        />
      );
    }
    if (!isManaged) return <ReadOnlyRoom room={room} side={side} />;
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
                onChange={setSide}
                data={optionsOf({ class: t('seenByClass'), teacher: t('seenByTeacher') })}
              />
              {isManaged && <ToolButton icon={IconLayoutGrid} label={t('newLayout')} onClick={generate} />}
              <ToolButton
                variant="filled"
                icon={IconPrinter}
                label={t('print')}
                onClick={() => window.print()}
              />
            </>
          )
        }
      />
      {laidOut && (
        <Hint mb={4}>
          {t('taken', {
            taken: shown.filter(({ userId }) => userId !== null).length,
            count: shown.length,
          })}
        </Hint>
      )}
      {content()}
      {laidOut && <PrintedPlan of={of} room={room} side={side} />}
    </StudentNamesContext>
  );
}

/** Returns the roster plus seated students that it lacks, such as disabled ones. */
function allStudentsOf(seats: readonly Seat[], students: readonly Student[]): readonly Person[] {
  const known = new Set(students.map(({ id }) => id));
  const others = seats.flatMap((seat) => studentOnSeat(seat) ?? []).filter(({ id }) => !known.has(id));
  return [...students, ...others];
}
