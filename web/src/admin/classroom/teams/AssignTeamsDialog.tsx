import { limits } from 'virtual:contract';
import type { Seat, Student } from '@classledger/contract';
import { Modal, NumberInput, Radio, SegmentedControl, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { FormFooter } from '../../../components/FormFooter.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { seatGroupsOf } from '../geometry.ts';
import { optionsOf } from '../parts.tsx';
import { absentIdsOf, useAttendance } from '../use-attendance.ts';
import { type AssignmentMethod, addToSmallestTeams, assignToTeams } from './teams-draft.ts';
import { texts } from './texts.ts';

interface AssignTeamsDialogProps extends DialogProps {
  readonly schoolDb: string;
  readonly classId: number;
  readonly students: readonly Student[];
  readonly teamCount: number;
  readonly onAssigned: (groups: readonly (readonly number[])[]) => void;
}

const noSeats: readonly Seat[] = [];

/** Divides students into teams. Saves nothing, because the editor shows the result first. */
export function AssignTeamsDialog(props: AssignTeamsDialogProps) {
  const { opened, onClose, schoolDb, classId, students, teamCount, onAssigned } = props;
  const t = useTexts(texts);
  const seats = useOperation('listSeats', { query: { schoolDb, classId } }).data ?? noSeats;
  const absent = new Set(absentIdsOf(useAttendance(schoolDb, classId).sheet.data));
  const [method, setMethod] = useState<AssignmentMethod>('shuffle');
  const [sizeBy, setSizeBy] = useState<'count' | 'size'>('count');
  const [number, setNumber] = useState<number | string>(teamCount || usualCount(students.length));
  const [atEnd, setAtEnd] = useState(false);
  const away = students.filter(({ id }) => absent.has(id));
  const present = students.filter(({ id }) => !absent.has(id));
  const dealtOnes = atEnd ? students.length : present.length;
  const wanted = typeof number === 'number' ? number : 0;
  const groups = groupsOfSeats(seats, present);
  const count =
    method === 'groups' ? groups.length : sizeBy === 'count' ? wanted : Math.ceil(dealtOnes / wanted);
  const isPossible = count >= 1 && count <= Math.min(limits.teamsMax, Math.max(1, dealtOnes));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPossible) return;
    const byPoints = method === 'byPoints';
    const teams = method === 'groups' ? groups : assignToTeams(present, { count, byPoints });
    const late = atEnd ? away.map(({ id }) => id) : [];
    onAssigned(addToSmallestTeams(teams, late));
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={t('makeTeams')}>
      <form onSubmit={submit}>
        <Stack>
          <Radio.Group
            label={t('method')}
            value={method}
            onChange={(value) => setMethod(value as AssignmentMethod)}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="shuffle" label={t('shuffle')} data-autofocus />
              <Radio value="byPoints" label={t('byPoints')} />
              <Radio value="groups" label={t('groups')} disabled={groups.length === 0} />
            </Stack>
          </Radio.Group>
          <Hint>
            {t(`${method}Hint`)} {groups.length === 0 && t('noGroups')}
          </Hint>
          {method !== 'groups' && (
            <>
              <SegmentedControl
                aria-label={t('sizeBy')}
                value={sizeBy}
                onChange={setSizeBy}
                data={optionsOf({ count: t('byCount'), size: t('bySize') })}
              />
              <NumberInput
                label={t(sizeBy === 'count' ? 'byCount' : 'bySize')}
                value={number}
                onChange={setNumber}
                min={1}
                max={sizeBy === 'count' ? limits.teamsMax : students.length}
                allowDecimal={false}
                allowNegative={false}
              />
            </>
          )}
          {away.length > 0 && (
            <Radio.Group
              label={t('absent', { count: away.length })}
              value={atEnd ? 'end' : 'out'}
              onChange={(value) => setAtEnd(value === 'end')}
            >
              <Stack gap="xs" mt="xs">
                <Radio value="out" label={t('absentOut')} />
                <Radio value="end" label={t('absentEnd')} />
              </Stack>
            </Radio.Group>
          )}
          <Text size="sm" role="status">
            {isPossible
              ? method !== 'groups' && t('willBe', { count, sizes: sizesText(dealtOnes, count) })
              : count > limits.teamsMax && t('tooMany', { max: limits.teamsMax })}
          </Text>
          <FormFooter onCancel={onClose} submitLabel={t('deal')} disabled={!isPossible} />
        </Stack>
      </form>
    </Modal>
  );
}

const usualCount = (students: number) => Math.min(limits.teamsMax, Math.max(2, Math.round(students / 6)));

const sizesText = (students: number, count: number) => {
  const small = Math.floor(students / count);
  return students % count === 0 ? String(small) : `${small}–${small + 1}`;
};

function groupsOfSeats(seats: readonly Seat[], present: readonly Student[]): number[][] {
  const here = new Set<number | null>(present.map(({ id }) => id));
  return seatGroupsOf(seats)
    .map((group) => group.seats.flatMap(({ userId }) => (here.has(userId) ? (userId ?? []) : [])))
    .filter((group) => group.length > 0);
}
