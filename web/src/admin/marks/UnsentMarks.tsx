import { Alert, Button, Text } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useNamesAmong } from '../../components/student-names.ts';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { announceMoved } from '../../press-guard/guard-presses.ts';
import { useRoster } from '../classroom/roster.ts';
import type { Mark } from './mark.ts';
import { groupStuckMarks, type StuckMarks } from './stuck-marks.ts';
import { texts } from './texts.ts';
import classes from './UnsentMarks.module.css';
import { useMarkQueue, useStuckMarks } from './use-marks.ts';

/** Larger groups show as a count. */
const namedMax = 4;
const noRows: readonly never[] = [];

/**
 * Shows above a page the absences and picks that are stuck: refused, perhaps saved, or failing at the server. A person
 * decides about them.
 */
export function UnsentMarks({ children }: { readonly children: ReactNode }) {
  const t = useTexts(texts);
  const stuck = groupStuckMarks(useStuckMarks());
  const whole = useRef<HTMLDivElement>(null);
  const before = useRef(stuck.length);
  useLayoutEffect(() => {
    // The alert appears and disappears by itself, and moves buttons away from a finger.
    if (before.current !== stuck.length && whole.current) announceMoved(whole.current);
    before.current = stuck.length;
  }, [stuck.length]);
  return (
    <div ref={whole}>
      {stuck.length > 0 && (
        <Alert color="red" py="xs" mb="md" role="alert" title={t('title')}>
          <ul className={classes.list}>
            {stuck.map((group) => (
              <StuckEntry key={group.key} group={group} />
            ))}
          </ul>
        </Alert>
      )}
      {children}
    </div>
  );
}

function StuckEntry({ group: { marks, ids } }: { readonly group: StuckMarks }) {
  const t = useTexts(texts);
  const queue = useMarkQueue();
  const problemText = useProblemText();
  const [{ operation, body, state, problem }] = marks;
  const format = useFormat();
  const said = operation === 'markPicks' ? t('pick') : t(body.state);
  const what = t('what', { said, who: useNames(body, ids), day: format.calendarDay(body.day) });
  const each = (run: (key: string) => void) => () => {
    for (const { key } of marks) run(key);
  };
  const action = (text: string, run: (key: string) => void) => (
    <Button
      variant="subtle"
      size="compact-sm"
      h={40}
      aria-label={t('doFor', { do: text, what })}
      onClick={each(run)}
    >
      {text}
    </Button>
  );
  return (
    <li>
      <span className={classes.markText}>
        <Text size="sm" fw={500}>
          {what}
        </Text>
        <Text size="sm">
          {state === 'refused'
            ? problemText(problem)
            : t(state === 'unsure' ? 'stateUnsure' : 'stateFailing')}
        </Text>
      </span>
      {state === 'refused' ? (
        action(t('close'), (key) => queue.giveUp(key))
      ) : (
        <>
          {action(t(state === 'unsure' ? 'sendAgain' : 'retry'), (key) => queue.sendAgain(key))}
          {action(t('giveUp'), (key) => queue.giveUp(key))}
        </>
      )}
    </li>
  );
}

/** Names are fetched and never stored, so they do not outlive a sign-out. */
function useNames({ schoolDb, classId }: Mark['body'], ids: readonly number[]): string {
  const t = useTexts(texts);
  const roster = useRoster(schoolDb, classId).data ?? noRows;
  const { textOf } = useNamesAmong(roster);
  const known = roster.filter(({ id }) => ids.includes(id));
  if (known.length < ids.length || ids.length > namedMax) return t('studentCount', { count: ids.length });
  return known.map(textOf).join(t('comma'));
}

function useProblemText(): (problem: Mark['problem']) => string {
  const t = useTexts(texts);
  return (problem) => {
    switch (problem?.status) {
      case 400:
        return t('problem400');
      case 403:
        return t('problem403');
      case 404:
        return t('problem404');
      case 409:
        return t('problem409');
      default:
        return t('problemOther', { message: problem?.message ?? '' });
    }
  };
}
