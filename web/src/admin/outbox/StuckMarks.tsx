import { Alert, Box, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useDistinctStudentNames } from '../../components/student-names.ts';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { announceMoved } from '../../press-guard/guard-presses.ts';
import { useRoster } from '../classroom/roster.ts';
import type { MarkEntry } from './entry.ts';
import { studentIdsOf } from './mark-entry.ts';
import { texts } from './texts.ts';
import { useOutbox, useStuckMarks } from './use-outbox.ts';

/** A larger group is shown as a number of students. */
const namedMax = 4;
const noRows: readonly never[] = [];
const explainedStatuses = [400, 403, 404, 409] as const;

/** Returns a key that is equal for marks shown in one line, such as sixty refused absences of a class. */
const groupOf = ({ kind, body, state, problem }: MarkEntry) => {
  const { schoolDb, classId, day } = body;
  return JSON.stringify([kind, schoolDb, classId, day, 'state' in body && body.state, state, problem]);
};

/** Shows absences and picks above a page that are refused, perhaps saved, or failing. The user decides about them. */
export function StuckMarks({ children }: { readonly children: ReactNode }) {
  const t = useTexts(texts);
  const stuck = Map.groupBy(useStuckMarks(), groupOf);
  const whole = useRef<HTMLDivElement>(null);
  const before = useRef(stuck.size);
  useLayoutEffect(() => {
    // Announces the move, because the alert appears and disappears by itself and moves buttons under a finger.
    if (before.current !== stuck.size && whole.current) announceMoved(whole.current);
    before.current = stuck.size;
  }, [stuck.size]);
  return (
    <div ref={whole}>
      {stuck.size > 0 && (
        <Alert color="red" py="xs" mb="md" role="alert" title={t('title')}>
          <Box component="ul" m={0} p={0}>
            {[...stuck].map(([key, marks]) => (
              <StuckEntry key={key} marks={marks} />
            ))}
          </Box>
        </Alert>
      )}
      {children}
    </div>
  );
}

function StuckEntry({ marks }: { readonly marks: readonly MarkEntry[] }) {
  const t = useTexts(texts);
  const outbox = useOutbox();
  const format = useFormat();
  const [{ kind, body, state, problem }] = marks as readonly [MarkEntry, ...MarkEntry[]];
  const who = useNames(body, [...new Set(marks.flatMap(shownStudentIds))]);
  const said = kind === 'picks' ? t('pick') : t(body.state);
  const what = t('what', { said, who, day: format.calendarDay(body.day) });
  const action = (text: string, run: (key: string) => void) => (
    <Button
      variant="subtle"
      size="compact-sm"
      h={40}
      aria-label={t('doFor', { do: text, what })}
      onClick={() => {
        for (const { key } of marks) run(key);
      }}
    >
      {text}
    </Button>
  );
  const giveUp = (key: string) => outbox.giveUp(key);
  const isAwaited = state === 'unsure' && marks.every((mark) => outbox.isAwaited(mark));
  const explained = explainedStatuses.find((status) => status === problem?.status);
  const problemText = explained
    ? t(`problem${explained}`)
    : t('problemOther', { message: problem?.message ?? '' });
  const stateText = isAwaited ? t('stateAwaited') : t(state === 'unsure' ? 'stateUnsure' : 'stateFailing');
  return (
    <Group component="li" gap="0 8px">
      <Box flex="1 1 240px" py={4}>
        <Text size="sm" fw={500}>
          {what}
        </Text>
        <Text size="sm">{state === 'refused' ? problemText : stateText}</Text>
      </Box>
      {state !== 'refused' &&
        !isAwaited &&
        action(t(state === 'unsure' ? 'sendAgain' : 'retry'), (key) => outbox.sendAgain(key))}
      {action(t(state === 'refused' ? 'close' : 'giveUp'), giveUp)}
    </Group>
  );
}

/** Returns the students to name. For picks, leaves out `againIds`, who were not picked. */
const shownStudentIds = (mark: MarkEntry) =>
  mark.kind === 'picks' && mark.body.userIds.length > 0 ? mark.body.userIds : studentIdsOf(mark);

/** Returns the students' names, fetched each time, so that none stay on the computer after a sign-out. */
function useNames({ schoolDb, classId }: MarkEntry['body'], ids: readonly number[]): string {
  const t = useTexts(texts);
  const roster = useRoster(schoolDb, classId).data ?? noRows;
  const { textOf } = useDistinctStudentNames(roster);
  const known = roster.filter(({ id }) => ids.includes(id));
  if (known.length < ids.length || ids.length > namedMax) return t('studentCount', { count: ids.length });
  return known.map(textOf).join(t('comma'));
}
